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

  @discardableResult
  private func add(
    _ condition: RequestMatcher, name: String? = nil, times: Int? = nil, line: UInt, in other: StubRegistry? = nil
  ) -> Stub {
    stub(
      condition: condition, response: .empty(), name: name, times: times, in: other ?? registry,
      fileID: "AppTests/UserTests.swift", line: line)
  }

  private static let cure = "Register a stub for it, or mend the request or the stub."

  @Test("names the nearest stubs, with file and line, and says what differs")
  func nearest() {
    add(isHost("cdn.example.com"), line: 8)
    add(isMethodPOST() && isPath("/login"), name: "login", line: 9)
    add(isHost("elsewhere.org") && isPath("/"), line: 10)
    add(isHost("api.example.com") && isPath("/users/42"), line: 12)
    let error = error(request("https://api.example.com/users/43"))
    #expect(
      error.description == """
        No stub matches GET https://api.example.com/users/43
        The nearest of 4 stubs:
          isHost("api.example.com") && isPath("/users/42") (AppTests/UserTests.swift:12)
            path: expected /users/42, got /users/43
          isHost("cdn.example.com") (AppTests/UserTests.swift:8)
            host: expected cdn.example.com, got api.example.com
          "login" isMethodPOST() && isPath("/login") (AppTests/UserTests.swift:9)
            method: expected POST, got GET
            path: expected /login, got /users/43
        \(Self.cure)
        """)
    #expect(error.nearest.map(\.stub.location.line) == [12, 8, 9])
    #expect(error.nearest[0].mismatches.map(\.description) == ["path: expected /users/42, got /users/43"])
    #expect(
      error.nearest[0].description == """
        isHost("api.example.com") && isPath("/users/42") (AppTests/UserTests.swift:12)
          path: expected /users/42, got /users/43
        """)
    #expect(error.localizedDescription == error.description)
    #expect((error as NSError).localizedDescription == error.description)
  }

  @Test("says of a used-up stub that it is used up, and puts it first if nothing else is wrong with it")
  func usedUp() {
    let once = add(isPath("/users/43"), name: "once", times: 2, line: 1)
    let other = add(isPath("/users/42"), times: 1, line: 2)
    for stub in [once, once, other] { _ = stub.claim() }
    let error = error(request("https://api.example.com/users/43"))
    #expect(
      error.description == """
        No stub matches GET https://api.example.com/users/43
        There are 2 stubs, nearest first:
          "once" isPath("/users/43") (AppTests/UserTests.swift:1)
            used up: 2 of 2 uses
          isPath("/users/42") (AppTests/UserTests.swift:2)
            path: expected /users/42, got /users/43
            used up: 1 of 1 uses
        \(Self.cure)
        """)
    #expect(error.nearest.map(\.isUsedUp) == [true, true] && error.nearest[0].mismatches.isEmpty)
  }

  @Test("names the place in a JSON body, and the names that look like the one that was expected")
  func bodies() {
    add(isPath("/") && hasJSONBody(["user": ["address": [["zip": "1010"]], "name": "Ann"]]), line: 3)
    var request = post(#"{"user": {"address": [{"zip": "1020"}], "nme": "Ann"}}"#)
    request.setValue("k", forHTTPHeaderField: "X-Api-Kye")
    add(hasHeader("X-Api-Key", "k"), line: 4)
    #expect(
      error(request).description == """
        No stub matches POST http://a.com/
        There are 2 stubs, nearest first:
          hasHeader("X-Api-Key", "k") (AppTests/UserTests.swift:4)
            header X-Api-Key: expected "k", got none; there is X-Api-Kye
          isPath("/") && hasJSONBody(["user": ["address": [["zip": "1010"]], "name": "Ann"]]) (AppTests/UserTests.swift:3)
            body at user.address[0].zip: expected "1010", got "1020"
            body at user.name: expected "Ann", got none; there is nme
            body at user.nme: expected none, got "Ann"
        \(Self.cure)
        """)
  }

  @Test("speaks of the network where no stub is for the host, or there are no stubs at all")
  func otherHosts() {
    let lines = [
      "No stub matches GET http://a.example/users",
      "Register a stub for it, or let it reach the network with HTTPStubs.unmatched = .passThrough.",
    ]
    let none = "There are no stubs where the request was made. Those of a test or a withStubs end with it."
    let request = request("http://a.example/users")
    #expect(error(request).description == [lines[0], none, lines[1]].joined(separator: "\n"))
    for (condition, isOther) in [
      (isHost("b.example"), true), (isAbsoluteURLString("http://b.example/users"), true),
      (isAbsoluteURLString("http://a.example/user"), false), (isPath("/user"), false),
    ] {
      registry.removeAll()
      add(condition, line: 1)
      #expect(error(request).description.hasSuffix("\n\(isOther ? lines[1] : Self.cure)"), "\(condition)")
    }
  }

  @Test("puts the newest of equally near stubs first")
  func ties() {
    for line in 1...5 { add(isPath("/users"), line: UInt(line)) }
    #expect(error(request("http://a.example/user")).nearest.map(\.stub.location.line) == [5, 4, 3])
  }

  @Test("says that a body was not read, and that a closure was not asked")
  func unknown() {
    add(isPath("/a") && bodyContains("x") && RequestMatcher("is odd") { _ in true }, line: 1)
    let request = request("http://a.example/b", method: "POST", streamed: "x")
    #expect(
      error(request).nearest[0].mismatches.map(\.description) == [
        "path: expected /a, got /b", "body: not read", #"closure "is odd": not asked"#,
      ])
    #expect(request.httpBodyStream?.streamStatus == .notOpen)
  }

  @Test("copes with odd requests", arguments: [nil, "", "data:,x", "http:", "mailto:a@b", "http://[::1]:0/%FF?%&&=#"])
  func odd(text: String?) {
    add(isPath("/a") && hasExactQuery(["a": nil]) && isHost("x") && isMethodPOST(), line: 1)
    add(hasJSON(at: "a", equals: 1) || hasFormBody(["a": "b"]) || isGraphQL(operation: "x"), line: 2)
    add(hasMultipartPart(named: "x") && isAbsoluteURLString("http://a/b") && isPath(template: "/{a}/b"), line: 3)
    var request = request("http://a/")
    request.url = text.flatMap { URL(string: $0) }
    request.httpBody = Data([0xFF, 0x00, 0x7B])
    request.setValue("multipart/form-data; boundary=", forHTTPHeaderField: "Content-Type")
    let error = error(request)
    #expect(error.nearest.count == 3 && error.nearest.allSatisfy { !$0.mismatches.isEmpty })
    #expect(error.description.split(separator: "\n").count <= 25)
  }

  @Test("fits a terminal, whatever the request and the stubs are")
  func size() {
    let long = String(repeating: "segment/", count: 50)
    var headers = isPath("/" + long) && hasJSONBody(["text": JSONValue(long)])
    for number in 0..<20 { headers = headers && hasHeader("X-Header-\(number)", long) }
    let other = StubRegistry()
    let scopes = OpenScopes()
    scopes.enter(other)
    add(hostEndsWith("example"), line: 99, in: other)
    for line in 1...10 { add(headers, name: long, line: UInt(line)) }
    let report = error(request("http://a.example/\(long)x?\(long)", body: "[1]"), scopes: scopes).description
    let lines = report.split(separator: "\n", omittingEmptySubsequences: false)
    // Conditions are shown as far as they fill two lines or three.
    let isStub = { (line: Substring) in line.hasSuffix(")") && line.count <= 340 }
    #expect(lines.count <= 25 && lines.allSatisfy { $0.count <= 100 || isStub($0) }, "\(report)")
    #expect(report.contains("and 19 more differences"))
    #expect(!report.unicodeScalars.contains("\u{1B}"))
    scopes.leave(other)
  }

  @Test("of ten thousand stubs names the nearest, without measuring all of them exactly", arguments: [false, true])
  func manyStubs(haveBodies: Bool) {
    for number in 0..<10_000 {
      let path = isHost("api.example.com") && isPath("/items/\(number)")
      add(haveBodies ? path && hasJSONBody(["id": JSONValue(number)]) : path, line: UInt(number + 1))
    }
    let error = error(request("https://api.example.com/items/4711x", body: #"{"id": 4711}"#))
    #expect(error.nearest.first?.stub.location.line == 4712)
  }
}
