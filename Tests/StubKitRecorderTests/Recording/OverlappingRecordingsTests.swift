import Foundation
import TestSupport
import Testing

@testable import StubKitRecorder

@Suite("Recordings that overlap in one scope", .inTurn)
struct OverlappingRecordingsTests {
  private let folder: RecordingFolder
  private let server: LoopbackServer

  init() throws {
    folder = try RecordingFolder()
    server = try LoopbackServer()
  }

  private func fetch(_ path: String) async throws { _ = try await URLSession.shared.fetch("\(server.url(path))") }

  @Test("are an error if one begins beside the other", arguments: [RecordingMode.replay, .all])
  func sideBySide(mode: RecordingMode) async throws {
    try folder.write(entry("http://a.example/", "old"), name: "b")
    let (begun, over) = (Latch(), Latch())
    try await folder.with {
      try await withStubs {
        async let first: Void = withRecording(folder.recording("a", .all)) {
          try await fetch("/1")
          begun.open()
          try await until("the other one was refused") { over.isOpen }
          try await fetch("/2")
        }
        try await until("the recording has begun") { begun.isOpen }
        let error = await folder.error(of: folder.recording("b", mode)) { Issue.record("The body ran.") }
        #expect(error?.reason == .conflicting)
        #expect(error?.description.contains(#"The recording "b" begins while another one is in use"#) == true)
        // In a scope of its own, it is beside none.
        try await withStubs { try await withRecording(folder.recording("c", .all)) { try await fetch("/3") } }
        over.open()
        try await first
        try await withRecording(folder.recording("d", .all)) { try await fetch("/4") }
        #expect(await URLSession.shared.failure(of: "\(server.url("/after"))") is UnmatchedRequestError)
      }
    }
    #expect(try folder.texts("a") == ["real GET /1", "real GET /2"])
    #expect(try ["b", "c", "d"].map { try folder.texts($0) } == [["old"], ["real GET /3"], ["real GET /4"]])
  }

  @Test("ask the innermost one first, and then those around it", arguments: [RecordingMode.replay, .all])
  func outerOnes(mode: RecordingMode) async throws {
    let (login, cart) = ("\(server.url("/login"))", "\(server.url("/cart"))")
    try folder.write(entry(login, "outer login"), entry(cart, "outer cart"), name: "outer")
    try folder.write(entry(cart, "inner cart"), name: "inner")
    try await folder.with {
      try await withRecording(folder.recording("outer")) {
        try await withRecording(folder.recording("inner", mode)) {
          let texts = [
            try await URLSession.shared.fetch(login).text, try await URLSession.shared.fetch(cart).text,
          ]
          #expect(texts == (mode == .all ? ["outer login", "outer cart"] : ["outer login", "inner cart"]))
          if mode == .all { try await fetch("/new") }
        }
      }
    }
    // What the outer one answers needn't be recorded again.
    #expect(try folder.texts("inner") == (mode == .all ? ["real GET /new"] : ["inner cart"]))
  }

  @Test("give a request to the innermost one, and let one that plays use no network")
  func nested() async throws {
    try folder.write(entry("http://a.example/", "played"), name: "played")
    try await folder.with {
      try await withRecording(folder.recording("outer", .all)) {
        try await fetch("/1")
        try await withRecording(folder.recording("inner", .all)) {
          try await fetch("/2")
          // A queue belongs to no task.
          let session = StubRegistry.current.makeSession()
          try await untilResumed { (end: Resumption<Void>) in
            DispatchQueue.global().async {
              session.dataTask(with: server.url("/queue")) { _, _, _ in end.resume() }.resume()
            }
          }
        }
        try await withRecording(folder.recording("played")) {
          let text = try await URLSession.shared.fetch("http://a.example/").text
          #expect(text == "played")
          #expect(await URLSession.shared.failure(of: "\(server.url("/no"))") is UnmatchedRequestError)
        }
        try await fetch("/3")
      }
    }
    #expect(try folder.texts("outer") == ["real GET /1", "real GET /3"])
    #expect(try folder.texts("inner") == ["real GET /2", "real GET /queue"])
    #expect(!server.requests.contains("GET /no"))
  }
}
