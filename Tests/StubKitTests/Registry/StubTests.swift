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

  @Test("is removed once, and listed when spent")
  func life() async throws {
    var other: StubRegistry? = StubRegistry()
    weak var watched: StubRegistry?
    watched = other
    let orphan = stub(condition: .anything, response: .status(204), in: other!)
    other = nil
    #expect(watched == nil)
    #expect(!orphan.isActive && !orphan.remove() && orphan.requests.isEmpty)
    let limited = add(.anything, times: 2)
    // No stub answers the third request.
    for _ in 0..<3 { _ = try? await registry.makeSession().fetch("http://a.example/") }
    #expect(!limited.isActive && limited.callCount == 2)
    #expect(limited.usage == "2 of 2 times")
    #expect(registry.stubs.count == 1)
    #expect(limited.remove() && !limited.remove())
    #expect(!limited.isActive && registry.stubs.isEmpty)
    for number in 1...2 { _ = add(.anything, "\(number)") }
    #expect(registry.stubs.map(\.name) == ["1", "2"])
    registry.removeAll()
    #expect(registry.stubs.isEmpty)
  }

  @Test("answers by priority, then by registration")
  func mixed() {
    let conditions: [RequestMatcher] = [
      isPath("/a"), isHost("a.example") && isPath("/a"), pathMatches("^/a$"), .anything,
      RequestMatcher("any") { _ in true }, hasHeader("Accept"),
    ]
    let stubs = (0..<60).map { (priority: ($0 * 7) % 5 - 2, number: $0) }
    for (priority, number) in stubs { _ = add(conditions[number % 6], "\(number)", priority: priority) }
    #expect(registry.stubs.map(\.name) == (0..<60).map { "\($0)" })
    // The highest priority comes first, and of one priority the newest stub.
    let request = request("http://a.example/a", headers: ["Accept": "*/*"])
    #expect(found(request, \.name) == stubs.sorted { $0 > $1 }.map { "\($0.number)" })
    // Any priority counts as the nearest one that it can keep.
    for priority in [Int.min, -40_000, -1, .max, Int(Int32.max), 40_000, 32_767, -0x1_0000_0000].shuffled() {
      _ = add(isPath("/a"), priority: priority)
    }
    let ranks = [0x7FFF_FFFF, 0x7FFF_FFFF, 40_000, 32_767, -1, -40_000, -0x8000_0000, -0x8000_0000]
    #expect(registry.stubs.sorted { $0.rank > $1.rank }.map(\.priority) == ranks)
    #expect(found(request, \.priority) == ranks)
  }

  @Test("gives way to older ones once spent")
  func uses() async throws {
    try await withStubs {
      stub(condition: isPath("/a"), response: .text("fallback"), priority: -1)
      stub(condition: isPath("/a"), response: .text("plain"), times: 1)
      let urgent = stub(condition: isPath("/a"), response: .text("urgent"), times: 1, priority: 1)
      stub(condition: isPath("/a"), responses: [.text("1"), .text("2")], afterLast: .stopMatching)
      stub(condition: isPath("/a"), responses: [.text("x"), .text("y")], afterLast: .stopMatching, times: 1)
      let explained = StubRegistry.current.explain(request("http://a.example/a"))
      #expect(explained.stub === urgent && explained.candidates.isEmpty)
      var texts: [String] = []
      for _ in 0..<7 { texts.append(try await URLSession.shared.fetch("http://a.example/a").text) }
      #expect(texts == ["urgent", "x", "1", "2", "plain", "fallback", "fallback"])
    }
  }

  private static func responses(_ name: String, _ count: Int) -> [StubResponse] {
    (0..<count).map { .text("\(name)\($0)") }
  }

  @Test("gives each response once to many requests")
  func contention() async throws {
    for _ in 0..<TestSize.of(20, inPart: 4) {
      try await withStubs {
        stub(condition: .anything, response: .text("old"), times: 10)
        stub(condition: isHost("sequence.example"), responses: Self.responses("m", 20), afterLast: .stopMatching)
        let slow = isPath("/job") && { _ in true }
        let new = stub(condition: slow, responses: Self.responses("n", 24), afterLast: .stopMatching)
        // The answers, and "none" for requests that no stub matches.
        let answers = try await (0..<64).atOnce { _ in
          (try? await URLSession.shared.fetch("http://sequence.example/job").text) ?? "none"
        }
        let counts = Dictionary(answers.map { ($0, 1) }, uniquingKeysWith: +)
        // Whatever their order in the journal.
        for entry in new.requests {
          #expect(entry.response?.body == Data("n\((entry.match?.callNumber ?? 0) - 1)".utf8), "\(entry)")
        }
        // Of 64 requests, 44 have a response each, 10 the old one, and 10 none.
        var expected = ["old": 10, "none": 10]
        for number in 0..<20 { expected["m\(number)"] = 1 }
        for number in 0..<24 { expected["n\(number)"] = 1 }
        #expect(counts == expected, "\(HTTPStubs.journal.entries.map(\.outcome))")
      }
    }
  }
}

