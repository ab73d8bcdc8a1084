import Foundation
import TestSupport
import Testing

@testable import StubKitTesting
@testable import StubKitTranscripts

/// What became of a test with a transcript: its issues, and what was said.
private struct Run {
  var issues: [String] = []
  var said: [String] = []
}

/// Runs a body as a test whose transcript is in a folder.
private func run(
  _ name: String = "UserTests.loads", in folder: TestFolder, mode: String? = nil, order: RequestOrder = .perURL,
  after seconds: TimeInterval = 0, everyRequest: RequestMatcher? = nil,
  _ body: @escaping @Sendable () async throws -> Void
) async -> Run {
  let file = TranscriptFile(
    Transcript(order: order, in: folder.url), of: CaseOfTest(name.components(separatedBy: ".")), filePath: #filePath)
  let said = Locked<[String]>([])
  let findings = await TranscriptFiles.$mode.withValue(mode) {
    let scope = TestScope(ScopeOptions(everyRequest: everyRequest), of: name, check: file)
    return await TranscriptFiles.$say.withValue({ text in said.withLock { $0.append(text) } }) {
      await TranscriptFiles.$timePassed.withValue(seconds) {
        await scope.run {
          stub(condition: isHost("a.example"), response: .text("stubbed"))
          try await body()
        }.findings
      }
    }
  }
  return Run(
    issues: findings.filter { !$0.isNote }.map { $0.description.replacing(folder.url.path, with: "FOLDER") },
    said: said.withLock(\.self).map { $0.replacing(folder.url.path, with: "FOLDER") })
}

private let folder = temporaryPlace()

/// Writes the transcripts of a test of `Traits` before it runs, and takes the issue that it is to have.
private struct Given: TestTrait, TestScoping {
  /// The transcripts by the name of their test's function, and that of its case.
  var transcripts: [String: String] = [:]
  var issue: String?

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (name, text) in transcripts {
      let file = folder.appendingPathComponent("TranscribedTraitTests.Traits.\(name).http")
      // Another case reads it meanwhile.
      try Data(text.utf8).write(to: file, options: .atomic)
    }
    guard let issue else { return try await function() }
    let (_, issues) = await takingIssues(function)
    let failures = issues.map(\.text)
    #expect(failures.contains { $0.contains(issue) }, "\(failures)")
  }
}

@Suite("A test with a transcript", .inTurn)
struct TranscribedTraitTests {
  /// The real traits, in each order.
  @Suite("of the trait .transcribed", .inTurn)
  struct Traits {
    private func load(_ path: Int) async throws {
      stub(condition: isHost("a.example"), response: .text("stubbed"))
      _ = try await send("http://a.example/\(path)")
    }

    @Test(
      "passes behind .stubbed", Given(transcripts: ["passes": "GET http://a.example/1\n"]), .stubbed,
      .transcribed(in: folder))
    func passes() async throws { try await load(1) }

    @Test(
      "passes in front of .stubbed", Given(transcripts: ["isOutside": "GET http://a.example/1\n"]),
      .transcribed(in: folder), .stubbed)
    func isOutside() async throws { try await load(1) }

    @Test(
      "has a scope without .stubbed", Given(transcripts: ["hasNoScope": "GET http://a.example/1\n"]),
      .transcribed(in: folder))
    func hasNoScope() async throws { try await load(1) }

    @Test(
      "takes the innermost trait", Given(transcripts: ["isInnermost": "GET http://a.example/1\n"]), .stubbed,
      .transcribed(in: temporaryPlace()), .transcribed(in: folder))
    func isInnermost() async throws { try await load(1) }

    @Test(
      "fails at its end if its requests differ from the transcript",
      Given(
        transcripts: ["fails": "GET http://a.example/2\n"],
        issue: "differ from \(folder.lastPathComponent)/TranscribedTraitTests.Traits.fails.http in 1 of 1"),
      .stubbed, .transcribed(in: folder))
    func fails() async throws { try await load(1) }

