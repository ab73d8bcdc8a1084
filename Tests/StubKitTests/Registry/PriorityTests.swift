import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("The priority of a stub", .inTurn)
struct PriorityTests {
  /// Conditions that the index knows, that it scans, and that ask a closure: all match the request.
  static let conditions: [RequestMatcher] = [
    isPath("/a"), isHost("a.example") && isPath("/a"), pathMatches("^/a$"), .anything,
    RequestMatcher("any") { _ in true },
    hasHeaderNamed("Accept"),
  ]

  @Test(
    "comes before the time of registration", arguments: conditions.indices,
    [[0, 1, 2], [2, 1, 0], [1, 2, 0], [0, 2, 1]])
  func order(condition: Int, order: [Int]) {
    let registry = StubRegistry()
    let priorities = [-1, 0, 5]
    for place in order {
      stub(
        condition: Self.conditions[condition], response: .empty(), name: "\(priorities[place])",
        priority: priorities[place], in: registry)
    }
    var request = URLRequest(url: url("http://a.example/a"))
    request.setValue("*/*", forHTTPHeaderField: "Accept")
    var found: [String] = []
    while let stub = registry.stub(matching: request) {
      found.append(stub.name ?? "")
      stub.remove()
    }
    #expect(found == ["5", "0", "-1"])
  }

  @Test("comes before the time of registration, whatever conditions the stubs have")
  func mixed() {
    let registry = StubRegistry()
    var request = URLRequest(url: url("http://a.example/a"))
    request.setValue("*/*", forHTTPHeaderField: "Accept")
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
    let priorities = [Int.min, -32_768, -1, .max, 32_766, 32_767, -40_000, 40_000]
    for priority in priorities.shuffled() {
      stub(condition: isPath("/a"), response: .empty(), name: "\(priority)", priority: priority, in: registry)
    }
    let ranks = registry.stubs.inAnsweringOrder.map(\.priority)
    #expect(ranks == [32_767, 32_767, 32_767, 32_766, -1, -32_768, -32_768, -32_768])
    var found: [Int] = []
    while let stub = registry.stub(matching: URLRequest(url: url("http://a.example/a"))) {
      found.append(stub.priority)
      stub.remove()
    }
    #expect(found == ranks)
  }
}