@Suite("A group of stubs", .inTurn)
struct StubGroupTests {
  private struct Refusal: Error {}

  @Test("asks for its condition and each stub's own")
  func conditions() async throws {
    try await withStubs {
      let other = StubRegistry()
      let lasting = stub(condition: isPath("/lasting"), response: .status(204))
      let outer = stubs(on: isHost("a")) {
        stub(condition: isPath("/songs") || isPath("/albums")) { request in .text(request.url!.lastPathComponent) }
        let inner = stubs(on: isMethod(.get)) { stub(condition: isPath("/2"), response: .status(204)) }
        #expect(inner.condition.description == #"isHost("a") && isMethod(.get)"#)
        stub(condition: isPath("/3"), response: .status(204), in: other)
      }
      #expect(
        outer.stubs.map(\.condition.description) == [
          #"isHost("a") && (isPath("/songs") || isPath("/albums"))"#, #"isHost("a") && isMethod(.get) && isPath("/2")"#,
          #"isHost("a") && isPath("/3")"#,
        ])
      #expect(other.stubs.map(\.id) == outer.stubs.suffix(1).map(\.id) && outer.stubs.count == 3)
      let text = try await URLSession.shared.fetch("http://a/albums").text
      #expect(text == "albums")
      #expect(outer.callCount == 1)
      #expect(await URLSession.shared.failure(of: "http://b/albums") != nil)
      // A second time does no harm. The group still lists what it had.
      outer.remove()
      outer.remove()
      #expect(HTTPStubs.allStubs().map(\.id) == [lasting.id] && other.stubs.isEmpty)
      #expect(outer.stubs.count == 3)
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

  @Test("resolves a path without a leading slash below its innermost base URL")
  func subpaths() {
    for (base, path) in [
      ("https://a.example/v1", "users"), ("https://a.example/v1/", "users?page=2"), ("https://a.example", "v1/users/"),
    ] {
      // The inner base counts, below a negation too.
      let nested = below(hasBaseURL("https://a.example")) {
        below(hasBaseURL(base)) { isPath("/other") || !(!RequestMatcher(.any, path)) }
      }
      for condition in [below(hasBaseURL(base)) { RequestMatcher(.get, path) }, nested] {
        #expect(condition.mistake == nil, "\(path): \(condition)")
        #expect(condition.matches(request("https://a.example/v1/users?page=2")), "\(path): \(condition)")
        #expect(!condition.matches(request("https://a.example/users?page=2")), "\(path): \(condition)")
        #expect(!condition.matches(request("https://b.example/v1/users?page=2")), "\(path): \(condition)")
      }
      #expect("\(nested)".contains("isPath(\"/v1/users"), "\(base)")
    }
    let template = below(hasBaseURL("https://a.example/v1")) { RequestMatcher(.any, "users/{id}") }
    #expect(template.mistake == nil && "\(template)".contains("isPath(template: \"/v1/users/{id}\")"))
    #expect(template.captures(request("https://a.example/v1/users/42")) == ["id": "42"])
    #expect(!template.matches(request("https://a.example/users/42")))
    // The base is taken literally.
    let odd = below(hasBaseURL(url("https://a.example/a%2Fb/%7Bc%7D/*:d"))) { RequestMatcher(.any, "users") }
    #expect(odd.mistake == nil, "\(odd)")
    #expect(odd.matches(request("https://a.example/a%2Fb/%7Bc%7D/*:d/users")))
    #expect(!odd.matches(request("https://a.example/a/b/%7Bc%7D/*:d/users")))
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
