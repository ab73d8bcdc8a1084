import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A stub", .inTurn)
struct StubTests {
  private let registry = StubRegistry()

  private func add(_ condition: RequestMatcher, _ name: String? = nil, times: Int? = nil, priority: Int = 0) -> Stub {
    stub(condition: condition, response: .status(204), name: name, times: times, priority: priority, in: registry)
  }

  /// The names or priorities of the stubs that answer a request, each removed when it was found.
  private func found<Value>(_ request: URLRequest, _ value: (Stub) -> Value) -> [Value] {
    var found: [Value] = []
    while let stub = registry.answerer(of: request) {
      found.append(value(stub))
      stub.remove()
    }
    return found
  }

  @Test("knows and shows where it was written")
  func place() {
    let line = #line + 1
    let stub = stub(condition: isHost("a.example"), response: .status(204), in: registry)
    #expect(stub.location.line == line && stub.location.column > 1)
    #expect(stub.location.filePath.hasSuffix("Tests/StubKitTests/Registry/StubTests.swift"))
    #expect("\(stub.location)" == "StubKitTests/StubTests.swift:\(line)")
    #expect(stub.description == "isHost(\"a.example\") (\(stub.location))")
    #expect(add(.anything, "users").description.hasPrefix("\"users\" (StubKitTests/StubTests.swift:"))
  }

  @Test("is in the description of its registry and of its group, with its calls")
  func descriptions() async throws {
    #expect("\(registry)" == "0 stubs")
    let group = stubs(on: isHost("a.example"), in: registry) { _ = add(isPath("/1"), "one") }
    let (one, two) = (group.stubs[0], add(isPath("/2")))
    _ = try await registry.makeSession().fetch("http://a.example/1")
    for _ in 0..<2 { _ = try await registry.makeSession().fetch("http://a.example/2") }
    #expect(registry.description == "2 stubs\n  \(one): 1 call\n  \(two): 2 calls")
    #expect(group.description == "isHost(\"a.example\"): 1 stub\n  \(one): 1 call")
    #expect(registry.journal.entries.map(\.stub?.id) == [one.id, two.id, two.id])
  }

  @Test("is over when its registry is, which it doesn't keep")
  func withoutRegistry() {
    var registry: StubRegistry? = StubRegistry()
    weak var watched: StubRegistry?
    watched = registry
    let orphan = stub(condition: .anything, response: .status(204), in: registry!)
    registry = nil
    #expect(watched == nil)
    #expect(!orphan.isActive)
    #expect(!orphan.remove())
    #expect(orphan.requests.isEmpty)
  }

  @Test("that has answered as often as it may is inactive, but still listed")
  func usedUp() async throws {
    let limited = add(.anything, times: 2)
    // No stub answers the third request.
    for _ in 0..<3 { _ = try? await registry.makeSession().fetch("http://a.example/") }
    #expect(!limited.isActive)
    #expect(limited.callCount == 2)
    #expect(limited.usage == "2 of 2 times")
    #expect(registry.stubs.map(\.id) == [limited.id])
  }

  @Test("is removed by the first call of remove(), which alone returns true")
  func removed() {
    let stub = add(.anything)
    #expect(stub.remove())
    #expect(!stub.remove())
    #expect(!stub.isActive)
    #expect(registry.stubs.isEmpty)
  }

  @Test("is listed in the order of registration until all are removed")
  func listed() {
    for number in 1...2 { _ = add(.anything, "\(number)") }
    #expect(registry.stubs.map(\.name) == ["1", "2"])
    registry.removeAll()
    #expect(registry.stubs.isEmpty)
  }

  @Test("of the highest priority answers, and of one priority the newest, whatever its condition is indexed by")
  func mixed() {
    let conditions: [RequestMatcher] = [
      isPath("/a"), isHost("a.example") && isPath("/a"), pathMatches("^/a$"), .anything,
      RequestMatcher("any") { _ in true }, hasHeader("Accept"),
    ]
    // Ten stubs of each condition, with priorities from -2 to 2.
    let stubs = (0..<60).map { (priority: ($0 * 7) % 5 - 2, number: $0) }
    for (priority, number) in stubs { _ = add(conditions[number % 6], "\(number)", priority: priority) }
    let request = request("http://a.example/a", headers: ["Accept": "*/*"])
    #expect(found(request, \.name) == stubs.sorted { $0 > $1 }.map { "\($0.number)" })
  }

  @Test("with a priority beyond 32 bits has the nearest one of 32 bits")
  func extremePriorities() {
    for priority in [Int.min, -40_000, -1, .max, Int(Int32.max), 40_000, 32_767, -0x1_0000_0000].shuffled() {
      _ = add(isPath("/a"), priority: priority)
    }
    let (highest, lowest) = (Int(Int32.max), Int(Int32.min))
    let priorities = [highest, highest, 40_000, 32_767, -1, -40_000, lowest, lowest]
    #expect(registry.stubs.sorted { $0.rank > $1.rank }.map(\.priority) == priorities)
    #expect(found(request("http://a.example/a"), \.priority) == priorities)
  }