    @Test(
      "fails without a file if it makes a request", Given(issue: "The test has no transcript, and made 1 request."),
      .stubbed,
      .transcribed(in: folder))
    func hasNoFile() async throws { try await load(1) }

    @Test("needs no file if it makes no request", .stubbed, .transcribed(in: folder)) func makesNone() {}

    @Test(
      "has a file for each case",
      Given(transcripts: ["hasCases.1": "GET http://a.example/1\n", "hasCases.2": "GET http://a.example/2\n"]),
      .stubbed, .transcribed(in: folder), arguments: [1, 2])
    func hasCases(number: Int) async throws { try await load(number) }

    @Test(
      "has a file for each case, named for both parameters",
      Given(issue: "hasTwoParameters.1,a-b~"), .stubbed, .transcribed(in: folder), arguments: [(1, "a/b")])
    func hasTwoParameters(number: Int, text: String) async throws { try await load(1) }
  }

  @Test("that throws an error is compared, too")
  func throwing() async throws {
    let folder = try TestFolder()
    try folder.write("GET http://a.example/2", to: "UserTests.loads.http")
    let run = await run(in: folder) {
      _ = try await send("http://a.example/1")
      throw URLError(.badURL)
    }
    #expect(run.issues.count == 1 && run.issues[0].hasPrefix("The requests differ from"), "\(run)")
  }

  /// A client that makes a POST with another id in each run, and asks for the same three times.
  private static let fourRequests: @Sendable () async throws -> Void = {
    _ = try await send("http://a.example/1?id=\(UUID().uuidString)", method: "POST", body: "{\"a\": [1]}")
    for _ in 0..<3 { _ = try await send("http://a.example/2") }
  }

  /// Writes the transcript twice, with a minute in between.
  private func twoRuns(in folder: TestFolder) async -> [Run] {
    [
      await run(in: folder, mode: "write", Self.fourRequests),
      await run(in: folder, mode: "write", after: 60, Self.fourRequests),
    ]
  }

