import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("The index of stubs reads the header fields and JSON that their conditions compare", .inTurn)
struct IndexedPartsTests {
  private let registry = StubRegistry()

  private var parts: [ReadPart] { registry.withIndex { $0.parts } }

  private static let conditions: [RequestMatcher] = [
    hasHeader("X-A", "1"), hasHeader("x-a", "2"), hasJSON(at: "a.b", equals: 1), hasJSON(at: "a.c", equals: 1),
    hasJSONBody(containing: ["a": ["b": 2, "d": [1, 2]]]), hasHeader("X-B", "1") || hasJSON(at: "e", equals: 1),
    isPath("/a") && hasHeader("X-C", "1"), hasJSON(at: "", equals: 1),
  ]

  @Test("until the last of these stubs has left, in any order")
  func leaving() {
    for _ in 0..<10 {
      let others = stub(condition: isPath("/a"), response: .status(204), in: registry)
      let stubs = Self.conditions.map { stub(condition: $0, response: .status(204), in: registry) } + [others]
      #expect(parts.contains(where: \.isHeader) && !parts.allSatisfy(\.isHeader))
      for stub in stubs.shuffled() { stub.remove() }
      #expect(parts == [])
    }
  }

  @Test("until all stubs are removed")
  func removed() {
    for condition in Self.conditions { stub(condition: condition, response: .status(204), in: registry) }
    registry.removeAll()
    #expect(parts == [])
  }

  @Test("and not those of a stub whose uses are spent")
  func spent() {
    let once = stub(condition: hasHeader("X-A", "1"), response: .status(204), times: 1, in: registry)
    let asked = request("http://a.com/", headers: ["X-A": "1"])
    #expect(registry.search(for: asked) === once && once.claim()?.callNumber == 1)
    #expect(registry.search(for: asked) == nil && parts == [])
  }

  @Test("also if there are a thousand of each")
  func manyNames() {
    let stubs = (0..<2_000).map { number in
      stub(
        condition: number.isMultiple(of: 2)
          ? hasHeader("X-\(number)", "v") : hasJSON(at: "k\(number)", equals: StubJSON(number)),
        response: .status(204), in: registry)
    }
    for number in [0, 1, 2, 777, 1_998, 1_999] {
      let body = "{\((0..<3).map { "\"k\(number + $0)\":\(number)" }.joined(separator: ","))}"
      let asked = request("http://a.com/", method: "POST", headers: ["x-\(number)": "v"], body: body)
      #expect(registry.search(for: asked) === stubs[number], "\(number)")
    }
  }

  /// A session whose headers are asked for.
  private final class Origin: RequestOrigin {
    let ask: @Sendable () -> Void
    let separateBody: RequestBody? = nil
    let delegateQueue: OperationQueue? = nil

    init(_ ask: @escaping @Sendable () -> Void) { self.ask = ask }

    func addedHeaders(to request: URLRequest) -> [String: String] {
      ask()
      return ["X-A": "1"]
    }
    func problem(of request: URLRequest) -> (any Error)? { nil }
    func readBody(of request: URLRequest) async throws -> Data? { nil }
    func askForStream() async throws {}
  }

  @Test("outside of the registry's lock")
  func lock() {
    let known = stub(condition: hasHeader("X-A", "1"), response: .status(204), in: registry)
    let answers = Locked<[Bool]>([])
    let origin = Origin { [registry] in
      let isFree = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        _ = registry.stubs
        isFree.signal()
      }
      answers.withLock { $0.append(isFree.wait(timeout: .now() + 5) == .success) }
    }
    var search = StubSearch(RequestFacts(IncomingRequest(request("http://a.com/"), of: origin)), isInTask: true)
    let found: Stub? = if case .found(let stub, _) = search.next(in: registry) { stub } else { nil }
    #expect(found === known && answers.withLock(\.self) == [true])
  }

  @Test(
    "and finds a stub that takes the place of another one meanwhile",
    arguments: [hasHeader("X-A", "1"), urlMatches(#"a\.com/a"#)])
  func replaced(condition: RequestMatcher) {
    let old = stub(condition: isPath("/a"), response: .status(204), in: registry)
    stub(condition: isPath("/a") && hasHeader("X-B", "1"), response: .status(204), in: registry)
    // Beside an unindexed stub, what is unindexed is known before a header is read.
    stub(condition: urlMatches("b.com"), response: .status(204), in: registry)
    let new = Locked<Stub?>(nil)
    let origin = Origin { [registry] in
      new.withLock { new in
        if new == nil { new = stub(condition: condition, response: .status(204), in: registry) }
      }
      old.remove()
    }
    guard case .stub(let use, _) = registry.search(for: IncomingRequest(request("http://a.com/a"), of: origin)) else {
      Issue.record("No stub was found, and one was there all the time.")
      return
    }
    #expect(new.withLock { $0 === use.stub })
  }

  @Test("once more, and not again and again, if a closure changes the stubs with each search")
  func restless() {
    let count = Locked(0)
    stub(
      condition: .matching { [registry] _ in
        count.withLock { $0 += 1 }
        stub(condition: isPath("/b"), response: .status(204), in: registry).remove()
        return false
      }, response: .status(204), in: registry)
    let found = registry.search(for: IncomingRequest(request("http://a.com/a")), isInTask: true)
    #expect(count.withLock(\.self) == 2)
    guard case .none = found else {
      Issue.record("No stub matches, and the search found \(found).")
      return
    }
  }
}