  @Test("gives way to older ones when its uses are spent, or its responses with .stopMatching")
  func uses() async throws {
    try await withStubs {
      // From the last that answers to the first.
      stub(condition: isPath("/a"), response: .text("fallback"), priority: -1)
      stub(condition: isPath("/a"), response: .text("once"), times: 1)
      stub(condition: isPath("/a"), responses: [.text("1 of 2"), .text("2 of 2")], afterLast: .stopMatching)
      stub(condition: isPath("/a"), responses: [.text("1 of 1"), .text("never")], afterLast: .stopMatching, times: 1)
      stub(condition: isPath("/a"), response: .text("urgent"), times: 1, priority: 1)
      var texts: [String] = []
      for _ in 0..<7 { texts.append(try await URLSession.shared.fetch("http://a.example/a").text) }
      #expect(texts == ["urgent", "1 of 1", "1 of 2", "2 of 2", "once", "fallback", "fallback"])
    }
  }

  private static func responses(_ name: String, _ count: Int) -> [StubResponse] {
    (0..<count).map { .text("\(name)\($0)") }
  }

  @Test("gives each of its responses to one of many requests at once")
  func contention() async throws {
    for _ in 0..<TestSize.of(20, inPart: 4) {
      try await withStubs {
        stub(condition: .anything, response: .text("old"), times: 10)
        stub(condition: isHost("a.example"), responses: Self.responses("middle ", 20), afterLast: .stopMatching)
        // The newest has a closure, which makes the search for a stub slow.
        let slow = isPath("/job") && { _ in true }
        stub(condition: slow, responses: Self.responses("new ", 24), afterLast: .stopMatching)
        let answers = try await (0..<64).atOnce { _ in
          (try? await URLSession.shared.fetch("http://a.example/job").text) ?? "no stub matches"
        }
        let expected =
          (0..<24).map { "new \($0)" } + (0..<20).map { "middle \($0)" } + Array(repeating: "old", count: 10)
          + Array(repeating: "no stub matches", count: 10)
        #expect(answers.sorted() == expected.sorted())
      }
    }
  }

  @Test("gives each of many requests at once the response of its number in the journal")
  func numbered() async throws {
    try await withStubs {
      let stub = stub(condition: isPath("/job") && { _ in true }, responses: Self.responses("", 24))
      _ = try await (0..<24).atOnce { _ in try await URLSession.shared.fetch("http://a.example/job").text }
      for request in stub.requests {
        let call = try #require(request.match?.callNumber)
        #expect(request.response?.body == Data("\(call - 1)".utf8), "\(request)")
      }
    }
  }
}

@Suite("A group of stubs", .inTurn)
struct StubGroupTests {
  private struct Refusal: Error {}