  @Test("says how many requests it made if there is no transcript, and how to write it, and writes nothing itself")
  func missing() async throws {
    let folder = try TestFolder()
    let run = await run(in: folder, Self.fourRequests)
    #expect(
      run.issues == [
        "The test has no transcript, and made 4 requests. There is no file FOLDER/UserTests.loads.http. To write it, run\n"
          + "    STUBKIT_TRANSCRIPTS=write swift test --filter UserTests/loads"
      ])
    #expect(folder.names == [])
  }

  @Test("writes its transcript in one run, and passes in the next one")
  func writing() async throws {
    let folder = try TestFolder()
    let first = await run(in: folder, mode: "write", Self.fourRequests)
    #expect(first.issues == [])
    #expect(
      first.said == [
        "wrote FOLDER/UserTests.loads.http: 4 requests\nWrite it a second time, so that it knows what differs from run to run."
      ])
    #expect(await run(in: folder, Self.fourRequests).issues == [])
  }

  @Test("that is written in two runs has placeholders for what differed, and counts equal requests")
  func writtenTwice() async throws {
    let folder = try TestFolder()
    #expect(await twoRuns(in: folder).flatMap(\.issues) == [])
    #expect(
      try String(contentsOf: folder.file("UserTests.loads.http"), encoding: .utf8) == """
        POST http://a.example/1?id={{uuid1}}
        Content-Type: application/x-www-form-urlencoded

        {
          "a": [
            1
          ]
        }

        ### ×3
        GET http://a.example/2

        """)
  }

  @Test("that is written a third time has nothing new to say, and passes")
  func writtenThrice() async throws {
    let folder = try TestFolder()
    #expect(await twoRuns(in: folder).flatMap(\.issues) == [])
    let third = await run(in: folder, mode: "write", after: 120, Self.fourRequests)
    #expect(third.issues + third.said == [])
    #expect(await run(in: folder, Self.fourRequests).issues == [])
  }

  @Test("fails if its requests differ from the transcript, with what differs and how to write it anew")
  func different() async throws {
    let folder = try TestFolder()
    #expect(await twoRuns(in: folder).flatMap(\.issues) == [])
    let run = await run(in: folder) {
      _ = try await send("http://a.example/1?id=\(UUID().uuidString)", method: "POST", body: "{\"a\": [2]}")
      for _ in 0..<2 { _ = try await send("http://a.example/2") }
    }
    let text = run.issues.first?.replacing(/id=[0-9A-F-]{36}/, with: "id=…")
    #expect(
      text == """
        The requests differ from \(folder.url.lastPathComponent)/UserTests.loads.http in 2 of 4:
          POST http://a.example/1?id=…
        - body.a[0]: 1
        + body.a[0]: 2
        - GET http://a.example/2   was not made
          … 2 as expected
        If this is right, write FOLDER/UserTests.loads.http anew: STUBKIT_TRANSCRIPTS=write swift test --filter UserTests/loads
        """)
  }

  @Test("that is written over says what differs from the earlier text")
  func writtenOver() async throws {
    let folder = try TestFolder()
    #expect(await twoRuns(in: folder).flatMap(\.issues) == [])
    let anew = await run(in: folder, mode: "write", after: 120) { _ = try await send("http://a.example/2") }
    #expect(anew.issues == [])
    #expect(
      anew.said.map { $0.split(separator: "\n").prefix(2).joined(separator: "\n") } == [
        "wrote FOLDER/UserTests.loads.http: 1 request\nThe requests differ from its earlier text in 3 of 4:"
      ])
    let text = try String(contentsOf: folder.file("UserTests.loads.http"), encoding: .utf8)
    #expect(text.hasPrefix(RunNote.once) && text.hasSuffix("Z\nGET http://a.example/2\n"), "\(text)")
  }

  @Test(
    "leaves its file as it is if it fails for another reason, and says so", arguments: [nil, "GET http://a.example/2"])
  func failing(earlier: String?) async throws {
    let folder = try TestFolder()
    if let earlier { try folder.write(earlier, to: "UserTests.loads.http") }
    let run = await run(in: folder, mode: "write") {
      _ = try? await send("http://b.example/1")
    }
    #expect(run.issues.count == 1 && run.issues[0].hasPrefix("No stub matches"), "\(run)")
    #expect(
      run.said.contains { $0.hasSuffix("/UserTests.loads.http was not written, because its test failed.") }, "\(run)")
    #expect(folder.names == (earlier == nil ? [] : ["UserTests.loads.http"]))
    if let earlier {
      #expect(try String(contentsOf: folder.file("UserTests.loads.http"), encoding: .utf8) == earlier)
    }
  }

  @Test("writes a file without requests if it makes none any more")
  func noRequests() async throws {
    let folder = try TestFolder()
    try folder.write("GET http://a.example/2", to: "UserTests.loads.http")
    #expect(await run(in: folder) {}.issues.count == 1)
    #expect(await run(in: folder, mode: "write") {}.issues == [])
    #expect(await run(in: folder) {}.issues == [])
  }

  @Test("fails if STUBKIT_TRANSCRIPTS is a word that is unknown")
  func unknownMode() async throws {
    let folder = try TestFolder()
    #expect(
      await run(in: folder, mode: "wirte") {}.issues == [
        "STUBKIT_TRANSCRIPTS=wirte is unknown. Write STUBKIT_TRANSCRIPTS=write."
      ])
  }

  /// Files that can't be read, and what the issue says of them. TranscriptTextTests have all that can be wrong.
  private static let unreadable: [(Data, String)] = [
    (Data("GET http://a.example/{{".utf8), "line 1: expected }} after {{. Two braces themselves are {{\\x7b}}{."),
    (Data("GET http://a.example/\nA: {{a:[0-9]}}".utf8), "line 2: [0-9] is no kind of value. Write one of uuid, "),
    (Data("GTE".utf8), "line 1: expected a method and a URL"),
    (Data("GET http://a.example/\nA: ".utf8) + [0xE9], "line 2: expected UTF-8."),
  ]

  @Test("names the place in a file that can't be read, and writes it anew where it is asked to", arguments: unreadable)
  func mistakes(file: Data, problem: String) async throws {
    let folder = try TestFolder()
    try file.write(to: folder.file("UserTests.loads.http"))
    let issues = await run(in: folder) {}.issues
    #expect(issues.count == 1, "\(issues)")
    #expect(
      issues.first?.hasPrefix("The transcript can't be read: FOLDER/UserTests.loads.http, \(problem)") == true,
      "\(issues)")
    #expect(
      issues.first?.hasSuffix(
        "\nFix it, or write it anew: STUBKIT_TRANSCRIPTS=write swift test --filter UserTests/loads") == true)
    #expect(await run(in: folder, mode: "write") {}.issues == [])
    #expect(await run(in: folder) {}.issues == [])
  }

  @Test("leaves out of its transcript a header whose value every request must have")
  func everyRequest() async throws {
    let folder = try TestFolder()
    let condition =
      hasHeader("Accept-Language", "de-CH") && hasHeader("X-Two") && (hasHeader("A", "1") || hasHeader("B", "1"))
    let body: @Sendable (String) async throws -> Void = { language in
      let headers = ["Accept-Language": language, "X-Two": "2", "A": "1"]
      _ = try await URLSession.shared.data(for: request("http://a.example/1", headers: headers))
    }
    let first = await run(in: folder, mode: "write", everyRequest: condition) { try await body("de-CH") }
    #expect(first.issues == [])
    #expect(
      try String(contentsOf: folder.file("UserTests.loads.http"), encoding: .utf8)
        .hasSuffix("Z\nGET http://a.example/1\nA: 1\nX-Two: 2\n"))
    #expect(await run(in: folder, everyRequest: condition) { try await body("de-CH") }.issues == [])
    // It has what it must have, and something else.
    let other = await run(in: folder, everyRequest: condition) { try await body("de-CH, fr") }
    #expect(other.issues.count == 1 && other.issues[0].contains("+ Accept-Language: de-CH, fr"), "\(other)")
  }

  @Test("passes in each of twenty runs of a client that makes its requests at the same time")
  func concurrent() async throws {
    let folder = try TestFolder()
    let body: @Sendable () async throws -> Void = {
      stub(condition: isPath("/token"), response: .json(["token": "t"]))
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<12 {
          group.addTask {
            _ = try await send("http://a.example/token")
            let id = UUID().uuidString
            _ = try await send("http://a.example/items/\(id)?n=\(number)", method: "PUT", body: "{\"n\": \(number)}")
            _ = try await send("http://a.example/items/\(id)")
          }
        }
        try await group.waitForAll()
      }
    }
    var issues: [String] = []
    for number in 0..<2 { issues += await run(in: folder, mode: "write", after: Double(number) * 60, body).issues }
    for number in 0..<20 { issues += await run(in: folder, after: Double(number) * 90_000, body).issues }
    #expect(issues == [])
  }

  @Test("writes through a symbolic link, and leaves it one", arguments: [true, false])
  func link(exists: Bool) async throws {
    let folder = try TestFolder()
    let shared = try TestFolder()
    if exists { try shared.write("GET http://a.example/9\n", to: "shared.http") }
    let link = folder.file("UserTests.loads.http").path
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: shared.file("shared.http").path)
    #expect(await run(in: folder, mode: "write", Self.fourRequests).issues == [])
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == shared.file("shared.http").path)
    #expect(try String(contentsOf: shared.file("shared.http"), encoding: .utf8).contains("GET http://a.example/2\n"))
  }

  @Test("says when a value differs that one run has written, and that a second run knows what differs")
  func differsAfterOneRun() async throws {
    let folder = try TestFolder()
    let body: @Sendable () async throws -> Void = {
      _ = try await URLSession.shared.data(
        for: request("http://a.example/1", headers: ["X-Trace": "\(Int.random(in: 0...Int.max))"]))
    }
    #expect(await run(in: folder, mode: "write", body).issues == [])
    let issue = try #require(await run(in: folder, after: 60, body).issues.first)
    #expect(
      issue.hasSuffix(
        "One run has written FOLDER/UserTests.loads.http. If these values differ from run to run, write it a second time: "
          + "STUBKIT_TRANSCRIPTS=write swift test --filter UserTests/loads"), "\(issue)")
    let second = await run(in: folder, mode: "write", after: 60, body)
    #expect(second.issues == [] && second.said.first?.contains("- X-Trace: ") == true)
    #expect(await run(in: folder, after: 90_000, body).issues == [])
  }

  @Test("adds the times of a manual clock to a file that has none")
  func manualClock() async throws {
    let folder = try TestFolder()
    try folder.write("GET http://a.example/2\n", to: "UserTests.loads.http")
    let body: @Sendable () async throws -> Void = {
      HTTPStubs.clock = ManualClock()
      _ = try await send("http://a.example/2")
    }
    #expect(await run(in: folder, body).issues == [])
    #expect(await run(in: folder, mode: "write", body).issues == [])
    #expect(
      try String(contentsOf: folder.file("UserTests.loads.http"), encoding: .utf8).contains(
        "# at 0s\nGET http://a.example/2\n"))
  }

  @Test("fails if another test has its file, or if an argument says nothing about itself")
  func names() async throws {
    let folder = try TestFolder()
    func issue(_ testCase: CaseOfTest) async -> String? {
      await TestScope(
        ScopeOptions(), of: "UserTests",
        check: TranscriptFile(Transcript(in: folder.url), of: testCase, filePath: #filePath)
      ).run {
        stub(condition: isHost("a.example"), response: .ok)
        _ = try await send("http://a.example/1")
      }.findings.first { !$0.isNote }?.description
    }
    #expect(await issue(CaseOfTest(["A", "loads"], at: "A.swift:3"))?.hasPrefix("The test has no transcript") == true)
    #expect(
      await issue(CaseOfTest(["A", "loads"], at: "B.swift:7"))?.hasPrefix(
        "A/loads at B.swift:7 and A/loads at A.swift:3 have the same file, \(folder.url.path)/A.loads.http. Rename a test,"
      ) == true)
    #expect(
      await issue(CaseOfTest(["A", "saves"], ["a", nil]))?.hasPrefix(
        "Nothing names the file of a case of A/saves, because an argument doesn't describe itself.") == true)
  }

  @Test("names the files of tests and cases that are gone")
  func leftovers() throws {
    let sources = try TestFolder()
    try sources.write(
      """
      struct UserTests {
        @Test func loads() {}
        @Test func `is fast`() {}
        struct Inner { @Test(arguments: [1]) func saves(number: Int) {} }
      }
      """, to: "UserTests.swift")
    let requests = sources.file("Requests")
    try FileManager.default.createDirectory(at: requests, withIntermediateDirectories: true)
    let names = [
      "UserTests.loads", "UserTests.is fast", "UserTests.Inner.saves.1", "UserTests.Inner.saves.2", "UserTests.gone",
      "OldTests.loads",
    ]
    for name in names { try sources.write("", to: "Requests/\(name).http") }
    func file(_ names: String..., arguments: [String]? = nil) -> TranscriptFile {
      TranscriptFile(
        Transcript(), of: CaseOfTest(names, arguments), filePath: sources.file("UserTests.swift").path)
    }
    func leftovers(_ files: TranscriptFile...) -> [String] {
      TranscriptFiles.leftovers(besides: files).map { $0.deletingPathExtension().lastPathComponent }
    }
    #expect(leftovers() == [])
    // Of a run of one test.
    #expect(leftovers(file("UserTests", "loads")) == ["OldTests.loads", "UserTests.gone"])
    #expect(
      leftovers(file("UserTests", "Inner", "saves", arguments: ["1"]))
        == ["OldTests.loads", "UserTests.Inner.saves.2", "UserTests.gone"])
  }
}
