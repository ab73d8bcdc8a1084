import Foundation
import TestSupport
import Testing

@testable import StubKit
@testable import StubKitArchive
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

  @Test("each have the requests of their own tasks")
  func sideBySide() async throws {
    defer { server.stop() }
    try await folder.with {
      try await withStubs {
        try await withThrowingTaskGroup(of: Void.self) { group in
          for name in ["a", "b", "c", "d"] {
            group.addTask {
              try await withRecording(folder.recording(name, .all)) {
                for number in 1...5 {
                  async let child: Void = fetch("/\(name)\(number)")
                  try await fetch("/\(name)")
                  try await child
                }
              }
            }
          }
          try await group.waitForAll()
        }
        #expect(await URLSession.shared.failure(of: "\(server.url("/after"))") is UnmatchedRequestError)
      }
    }
    for name in ["a", "b", "c", "d"] {
      let texts = try folder.texts(name)
      #expect(texts.count == 10 && texts.allSatisfy { $0.hasPrefix("real GET /\(name)") })
    }
  }

  @Test("give a request to the innermost one")
  func nested() async throws {
    defer { server.stop() }
    try await folder.with {
      try await withRecording(folder.recording("outer", .all)) {
        try await fetch("/1")
        try await withRecording(folder.recording("inner", .all)) { try await fetch("/2") }
        try await fetch("/3")
      }
    }
    #expect(try folder.texts("outer") == ["real GET /1", "real GET /3"])
    #expect(try folder.texts("inner") == ["real GET /2"])
  }

  @Test("never let the one that plays use the network, nor the one that records play")
  func mixed() async throws {
    defer { server.stop() }
    try folder.write(entry("http://a.example/", "played"), name: "played")
    let (begun, over) = (Latch(), Latch())
    try await folder.with {
      try await withStubs {
        async let recorded: Void = withRecording(folder.recording("made", .all)) {
          begun.open()
          try await until("the other is over") { over.isOpen }
          try await fetch("/late")
        }
        try await until("the recording has begun") { begun.isOpen }
        try await withRecording(folder.recording("played")) {
          let text = try await URLSession.shared.fetch("http://a.example/").text
          #expect(text == "played")
          #expect(await URLSession.shared.failure(of: "\(server.url("/no"))") is UnmatchedRequestError)
        }
        over.open()
        try await recorded
      }
    }
    #expect(try folder.texts("made") == ["real GET /late"] && server.requests == ["GET /late"])
  }

  @Test("are not written if it is unclear whose a request is")
  func undecided() async throws {
    defer { server.stop() }
    try folder.write(entry("http://a.example/", "old"), name: "b")
    let errors = Locked<[RecordingError]>([])
    let ends = (Latch(), Latch())
    let begun = Locked(0)
    await folder.with {
      await withStubs {
        let session = StubRegistry.current.makeSession()
        await withTaskGroup(of: Void.self) { group in
          for (name, end) in [("a", ends.0), ("b", ends.1)] {
            group.addTask {
              do {
                try await withRecording(folder.recording(name, .all)) {
                  begun.withLock { $0 += 1 }
                  try await fetch("/\(name)")
                  try await until("the request is made") { end.isOpen }
                }
              } catch let error as RecordingError {
                errors.withLock { $0.append(error) }
              } catch {
                Issue.record(error)
              }
            }
          }
          group.addTask {
            await #expect(throws: Never.self) {
              try await until("both have begun") { begun.withLock { $0 } == 2 }
              // A queue belongs to no task.
              try await untilResumed { (end: Resumption<Void>) in
                DispatchQueue.global().async {
                  session.dataTask(with: server.url("/queue?token=secret")) { _, _, _ in end.resume() }.resume()
                }
              }
            }
            ends.0.open()
            ends.1.open()
          }
        }
      }
    }
    #expect(errors.withLock { $0.map(\.reason) } == [.conflicting, .conflicting])
    #expect(
      errors.withLock { $0 }.allSatisfy {
        $0.description.contains("GET \(server.url("/queue")) can belong to either")
          && !$0.description.contains("secret")
      })
    #expect(try folder.texts("b") == ["old"] && folder.names == ["b.har"])
  }
}
