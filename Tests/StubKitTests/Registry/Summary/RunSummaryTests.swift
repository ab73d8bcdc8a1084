import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("The summary of a run", .inTurn)
struct RunSummaryTests {
  private static func recorded(_ method: String, _ address: String, _ outcome: RecordedRequest.Outcome)
    -> RecordedRequest
  {
    RecordedRequest(request: request(address, method: method), isUnscoped: false, startedAt: Date(), outcome: outcome)
  }

  private static func summary(
    _ requests: [(String, String, RecordedRequest.Outcome, RunSummary.Note?)]
  ) -> RunSummary {
    var summary = RunSummary()
    for (method, address, outcome, note) in requests { summary.add(recorded(method, address, outcome), note) }
    return summary
  }

  private static let example = summary([
    ("GET", "https://api.example.com/users/42?page=2", .answered(status: 200), nil),
    ("GET", "https://api.example.com/users/43", .answered(status: 200), nil),
    (
      "GET", "https://api.example.com/users/44", .answered(status: 404),
      .init(faults: ["404 Not Found"])
    ),
    ("GET", "https://api.example.com/users/45", .answered(status: 503), nil),
    ("GET", "https://api.example.com/users/45", .failed(URLError(.timedOut)), nil),
    ("POST", "https://api.example.com/login", .answered(status: 201), nil),
    ("GET", "https://api.example.com/login", .failed(URLError(.networkConnectionLost)), nil),
    ("DELETE", "http://a.example:8080", .cancelled, nil), ("GET", "http://a.example", .passedThrough, nil),
  ])

  @Test("is a table of endpoints, and of those that never saw a 4xx, a 5xx or a failure")
  func text() {
    let lines = """
      Summary of 9 requests to 5 endpoints
        requests  endpoint                                answers                     faults
               1  GET http://a.example/                   passed through
               1  DELETE http://a.example:8080/           cancelled
               1  GET https://api.example.com/login       networkConnectionLost
               1  POST https://api.example.com/login      201
               5  GET https://api.example.com/users/{id}  200 ×2, 404, 503, timedOut  404 Not Found
      Never tried:
        GET http://a.example/: no 4xx, no 5xx, no failure
        DELETE http://a.example:8080/: no 4xx, no 5xx, no failure
        GET https://api.example.com/login: no 4xx, no 5xx
        POST https://api.example.com/login: no 4xx, no 5xx, no failure
      """
    #expect(Self.example.text == lines, "\(Self.example.text)")
  }

  @Test("is Markdown in a file, with a comment by which another process of the run adds to it")
  func markdown() throws {
    let folder = try TestFolder()
    let file = folder.url.appendingPathComponent("summary.md")
    try Self.example.writeSummary(to: file, run: 7)
    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(text.hasPrefix("# 9 requests to 5 endpoints\n\n| Requests | Endpoint | Answers | Faults |\n"))
    #expect(
      text.contains("| 5 | `GET https://api.example.com/users/{id}` | 200 ×2, 404, 503, timedOut | 404 Not Found |"))
    #expect(text.contains("| `GET https://api.example.com/login` | no 4xx, no 5xx |"))
    #expect(RunSummary(writtenIn: text, run: 7) == Self.example)
    #expect(RunSummary(writtenIn: text, run: 8) == nil)
    let other = Self.summary([
      ("POST", "https://api.example.com/login", .answered(status: 422), .init(faults: ["a -- b | c"])),
      ("GET", "https://api.example.com/new", .answered(status: 200), nil),
    ])
    try other.writeSummary(to: file, run: 7)
    let whole = try #require(RunSummary(writtenIn: try String(contentsOf: file, encoding: .utf8), run: 7))
    #expect(whole.rows.count == 6)
    #expect(whole.rows["POST https://api.example.com/login"]?.answers == ["201": 1, "422": 1])
    #expect(whole.rows["POST https://api.example.com/login"]?.faults == ["a -- b | c": 1])
    // Another run replaces it.
    try other.writeSummary(to: file, run: 8)
    #expect(RunSummary(writtenIn: try String(contentsOf: file, encoding: .utf8), run: 8) == other)
  }

  @Test("has at most 2,000 rows, and says that there are more", arguments: [1_999, 2_000, 2_001, 5_000])
  func bound(count: Int) {
    let names = (0..<count).map { number in
      String(number, radix: 26).map { String(UnicodeScalar($0.hexDigitValue.map { UInt8(97 + $0) } ?? $0.asciiValue!)) }
        .joined()
    }
    let summary = Self.summary(names.map { ("GET", "http://a.example/x\($0)", .answered(status: 200), nil) })
    let rest = max(0, Set(names).count - RunSummary.mostRows)
    #expect(summary.rows.count == min(Set(names).count, RunSummary.mostRows))
    #expect(summary.otherCount >= rest)
    let last = "  and more: \(summary.otherCount.requests) to further endpoints"
    #expect(summary.text.contains(last) == (summary.otherCount > 0))
  }

  /// The path of a request, and its part of the name.
  static let shapes = [
    ("/users/42", "/users/{id}"), ("/users/42/", "/users/{id}/"), ("/v1/users", "/v1/users"), ("/", "/"),
    ("/users/6ba7b810-9dad-11d1-80b4-00c04fd430c8/posts", "/users/{id}/posts"), ("/files/42.json", "/files/{id}.json"),
    ("/customers/cus_9s6XKzkNRiz8i3", "/customers/{id}"), ("/ids/01ARZ3NDEKTSV4RRFFQ69G5FAV", "/ids/{id}"),
    ("/commits/9fceb02d0ae598e95dc970b74767f19372d61af8", "/commits/{id}"), ("/days/2026-01-31", "/days/{id}"),
    ("/oauth2/token", "/oauth2/token"), ("/release-candidate-12", "/release-candidate-12"), ("/users/me", "/users/me"),
    ("/images/photo.png", "/images/photo.png"), ("/a.b.c/d", "/a.b.c/d"), ("/facade/decade", "/facade/decade"),
  ]

  @Test("has numbers and identifiers of a path as {id}", arguments: shapes)
  func shape(path: String, shape: String) {
    #expect(EndpointName.shape(of: path) == shape)
    #expect(EndpointName(request("https://a.example\(path)?b=1#c"), nil).text == "GET https://a.example\(shape)")
  }

  /// A condition, and the rest of the name of a request to /users/42 that it answers.
  static let patterns: [(RequestMatcher, String)] = [
    (isPath(template: "/users/{user}"), "/users/{user}"),
    (isHost("a.example") && isPath(template: "/{kind}/{user:[0-9]+}"), "/{kind}/{user:[0-9]+}"),
    (pathMatches("^/users/[0-9]+$"), #" pathMatches("^/users/[0-9]+$")"#), (isPath("/users/42"), "/users/{id}"),
    (isPath("/users/42") || isPath(template: "/{a}/{b}"), "/users/{id}"), (!isPath("/"), "/users/{id}"),
    (RequestMatcher("any") { _ in true }, "/users/{id}"), (pathStartsWith("/users"), "/users/{id}"),
  ]

  @Test("has the template or the pattern of the stub as it is written", arguments: patterns.indices)
  func pattern(number: Int) {
    let (condition, rest) = Self.patterns[number]
    let name = EndpointName(request("https://a.example/users/42"), condition.endpointPattern).text
    #expect(name == "GET https://a.example\(rest)")
  }

  @Test("counts no error of StubKit's own as a failure that a test tries")
  func ownErrors() {
    let error = StubResponseError(stub: nil, reason: .invalidStatus(42))
    let summary = Self.summary([
      ("GET", "http://a.example/a", .failed(error), nil),
      ("GET", "http://a.example/b", .failed(CocoaError(.fileNoSuchFile)), nil),
    ])
    #expect(summary.rows["GET http://a.example/a"]?.untried == ["no 4xx", "no 5xx", "no failure"])
    #expect(summary.rows["GET http://a.example/b"]?.untried == ["no 4xx", "no 5xx"])
  }
}

