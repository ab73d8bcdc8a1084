import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("The report of an unmatched request", .inTurn)
struct UnmatchedReportTests {
  private let registry = StubRegistry()

  /// As if nobody else had a scope open.
  private func error(_ request: URLRequest, scopes: OpenScopes = OpenScopes()) -> UnmatchedRequestError {
    UnmatchedRequestError(RequestFacts(request), in: registry, scopes: scopes)
  }

  /// Replaces the registry's stubs by one for each condition, with its number as its line.
  @discardableResult
  private func add(_ conditions: [RequestMatcher], name: String? = nil, times: Int? = nil) -> [Stub] {
    registry.removeAll()
    return conditions.enumerated().map { index, condition in
      stub(
        condition: condition, response: .status(204), name: name, times: times, in: registry,
        fileID: "App/A.swift", line: UInt(index + 1))
    }
  }

  @Test(
    "names a stub with another JSON value before one with another method",
    arguments: [
      (#"{"n": 4}"#, hasJSONBody(["n": 3])), (#"{"n": "3"}"#, hasJSONBody(["n": 3])),
      (#"{"n": 4, "m": 1}"#, hasJSONBody(containing: ["n": 3])), (#"{"a": {"n": 4}}"#, hasJSON(at: "a.n", equals: 3)),
      ("[4]", hasJSONBody([3])), ("4", hasJSON(at: "", equals: 3)),
    ] as [(String, RequestMatcher)])
  func otherValue(body: String, condition: RequestMatcher) {
    let stubs = add([
      isMethod(.post) && isPath("/n") && condition, isMethod(.put) && isPath("/n") && hasHeader("X-Key", "1"),
      isMethod(.put) && isPath("/n"),
    ])
    var request = post(body)
    request.url = url("http://a.example/n")
    #expect(error(request).nearest.first?.stub === stubs[0], "\(error(request))")
  }

  @Test("names a stub with another method before one whose JSON has other members")
  func otherShape() {
    let stubs = add([hasJSONBody(["n": 3]), isMethod(.put)])
    for body in ["{}", #"{"m": 3}"#, "[]", #"{"n": {"m": 3}}"#] {
      #expect(error(post(body)).nearest.first?.stub === stubs[1], "\(body)")
    }
  }

  /// The host in a condition, for a request to `api.example.com`, and what the report advises.
  private static let hosts = [
    ("api.exampel.com", fix), ("api.example.co", fix), ("api.examples.com", fix), ("API.example.con", fix),
    ("cdn.example.com", passThrough), ("example.com", passThrough), ("api.other.org", passThrough),
  ]
  private static let fix = "Register a stub for it, or fix the request or the stub."
  private static let passThrough =
    "Register a stub for it, or let it reach the network with HTTPStubs.unmatched = .passThrough."

  @Test("advises a fix if the hosts differ in a letter or two, and otherwise the network", arguments: hosts)
  func advice(host: String, advice: String) {
    for condition in [isHost(host), isURL("https://\(host)/users"), .absoluteURL("https://\(host)/users")] {
      add([condition])
      let report = error(request("https://api.example.com/users")).description
      // The last line names a guide.
      #expect(report.split(separator: "\n").dropLast().last == Substring(advice), "\(condition)")
    }
  }

  /// The reports are in `Fixtures/unmatched-reports.txt`.
  @Test("names the nearest stubs, what differs, and what to do")
  func texts() throws {
    let (user, users) = (request("https://api.example.com/users/43"), request("http://a.example/users"))
    var login = post(#"{"user": {"address": [{"zip": "1020"}], "nme": "Ann"}}"#)
    login.setValue("k", forHTTPHeaderField: "X-Api-Kye")
    var texts = [error(users).description]
    for (request, conditions) in [
      (
        user,
        [
          isHost("cdn.example.com"), isHost("elsewhere.org") && isPath("/"), isMethod(.post) && isPath("/login"),
          isHost("api.example.com") && isPath("/users/42"),
        ]
      ), (request("http://a.example/user"), Array(repeating: isPath("/users"), count: 4)),
      (
        login,
        [
          isPath("/") && hasJSONBody(["user": ["address": [["zip": "1010"]], "name": "Ann"]]),
          hasHeader("X-Api-Key", "k"),
        ]
      ),
      // The network is spoken of where no stub is for the host.
      (users, [isHost("other.org")]), (users, [.absoluteURL("http://other.org/users")]),
      (users, [.absoluteURL("http://a.example/user")]), (users, [isPath("/user")]),
    ] {
      add(conditions)
      let error = error(request)
      texts.append(error.description)
      #expect((error as NSError).localizedDescription == error.description)
    }
    for stub in add([isPath("/users/43"), isPath("/users/42")], name: "once", times: 1) { _ = stub.claim() }
    let usedUp = error(user)
    #expect(usedUp.nearest.map(\.isUsedUp) == [true, true])
    #expect(usedUp.nearest[0].mismatches.isEmpty)
    try expectTexts(texts + [usedUp.description, "\(usedUp.nearest[1])"], in: "unmatched-reports")
  }

  @Test("says what closures have answered, or that they were not asked, and runs none again")
  func closures() async {
    await withStubs {
      let calls = Protected<[String]>([])
      func says(_ name: String, _ answer: Bool) -> RequestMatcher {
        RequestMatcher(name) { _ in
          calls.withLock { $0.append(name) }
          return answer
        }
      }
      stub(condition: hasJSONBody(["a": 1]) && isPath("/other") && says("never asked", true), response: .status(204))
      stub(condition: isHost("closures.example") && says("no", false), response: .status(204))
      stub(condition: isPath("/users") && !says("yes", true), response: .status(204))
      let request = request("http://closures.example/users", method: "POST", streamed: #"{"a": 2}"#)
      let error = await #expect(throws: UnmatchedRequestError.self) { try await URLSession.shared.fetch(request) }
      #expect(
        error?.nearest.map { $0.mismatches.map(\.description) } == [
          [#"closure "yes": expected false, got true"#], [#"closure "no": expected true, got false"#],
          ["body at a: expected 1, got 2", "path: expected /other, got /users", #"closure "never asked": not asked"#],
        ])
      #expect(calls.withLock(\.self) == ["yes", "no"])
    }
  }

  @Test("says that a stream and the closures that need it were not asked, and leaves the stream unread")
  func unreadStream() {
    let decoded = hasJSONBody(as: [Int].self) { _ in true }
    add([isPath("/a") && bodyContains("x") && RequestMatcher("is odd") { _ in true } && decoded])
    let unread = request("http://a.example/b", method: "POST", streamed: "x")
    #expect(
      error(unread).nearest[0].mismatches.map(\.description) == [
        "path: expected /a, got /b", "body: not read", #"closure "is odd": not asked"#,
        "hasJSONBody(as: Array<Int>.self) { … }: not asked",
      ])
    #expect(unread.httpBodyStream?.streamStatus == .notOpen)
  }

  @Test(
    "has at most 26 lines, whatever the URL is, with what differs from each of three stubs",
    arguments: [nil, "", "data:,x", "http:", "mailto:a@b", "http://[::1]:0/%FF?%&&=#"] as [String?])
  func oddURLs(text: String?) {
    add([
      isPath("/a") && hasExactQuery(["a": nil]) && isHost("x") && isMethod(.post),
      hasJSON(at: "a", equals: 1) || hasFormBody(["a": "b"]) || isGraphQL(operation: "x"),
      hasMultipartPart(named: "x") && .absoluteURL("http://a/b") && isPath(template: "/{a}/b"),
    ])
    var request = post("", contentType: "multipart/form-data; boundary=")
    request.url = text.flatMap { URL(string: $0) }
    request.httpBody = Data([0xFF, 0x00, 0x7B])
    let error = error(request)
    #expect(error.nearest.count == 3)
    #expect(error.nearest.allSatisfy { !$0.mismatches.isEmpty })
    #expect(error.description.split(separator: "\n").count <= 26)
  }

  @Test("fits a terminal, however long conditions, names and URLs are")
  func longTexts() {
    let long = String(repeating: "segment/", count: 50)
    var condition = isPath("/" + long) && hasJSONBody(["text": StubJSON(long)])
    for number in 0..<20 { condition = condition && hasHeader("X-Header-\(number)", long) }
    add(Array(repeating: condition, count: 4), name: long)
    let report = error(request("http://a.example/\(long)x?\(long)", body: "[1]")).description
    let lines = report.split(separator: "\n", omittingEmptySubsequences: false)
    // Conditions are shown as far as they fill two lines or three.
    let isStub = { (line: Substring) in line.hasSuffix(")") && line.count <= 340 }
    #expect(lines.count <= 26 && lines.allSatisfy { $0.count <= 100 || isStub($0) }, "\(report)")
    #expect(report.contains("and 19 more differences"))
  }

  @Test("of thousands of stubs names the nearest")
  func manyStubs() {
    for haveBodies in [false, true] {
      registry.removeAll()
      for number in 0..<TestSize.of(10_000, inPart: 2_000) {
        let path = isHost("api.example.com") && isPath("/items/\(number)")
        let condition = haveBodies ? path && hasJSONBody(["id": StubJSON(number)]) : path
        stub(condition: condition, response: .status(204), name: "\(number)", in: registry)
      }
      let error = error(request("https://api.example.com/items/1711x", body: #"{"id": 1711}"#))
      #expect(error.nearest.first?.stub.name == "1711", "\(haveBodies)")
    }
  }

  /// IssueTableTests have rows about how a test counts them.
  @Test("is a warning at most five times for a method and URL, where no test owns its request", .inOwnProcess)
  func warnings() async {
    let warnings = receivedWarnings()
    await withStubs {
      stub(condition: isPath("/at") && hasJSON(at: "at", equals: 0), response: .status(204))
      for number in 1...9 {
        let sent = request("http://misses.example/at", method: "POST", body: #"{"at": \#(number)}"#)
        let error = await #expect(throws: UnmatchedRequestError.self, "\(number)") {
          try await URLSession.shared.data(for: sent)
        }
        error?.report(to: nil, .global, of: Date())
      }
    }
    #expect(warnings.withLock(\.count) == 5)
  }

  @Test("belongs to no test that is over")
  func late() {
    let report = TestReport()
    #expect(report.add(error(request("http://a.example/"))))
    #expect(report.finish().count == 1)
    #expect(!report.add(error(request("http://a.example/late"))))
    #expect(report.finish().count == 1)
  }
}
