import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A stub", .inTurn)
struct StubTests {
  private let registry = StubRegistry()

  private func makeStub(times: Int? = nil, name: String? = nil) -> Stub {
    stub(condition: isHost("a.example"), response: .empty(), name: name, times: times, in: registry)
  }

  @Test("knows where it was written")
  func location() {
    let line = #line + 1
    let stub = stub(condition: .anything, response: .empty(), in: registry)
    #expect(stub.location.line == line)
    #expect(stub.location.fileID == "StubKitTests/StubTests.swift")
    #expect(stub.location.filePath.hasSuffix("Tests/StubKitTests/Registry/StubTests.swift"))
    #expect(stub.location.column > 1)
    #expect("\(stub.location)" == "StubKitTests/StubTests.swift:\(line)")
  }

  @Test("is described by its name, else by its condition, and its place")
  func description() {
    #expect(makeStub(name: "users").description.hasPrefix("\"users\" (StubKitTests/StubTests.swift:"))
    #expect(makeStub().description.hasPrefix("isHost(\"a.example\") (StubKitTests/StubTests.swift:"))
  }

  @Test("is removed once")
  func removal() {
    let stub = makeStub()
    #expect(stub.isActive)
    #expect(stub.remove())
    #expect(!stub.remove())
    #expect(!stub.isActive)
    #expect(registry.stubs.isEmpty)
  }

  @Test("is inactive when its uses are spent, and stays listed")
  func usedUp() {
    let stub = makeStub(times: 2)
    #expect([stub.claim(), stub.claim(), stub.claim()] == [1, 2, nil])
    #expect(!stub.isActive)
    #expect(stub.callCount == 2)
    #expect(stub.usage == "2 of 2 uses")
    #expect(registry.stubs.count == 1)
  }

  @Test("does not keep its registry alive, and survives it")
  func registryGone() {
    var registry: StubRegistry? = StubRegistry()
    weak var watched: StubRegistry?
    watched = registry
    let stub = stub(condition: .anything, response: .empty(), in: registry!)
    registry = nil
    #expect(watched == nil)
    #expect(!stub.isActive)
    #expect(!stub.remove())
    #expect(stub.requests.isEmpty)
  }
}

@Suite("A sequence's end", .inTurn)
struct SequenceEndTests {
  @Test("stops matching after the last response, or earlier if times: says so")
  func limit() {
    for (times, expected) in [(nil, 2), (1, 1), (9, 2)] {
      let stub = stub(
        condition: .anything, responses: [.text("1"), .text("2")], afterLast: .stopMatching, times: times,
        in: StubRegistry())
      #expect((0..<5).compactMap { _ in stub.claim() }.count == expected, "\(times)")
    }
  }
}

@Suite("The priority of a stub", .inTurn)
struct PriorityTests {
  /// Conditions that the index knows, that it scans, and that ask a closure: all match the request.
  static let conditions: [RequestMatcher] = [
    isPath("/a"), isHost("a.example") && isPath("/a"), pathMatches("^/a$"), .anything,
    RequestMatcher("any") { _ in true },
    hasHeader("Accept"),
  ]

  @Test("comes before the time of registration, whatever conditions the stubs have")
  func mixed() {
    let registry = StubRegistry()
    let request = request("http://a.example/a", headers: ["Accept": "*/*"])
    var expected: [(priority: Int, number: Int)] = []
    for number in 0..<60 {
      let priority = (number * 7) % 5 - 2
      stub(
        condition: Self.conditions[number % Self.conditions.count], response: .empty(), name: "\(number)",
        priority: priority, in: registry)
      expected.append((priority, number))
    }
    expected.sort { $0 > $1 }
    #expect(registry.stubs.map(\.name) == (0..<60).map { "\($0)" })
    var found: [String] = []
    while let stub = registry.stub(matching: request) {
      found.append(stub.name ?? "")
      stub.remove()
    }
    #expect(found == expected.map { "\($0.number)" })
  }

  @Test("gives way to older stubs once all uses of one are spent, and shows in the explanation's order")
  func uses() async throws {
    try await withStubs {
      stub(condition: isPath("/a"), response: .text("fallback"), priority: -1)
      stub(condition: isPath("/a"), response: .text("plain"), times: 1)
      let urgent = stub(condition: isPath("/a"), response: .text("urgent"), times: 1, priority: 1)
      stub(condition: isPath("/a"), response: .text("newest"), times: 1)
      #expect(urgent.priority == 1)
      let explained = StubRegistry.current.explain(URLRequest(url: url("http://a.example/a")))
      #expect(explained.stub === urgent && explained.candidates.count == 1)
      var texts: [String] = []
      for _ in 0..<5 { texts.append(try await URLSession.shared.fetch("http://a.example/a").text) }
      #expect(texts == ["urgent", "newest", "plain", "fallback", "fallback"])
    }
  }