/// Its requests are those of a process of its own, whose summary `RunSummaryProcessTests` reads.
@Suite("Requests for a summary", .inTurn)
struct RequestsForSummaryTests {
  @Test("are made by data, upload and download tasks")
  func make() async throws {
    try await withStubs {
      stub(.get, "https://api.example.com/summarized/{name}", response: .json([]))
      stub(.post, "https://api.example.com/summarized", response: .json([]).suffering(.once(.named("404 Not Found"))))
      stub(.get, "https://api.example.com/film", response: .failure(.timedOut))
      let session = URLSession.patient
      for name in ["ann", "ben"] { _ = try await session.fetch("https://api.example.com/summarized/\(name)") }
      let post = request("https://api.example.com/summarized", method: "POST")
      for _ in 1...2 { _ = try await session.upload(for: post, from: Data("a".utf8)) }
      _ = try? await session.download(from: url("https://api.example.com/film"))
      _ = await session.failure(of: "https://api.example.com/none/42")
    }
  }
}

#if os(Linux)
  @Suite("The summary of a process", .inTurn)
  struct RunSummaryProcessTests {
    private static let lines = [
      "1  GET https://api.example.com/film  timedOut", "1  GET https://api.example.com/none/{id}  unmatched",
      "2  POST https://api.example.com/summarized  200, 404  once: 404 Not Found",
      "2  GET https://api.example.com/summarized/{name}  200 ×2", "Never tried:",
    ]

    private static func run(_ setting: String) async throws -> String {
      let executable = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
      return try #require(
        await ChildProcess.run(
          "env", [executable, "--testing-library", "swift-testing", "--filter", "RequestsForSummaryTests"],
          environment: ["STUBKIT_SUMMARY": setting]))
    }

    @Test("is printed at its end, with STUBKIT_SUMMARY=1")
    func printed() async throws {
      let printed = try await Self.run("1")
      let start = try #require(printed.range(of: "StubKit: Summary of 6 requests to 4 endpoints\n"), "\(printed)")
      let lines = printed[start.upperBound...].split(separator: "\n").map { line in
        line.split(separator: "  ").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
          .joined(separator: "  ")
      }
      for line in Self.lines { #expect(lines.contains(line), "\(line): \(printed)") }
    }

    @Test("is a file of Markdown, with a path")
    func written() async throws {
      let folder = try TestFolder()
      let file = folder.url.appendingPathComponent("summary.md")
      // Two processes of one run, as those of XCTest and Swift Testing.
      for _ in 1...2 { #expect(!(try await Self.run(file.path)).contains("Summary of")) }
      let text = try String(contentsOf: file, encoding: .utf8)
      #expect(text.hasPrefix("# 12 requests to 4 endpoints\n"), "\(text)")
      #expect(text.contains("| 4 | `GET https://api.example.com/summarized/{name}` | 200 ×4 |"), "\(text)")
      let printed = try await Self.run(folder.url.path)
      #expect(printed.contains("StubKit: STUBKIT_SUMMARY=\(folder.url.path) can't be written: "), "\(printed)")
      #expect(printed.contains("\nSummary of 6 requests to 4 endpoints\n"))
    }
  }
#endif
