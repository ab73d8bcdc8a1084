import Foundation
import StubKitRecording
import TestSupport
import Testing

@testable import StubKitRecorder

@Suite("withRecording", .inTurn)
struct WithRecordingTests {
  private let folder: RecordingFolder

  init() throws { folder = try RecordingFolder() }

  @Test("makes a scope if there is none around it")
  func ownScope() async throws {
    try folder.write(entry("http://a.example/", "recorded"))
    try await folder.with {
      try withRecording(folder.recording()) { #expect(StubRegistry.current !== StubRegistry.global) }
    }
  }

  /// Runs a test in a recording with one entry, in a scope that lets unmatched requests pass.
  private func insideScope(
    _ test: () async throws -> Void, afterwards: (StubRegistry) -> Void = { _ in }
  ) async throws {
    try folder.write(entry("http://a.example/", "recorded"))
    try await folder.with {
      try await withStubs {
        HTTPStubs.unmatched = .passThrough
        try await withRecording(folder.recording()) { try await test() }
        afterwards(.current)
      }
    }
  }

  @Test("uses the registry of the scope around it, where a stub of the code's own comes first")
  func scopeAround() async throws {
    try await insideScope {
      #expect(StubRegistry.current.stubs.map(\.name) == ["users.har, entry 1"])
      stub(condition: .anything, response: .text("mine"))
      let text = try await URLSession.shared.fetch("http://a.example/").text
      #expect(text == "mine")
    } afterwards: { registry in
      #expect(registry.stubs.map(\.name) == [nil], "Only the code's own stub stays.")
      #expect(registry.unusedStubs.map(\.name) == ["users.har, entry 1"])
    }
  }

  @Test("lets no unmatched request pass, and gives the scope around it its policy back")
  func policy() async throws {
    try await insideScope {
      #expect(await URLSession.shared.failure(of: "http://127.0.0.1:1/") is UnmatchedRequestError)
    } afterwards: { registry in
      guard case .passThrough = registry.unmatched.kind else {
        Issue.record("The policy is \(registry.unmatched).")
        return
      }
    }
  }

  @Test("replays at the recorded times, and compares only the parts that the recording names")
  func options() async throws {
    var slow = entry("http://a.example/?token=1", "slow")
    slow.duration = .seconds(9)
    try folder.write(slow)
    var recording = folder.recording()
    (recording.matching, recording.timing) = ([.method, .path], .recorded)
    let clock = ManualClock()
    try await folder.with {
      try await withRecording(recording) {
        StubRegistry.current.clock = clock
        let text = try await clock.run { try await URLSession.shared.fetch("http://b.example/?token=2").text }
        #expect(text == "slow")
        #expect(clock.now.offset == .seconds(9))
      }
    }
  }

  /// FailingTestTests say so of one that records.
  @Test("shows no secret of a request in a report while it plays")
  func reports() async throws {
    try folder.write(entry("http://a.example/users", "old"))
    let secret = LateFinding.secret
    try await folder.with {
      try await withRecording(folder.recording()) {
        stub(condition: isPath("/posts"), response: .ok)
        let error = await URLSession.shared.failure(of: "http://a.example/other?access_token=\(secret)")
        #expect(error is UnmatchedRequestError)
        #expect(!"\(error as Any)".contains(secret), "\(error as Any)")
      }
    }
  }

  @Test("names its unused entries, with their requests, in the error of verifyAllStubsUsed()")
  func unused() async throws {
    try folder.write(entry("http://a.example/users?page=2", "old"))
    try await folder.with {
      try withRecording(folder.recording()) {
        let error = #expect(throws: VerificationError.self) { try HTTPStubs.verifyAllStubsUsed() }
        let lines = error?.description.split(separator: "\n") ?? []
        let line = lines.first { $0.contains("users.har, entry 1") } ?? ""
        #expect(line.hasSuffix(" for GET http://a.example/users?page=2"), "\(error as Any)")
      }
    }
  }

  @Test("plays one recording for several tests at a time")
  func shared() async throws {
    try folder.write(entry("http://a.example/", "1"), entry("http://a.example/", "2"))
    let folder = folder
    let texts = try await (1...8).atOnce { _ in
      try await withRecording(folder.recording()) {
        let session = URLSession.shared
        return [try await session.fetch("http://a.example/").text, try await session.fetch("http://a.example/").text]
      }
    }
    #expect(texts == Array(repeating: ["1", "2"], count: 8))
  }

  @Test(
    "throws an error that names both calls, if two record to one file at a time, by whichever path",
    arguments: [RecordingMode.once, .newEpisodes, .all])
  func conflict(mode: RecordingMode) async throws {
    let link = temporaryPlace()
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder.url)
    defer { removePlace(link) }
    try await folder.with {
      let first = #line + 1
      try withRecording(folder.recording("users", mode)) {
        for same in [folder.url, link] {
          let again = Recording("users", in: same, mode: mode)
          let error = #expect(throws: RecordingError.self, "\(same)") { try withRecording(again) {} }
          #expect(error?.reason == .conflicting, "\(same)")
          let lines = error?.description.matches(of: /WithRecordingTests.swift:(\d+)/).map { Int($0.1) }
          // Those of the two calls.
          #expect(lines == [first, first + 3], "\(same): \(error as Any)")
        }
        try withRecording(folder.recording("other", mode)) {}
      }
    }
  }

  @Test(
    "waits for another process that is writing, blocking its thread or suspending its task", arguments: [true, false])
  func locked(isSynchronous: Bool) async throws {
    let folder = folder
    let descriptor = open(folder.url.path, O_RDONLY | O_DIRECTORY)
    #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
    let order = Locked<[String]>([])
    let count = isSynchronous ? 1 : 64
    let quiet = RecordingSurroundings(environment: [:]) { _ in }
    // More tasks than Swift's pool has threads. If one of them blocked its thread, the last body would never run.
    let written = (1...count).map { number in
      Task {
        let recording = folder.recording("\(number)", .newEpisodes)
        @Sendable func body() {
          answerFromNetwork("\(number)")
          order.withLock { $0.append("over") }
        }
        // A thread of its own has no task-local values.
        if isSynchronous {
          try await onOwnThread {
            try RecordingSurroundings.$current.withValue(quiet) { try withRecording(recording) { body() } }
          }
        } else {
          try await RecordingSurroundings.$current.withValue(quiet) {
            try await withRecording(recording) { () async in body() }
          }
        }
        order.withLock { $0.append("written") }
      }
    }
    // A lock belongs to the open file, so this process is as another one to itself.
    try await until("the bodies are over") { order.withLock { $0.count == count } }
    order.withLock { $0.append("unlocked") }
    flock(descriptor, LOCK_UN)
    close(descriptor)
    for task in written { try await task.value }
    let over = Array(repeating: "over", count: count)
    #expect(order.withLock { $0 } == over + ["unlocked"] + over.map { _ in "written" })
    #expect(try folder.texts("\(count)") == ["\(count)"])
    #expect(!folder.names.contains { $0.contains("lock") })
  }
}
