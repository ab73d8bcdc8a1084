import Foundation
import StubKitRecording
import TestSupport
import Testing

@testable import StubKitRecorder

/// A recording with `where:` has the requests that meet its condition. All others go where they would go without it.
@Suite("A recording with a condition", .inTurn)
struct RecordingWhereTests {
  private let folder: RecordingFolder
  private let server: LoopbackServer

  init() throws { (folder, server) = (try RecordingFolder(), try LoopbackServer()) }

  private func recording(_ condition: RequestMatcher, _ mode: RecordingMode? = nil) -> Recording {
    Recording("users", in: folder.url, mode: mode, where: condition)
  }

  private func paths(_ name: String = "users") throws -> [String] {
    try HTTPArchive(contentsOf: folder.file(name)).entries.compactMap { $0.request.url?.path }
  }

  /// A condition that a request to `/kept` with the body "kept" meets.
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let condition: RequestMatcher
    var testDescription: String { name }
  }

  static let rows = [
    Row(name: "head", condition: isPath("/kept")), Row(name: "body", condition: bodyContains("kept")),
    Row(name: "closure", condition: RequestMatcher("kept") { $0.url?.path == "/kept" }),
    Row(name: "closure of the body", condition: RequestMatcher("kept") { $0.stubBody == Data("kept".utf8) }),
    Row(name: "head and closure", condition: isMethod(.post) && { $0.url?.path == "/kept" }),
    Row(name: "not", condition: !isPath("/other")),
  ]

  enum TaskKind: CaseIterable { case data, upload, download }

  private func send(_ path: String, by kind: TaskKind = .data) async throws -> String {
    var request = request(server.url(path), method: "POST", timeout: 3_600)
    let body = Data(path.dropFirst().utf8)
    switch kind {
    case .data:
      request.httpBody = body
      return try await URLSession.patient.fetch(request).text
    case .upload:
      return try await URLSession.patient.upload(for: request, from: body).0.text
    case .download:
      request.httpBody = body
      let (file, _) = try await URLSession.patient.download(for: request)
      defer { try? FileManager.default.removeItem(at: file) }
      return try Data(contentsOf: file).text
    }
  }

  @Test(
    "records only the requests that meet it, and plays only these", arguments: rows, TaskKind.allCases)
  func recordsAndPlays(row: Row, kind: TaskKind) async throws {
    try await folder.with {
      for mode in [RecordingMode.all, .replay] {
        try await withStubs {
          HTTPStubs.unmatched = .passThrough
          try await withRecording(recording(row.condition, mode)) {
            let answer1 = try await send("/kept", by: kind)
            #expect(answer1 == "real POST /kept", "\(mode)")
            let answer2 = try await send("/other", by: kind)
            #expect(answer2 == "real POST /other", "\(mode)")
          }
        }
      }
    }
    #expect(try paths() == ["/kept"])
    #expect(server.requests == ["POST /kept", "POST /other", "POST /other"])
  }

  /// What a request that the recording doesn't have meets.
  struct Other: Sendable, CustomTestStringConvertible {
    let name: String
    let policy: UnmatchedPolicy
    let answer: String?
    var testDescription: String { name }
  }

  static let policies = [
    Other(name: "fail", policy: .fail, answer: nil),
    Other(name: "passThrough", policy: .passThrough, answer: "real POST /other"),
    Other(name: "passThrough(when:) elsewhere", policy: .passThrough(when: isPath("/none")), answer: nil),
    Other(name: "respond", policy: .respond { _ in .text("policy") }, answer: "policy"),
  ]

  @Test(
    "leaves the other requests to the policy of the test",
    arguments: policies, [RecordingMode.replay, .once, .newEpisodes, .all, .live, .check])
  func policy(other: Other, mode: RecordingMode) async throws {
    try folder.write(entry(request(server.url("/kept").absoluteString, method: "POST", body: "kept"), "old"))
    await folder.with {
      await withStubs {
        HTTPStubs.unmatched = other.policy
        // A recording that fails to be written is another test's.
        _ = try? await withRecording(recording(isPath("/kept"), mode)) {
          let kept = try await send("/kept")
          #expect(["old", "real POST /kept"].contains(kept))
          let answer = try? await send("/other")
          #expect(answer == other.answer)
        }
      }
    }
  }

  @Test("has a policy of its own for its requests, and leaves the property of the test as it is")
  func property() async throws {
    try folder.write(entry("\(server.url("/kept"))", "old"))
    try await folder.with {
      try await withStubs {
        HTTPStubs.unmatched = .passThrough
        try await withRecording(recording(pathStartsWith("/kept"))) {
          let error = await URLSession.patient.failure(of: "\(server.url("/kept/new"))")
          let report = try #require(error as? UnmatchedRequestError).description
          // Only a request that the recording can have is added to it by recording again.
          #expect(report.contains("STUBKIT_RECORD=newEpisodes"), "\(report)")
          HTTPStubs.unmatched = .fail
          let other = await URLSession.patient.failure(of: "\(server.url("/other"))")
          let otherReport = try #require(other as? UnmatchedRequestError).description
          #expect(!otherReport.contains("STUBKIT_RECORD"), "\(otherReport)")
          HTTPStubs.unmatched = .respond { _ in .text("policy") }
          let answer3 = try await URLSession.patient.fetch("\(server.url("/other"))").text
          #expect(answer3 == "policy")
          #expect(await URLSession.patient.failure(of: "\(server.url("/kept/new"))") is UnmatchedRequestError)
        }
        let answer4 = try await URLSession.patient.fetch("\(server.url("/kept"))").text
        #expect(answer4 == "policy")
      }
    }
    #expect(server.requests == [])
  }

  @Test("doesn't record a request of a host that a stub lets through, if that doesn't meet it", arguments: rows)
  func letThrough(row: Row) async throws {
    try await folder.with {
      try await withStubs {
        stub(condition: isHost("127.0.0.1"), response: .passThrough)
        try await withRecording(recording(row.condition, .all)) {
          let answer5 = try await send("/kept")
          #expect(answer5 == "real POST /kept")
          let answer6 = try await send("/other")
          #expect(answer6 == "real POST /other")
        }
      }
    }
    #expect(try paths() == ["/kept"])
  }

  @Test("leaves the other requests to the recording around it", arguments: rows)
  func nested(row: Row) async throws {
    try await folder.with {
      try await withStubs {
        try await withRecording(folder.recording("all", .all)) {
          try await withRecording(recording(row.condition, .all)) {
            let answer7 = try await send("/kept")
            #expect(answer7 == "real POST /kept")
            let answer8 = try await send("/other")
            #expect(answer8 == "real POST /other")
          }
        }
      }
    }
    #expect(try paths() == ["/kept"])
    #expect(try paths("all") == ["/other"])
  }

  @Test("can be two, each of a host of its own, one inside of the other")
  func twoParts() async throws {
    try await folder.with {
      for mode in [RecordingMode.all, .replay] {
        try await withRecording(Recording("other", in: folder.url, mode: mode, where: isPath("/other"))) {
          try await withRecording(recording(isPath("/kept"), mode)) {
            let answer9 = try await send("/kept")
            #expect(answer9 == "real POST /kept")
            let answer10 = try await send("/other")
            #expect(answer10 == "real POST /other")
          }
        }
      }
    }
    #expect(try [paths(), paths("other")] == [["/kept"], ["/other"]])
    #expect(server.requests == ["POST /kept", "POST /other"])
  }

  @Test("judges each part of a test by the condition of that part, in one file")
  func parts() async throws {
    await folder.with {
      let errors = await TestVerdict().run(in: StubRegistry()) {
        for path in ["/kept", "/other"] {
          let condition = RequestMatcher("this part's") { $0.url?.path == path }
          _ = try? await withRecording(recording(condition, .all)) {
            for path in ["/kept", "/other"] { _ = try? await send(path) }
          }
        }
        return (nil, nil)
      }
      #expect(errors.isEmpty, "\(errors)")
    }
    #expect(try paths() == ["/kept", "/other"])
  }

  @Test("is met together with the condition of withRecording")
  func both() async throws {
    try await folder.with {
      try await withStubs {
        HTTPStubs.unmatched = .passThrough
        try await withRecording(recording(pathStartsWith("/kept"), .all), where: !isPath("/kept/not")) {
          for path in ["/kept", "/kept/not", "/other"] { _ = try await send(path) }
        }
        try await withRecording(folder.recording("second", .all), where: isPath("/other")) {
          for path in ["/kept", "/other"] { _ = try await send(path) }
        }
      }
    }
    #expect(try [paths(), paths("second")] == [["/kept"], ["/other"]])
  }

  @Test("applies to synchronous code, too")
  func synchronous() throws {
    try RecordingSurroundings.$current.withValue(folder.surroundings()) {
      try withRecording(folder.recording("users", .all), where: isPath("/kept")) {
        answerFromNetwork("http://a.example/kept", "kept")
        answerFromNetwork("http://a.example/other", "other")
      }
    }
    #expect(try paths() == ["/kept"])
  }

  @Test("compares only its own requests in the mode check")
  func check() async throws {
    try folder.write(entry("\(server.url("/kept"))", #"{"a": 1}"#))
    try await folder.with {
      try await withStubs {
        HTTPStubs.unmatched = .passThrough
        try await withRecording(recording(isPath("/kept"), .check)) {
          _ = try await URLSession.patient.fetch("\(server.url("/other"))")
        }
      }
    }
    #expect(folder.said == ["warning: users.har: no request asked for entry 1."])
  }

  @Test("adds only its own requests to a file, whose other entries stay and aren't played")
  func newEpisodes() async throws {
    try folder.write(entry("\(server.url("/other"))", "old"))
    try await folder.with {
      try await withStubs {
        HTTPStubs.unmatched = .passThrough
        try await withRecording(recording(isPath("/kept"), .newEpisodes)) {
          let answer11 = try await URLSession.patient.fetch("\(server.url("/other"))").text
          #expect(answer11 == "real GET /other")
          let answer12 = try await send("/kept")
          #expect(answer12 == "real POST /kept")
        }
      }
    }
    #expect(try paths() == ["/other", "/kept"])
  }

  @Test("runs its closures neither under a lock nor on a queue of URLSession, and once a request to judge it")
  func closures() async throws {
    let folder = folder
    try await folder.with {
      try await withStubs {
        let condition = RequestMatcher("asks the registry") { _ in
          // Under the registry's lock, or on a session's queue, this would never return.
          !StubRegistry.current.stubs.isEmpty
        }
        stub(condition: isPath("/none"), response: .ok)
        try await withRecording(recording(condition, .all)) { _ = try await send("/kept") }
      }
    }
    #expect(try paths() == ["/kept"])
  }

  @Test("that no request can meet is an error that says what to write, and so is a time below a day")
  func mistakes() async throws {
    let slip = recording(isHost("https://api.example.com"))
    let error = await folder.error(of: slip)
    #expect(error?.reason == .invalidPart)
    let text = error?.description ?? ""
    #expect(
      text.hasPrefix(#"The recording "users": "#) && text.contains("write the host alone"), "\(text)")
    // The cure.
    try folder.write(entry("https://api.example.com", "old"))
    #expect(await folder.error(of: recording(isHost("api.example.com"))) == nil)
    for days in [0, -1, Int.min] {
      let error = await folder.error(of: Recording("users", in: folder.url, expires: .days(days)))
      #expect(error?.reason == .invalidPart)
      let cure = "expires: .days(\(days)) is no time. Write .days(1) or more, or leave expires: out."
      #expect(error?.description == #"The recording "users": \#(cure)"#)
    }
    #expect(await folder.error(of: Recording("users", in: folder.url, expires: .days(1))) == nil)
  }
}

private let place = temporaryPlace()

/// Writes the file that the test plays, and removes it afterwards.
private struct Written: TestTrait, TestScoping {
  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    defer { removePlace(place) }
    try HTTPArchive(entries: [entry("http://a.example/kept", "old"), entry("http://a.example/other", "old")])
      .write(to: place.appendingPathComponent("users.har"))
    try await function()
  }
}

@Suite("A recorded test with a condition", .inTurn, .serialized)
struct RecordedWhereTests {
  @Test(
    "plays only the requests that meet it", Written(), .stubbed, .recorded("users", in: place, where: isPath("/kept")))
  func plays() async throws {
    stub(condition: .anything, response: .text("mine"), priority: -1)
    let answer13 = try await URLSession.patient.fetch("http://a.example/kept").text
    #expect(answer13 == "old")
    let answer14 = try await URLSession.patient.fetch("http://a.example/other").text
    #expect(answer14 == "mine")
  }
}