  @Test("puts its condition, and that of a group around it, before each stub's own")
  func conditions() {
    let outer = stubs(on: isHost("a"), in: StubRegistry()) {
      stub(condition: isPath("/songs") || isPath("/albums"), response: .status(204))
      let inner = stubs(on: isMethod(.get)) { stub(condition: isPath("/2"), response: .status(204)) }
      #expect(inner.condition.description == #"isHost("a") && isMethod(.get)"#)
    }
    #expect(
      outer.stubs.map(\.condition.description) == [
        #"isHost("a") && (isPath("/songs") || isPath("/albums"))"#, #"isHost("a") && isMethod(.get) && isPath("/2")"#,
      ])
  }

  @Test("answers requests that meet its condition and a stub's own, and counts them")
  func answers() async throws {
    try await withStubs { () async throws in
      let group = stubs(on: isHost("a")) { stub(condition: isPath("/albums"), response: .text("albums")) }
      #expect(try await URLSession.shared.fetch("http://a/albums").text == "albums")
      #expect(await URLSession.shared.failure(of: "http://b/albums") is UnmatchedRequestError)
      #expect(await URLSession.shared.failure(of: "http://a/songs") is UnmatchedRequestError)
      #expect(group.callCount == 1)
    }
  }

  @Test("includes stubs that its closure registers elsewhere, and removes all of its stubs and no other")
  func elsewhere() {
    withStubs {
      let other = StubRegistry()
      let lasting = stub(condition: isPath("/lasting"), response: .status(204))
      let group = stubs(on: isHost("a")) {
        stub(condition: isPath("/1"), response: .status(204))
        stub(condition: isPath("/2"), response: .status(204), in: other)
      }
      #expect(other.stubs.map(\.id) == [group.stubs[1].id])
      // A second time does no harm.
      group.remove()
      group.remove()
      #expect(HTTPStubs.allStubs().map(\.id) == [lasting.id])
      #expect(other.stubs.isEmpty)
      #expect(group.stubs.count == 2, "it still lists what it had")
    }
  }

  @Test("whose closure throws leaves nothing behind")
  func failure() {
    let registry = StubRegistry()
    #expect(throws: Refusal.self) {
      try stubs(on: isHost("a"), in: registry) {
        stub(condition: isPath("/1"), response: .status(204))
        throw Refusal()
      }
    }
    #expect(registry.stubs.isEmpty && StubGroup.current == nil)
  }

  /// A condition in a group below a base URL.
  private func below(_ base: RequestMatcher, _ condition: () -> RequestMatcher) -> RequestMatcher {
    var grouped = RequestMatcher.nothing
    let group = stubs(on: base, in: StubRegistry()) { grouped = condition() }
    return group.condition && grouped
  }

  @Test(
    "resolves a path without a leading slash below its base URL",
    arguments: [
      ("https://a.example/v1", "users"), ("https://a.example/v1/", "users?page=2"), ("https://a.example", "v1/users/"),
    ])
  func subpaths(base: String, path: String) {
    let condition = below(hasBaseURL(base)) { RequestMatcher(.get, path) }
    #expect(condition.mistake == nil)
    #expect(condition.matches(request("https://a.example/v1/users?page=2")))
    #expect(!condition.matches(request("https://a.example/users?page=2")))
    #expect(!condition.matches(request("https://b.example/v1/users?page=2")))
  }

  @Test("resolves a path below the innermost base URL, and in a part of a condition")
  func nestedBases() {
    let condition = below(hasBaseURL("https://a.example")) {
      below(hasBaseURL("https://a.example/v1")) { isPath("/other") || !(!RequestMatcher(.any, "users")) }
    }
    #expect(condition.mistake == nil)
    #expect("\(condition)".contains("isPath(\"/v1/users\")"), "\(condition)")
    #expect(condition.matches(request("https://a.example/v1/users")))
    #expect(!condition.matches(request("https://a.example/users")))
  }

  @Test("resolves a template below its base URL, and captures from it")
  func templateBelow() {
    let template = below(hasBaseURL("https://a.example/v1")) { RequestMatcher(.any, "users/{id}") }
    #expect(template.mistake == nil)
    #expect("\(template)".contains("isPath(template: \"/v1/users/{id}\")"), "\(template)")
    #expect(template.captures(request("https://a.example/v1/users/42")) == ["id": "42"])
    #expect(!template.matches(request("https://a.example/users/42")))
  }

  @Test("takes its base URL literally, and what looks like an escape, a template or a wildcard for itself")
  func literalBase() {
    let condition = below(hasBaseURL(url("https://a.example/a%2Fb/%7Bc%7D/*:d"))) { RequestMatcher(.any, "users") }
    #expect(condition.mistake == nil)
    #expect(condition.matches(request("https://a.example/a%2Fb/%7Bc%7D/*:d/users")))
    #expect(!condition.matches(request("https://a.example/a/b/%7Bc%7D/*:d/users")))
  }

  @Test("under a base URL, which is a text or a URL, answers below it")
  func bases() async throws {
    try await withStubs {
      let base = url("https://a.example/v1")
      let group = stubs(under: base) {
        stub(.get, "users/{id}") { _, match in try .text(match("id")) }
        stub(.get, "/v1/whole", response: .text("whole"))
        stub(.get, base.appendingPathComponent("url"), response: .text("url"))
      }
      stubs(under: "https://b.example/") { stub(.any, "x", response: .text("x")) }
      for (address, text) in [
        "https://a.example/v1/users/7": "7", "https://a.example/v1/whole": "whole", "https://a.example/v1/url": "url",
        "https://b.example/x": "x",
      ] {
        let fetched = try await URLSession.shared.fetch(address).text
        #expect(fetched == text, "\(address)")
      }
      #expect(group.callCount == 3)
    }
  }

  @Test("makes a mistake of a path that can't be put below one base URL")
  func subpathMistakes() {
    for (condition, sentence) in [
      (RequestMatcher(.any, "users"), "stub(.any, \"users\") has neither a URL nor a path"),
      (hasBaseURL("https://a.example") && RequestMatcher(.any, "users"), "has neither a URL nor a path"),
      (below(isHost("a.example")) { RequestMatcher(.any, "users") }, "has neither a URL nor a path"),
      (
        below(hasBaseURL("https://a.example") || isHost("b.example")) { RequestMatcher(.any, "users") },
        "has neither a URL nor a path"
      ),
      (
        below(hasBaseURL("https://a.example")) { RequestMatcher(.any, "users/:id") },
        "has :id, which stands for no other text"
      ),
      (
        below(hasBaseURL("https://a.example/v1")) { RequestMatcher(.any, "/users") },
        "without a slash in front for the path below a base URL"
      ),
    ] {
      #expect(condition.mistake?.contains(sentence) == true, "\(condition) \(condition.mistake as Any)")
      #expect(!condition.isMet(by: request("https://a.example/users")), "\(condition)")
    }
  }
}