  @Test("can be any number, and counts as the nearest one that a stub can keep")
  func clamped() {
    let registry = StubRegistry()
    let priorities = [Int.min, -40_000, -1, .max, Int(Int32.max), 40_000, 32_767, -0x1_0000_0000]
    for priority in priorities.shuffled() {
      stub(condition: isPath("/a"), response: .empty(), name: "\(priority)", priority: priority, in: registry)
    }
    let ranks = registry.stubs.inAnsweringOrder.map(\.priority)
    #expect(ranks == [0x7FFF_FFFF, 0x7FFF_FFFF, 40_000, 32_767, -1, -40_000, -0x8000_0000, -0x8000_0000])
    var found: [Int] = []
    while let stub = registry.stub(matching: URLRequest(url: url("http://a.example/a"))) {
      found.append(stub.priority)
      stub.remove()
    }
    #expect(found == ranks)
  }
}

@Suite("A group of stubs", .inTurn)
struct StubGroupTests {
  private struct Refusal: Error {}

  @Test("asks for its condition and each stub's own, and prints so")
  func conditions() async throws {
    try await withStubs {
      let api = stubs(on: isHost("api.example")) {
        stub(condition: isPath("/users"), response: .text("users"))
        stub(condition: isPath("/songs") || isPath("/albums")) { request in .text(request.url!.lastPathComponent) }
      }
      #expect(
        api.stubs.map(\.condition.description) == [
          #"isHost("api.example") && isPath("/users")"#,
          #"isHost("api.example") && (isPath("/songs") || isPath("/albums"))"#,
        ])
      let text = try await URLSession.shared.fetch("http://api.example/albums").text
      #expect(text == "albums" && api.callCount == 1)
      #expect("\(api)" == #"isHost("api.example"): 2 stubs"#)
      let error = await URLSession.shared.failure(of: "http://other.example/users")
      #expect(error != nil)
    }
  }

  @Test("lies in another one, from the outside in")
  func nested() {
    let registry = StubRegistry()
    let outer = stubs(on: isHost("a"), in: registry) {
      stub(condition: isPath("/1"), response: .empty())
      let inner = stubs(on: isMethodGET()) { stub(condition: isPath("/2"), response: .empty()) }
      #expect(inner.condition.description == #"isHost("a") && isMethodGET()"#)
      stub(condition: isPath("/3"), response: .empty())
    }
    #expect(
      registry.stubs.map(\.condition.description) == [
        #"isHost("a") && isPath("/1")"#, #"isHost("a") && isMethodGET() && isPath("/2")"#,
        #"isHost("a") && isPath("/3")"#,
      ])
    #expect(outer.stubs.map(\.id) == registry.stubs.map(\.id))
    #expect(StubGroup.current == nil)
  }

  @Test("is removed as one, and once")
  func removal() {
    let registry = StubRegistry()
    let lasting = stub(condition: .anything, response: .empty(), in: registry)
    let group = stubs(on: isHost("a"), in: registry) {
      for number in 0..<3 { stub(condition: isPath("/\(number)"), response: .empty()) }
    }
    #expect(registry.stubs.count == 4)
    group.remove()
    group.remove()
    #expect(registry.stubs.map(\.id) == [lasting.id] && group.stubs.count == 3)
  }

  @Test("holds the stubs of every registry that is named in it")
  func registries() {
    let (mine, other) = (StubRegistry(), StubRegistry())
    let group = stubs(on: isHost("a"), in: mine) {
      stub(condition: isPath("/1"), response: .empty())
      stub(condition: isPath("/2"), response: .empty(), in: other)
    }
    #expect(mine.stubs.count == 1 && other.stubs.count == 1 && group.stubs.count == 2)
    #expect(other.stubs[0].condition.description == #"isHost("a") && isPath("/2")"#)
  }

  @Test("whose closure throws leaves nothing behind")
  func failure() {
    let registry = StubRegistry()
    #expect(throws: Refusal.self) {
      try stubs(on: isHost("a"), in: registry) {
        stub(condition: isPath("/1"), response: .empty())
        throw Refusal()
      }
    }
    #expect(registry.stubs.isEmpty)
  }
}
