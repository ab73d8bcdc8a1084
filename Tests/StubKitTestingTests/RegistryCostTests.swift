import Foundation
import TestSupport
import Testing

@testable import StubKit
@testable import StubKitRecorder

@Suite("A registry", .inTurn)
struct RegistryCostTests {
  private let registry = StubRegistry()

  /// Counts how often its part of a request is looked at.
  private final class CountingCriterion: Criterion {
    let (tests, comparisons, parses) = (Locked(0), Locked(0), Locked(0))
    let result: Bool
    let traits = MatcherTraits.body

    init(_ result: Bool) { self.result = result }

    var description: String { "counting" }
    var subject: String { "count" }
    var expectation: String { "\(!result)" }
    func actual(_ facts: inout RequestFacts) -> String? { nil }

    func test(_ facts: inout RequestFacts, _ captures: inout Captures) -> Bool {
      tests.withLock { $0 += 1 }
      if !facts.hasBodyHashes { parses.withLock { $0 += 1 } }
      facts.computeBodyHashes()
      return result
    }

    func explainMismatch(_ facts: inout RequestFacts, _ result: inout ScoredMismatches) {
      comparisons.withLock { $0 += 1 }
      result.add(Points.missingItem, mismatch(actual: nil))
    }
  }

  private func fail(_ path: String = "/", headers: [String: String] = [:], body: String? = nil) -> UnmatchedRequestError
  {
    let request = request(
      "http://costs.example\(path)", method: body == nil ? "GET" : "POST", headers: headers, body: body)
    return UnmatchedRequestError(RequestFacts(request), in: registry)
  }

  @Test("parses each request once to find the stubs that others hid")
  func shadowed() {
    let criterion = CountingCriterion(true)
    for number in 0..<40 {
      stub(condition: isPath("/\(number % 2)") && RequestMatcher(criterion), response: .empty(), in: registry)
    }
    let answering = stub(condition: .anything, response: .empty(), in: registry)
    for number in 0..<20 {
      _ = registry.journal.begin(request("http://costs.example/\(number % 2)"), body: nil, stub: answering.reference)
      _ = answering.claim()
    }
    #expect(registry.shadowedStubs(in: nil).count == 40)
    #expect(criterion.tests.withLock(\.self) == 40 && criterion.parses.withLock(\.self) <= 20)
  }

  @Test("compares an equal request that no stub matches with the nearest stubs alone")
  func repeatedMisses() {
    let criterion = CountingCriterion(false)
    func comparisons(_ work: () -> Void) -> Int {
      criterion.comparisons.withLock { $0 = 0 }
      work()
      return criterion.comparisons.withLock(\.self)
    }
    for number in 0..<50 {
      stub(condition: isPath("/\(number)") && RequestMatcher(criterion), response: .empty(), in: registry)
    }
    let first = fail().description
    let repeated = comparisons { for _ in 0..<100 where fail().description != first { Issue.record("It differs.") } }
    #expect(repeated == 300)
    // Another request is compared with all.
    for work in [{ _ = fail("/b") }, { _ = fail(headers: ["A": "b"]) }, { _ = fail(body: "a") }] {
      #expect(comparisons(work) == 53)
      #expect(comparisons(work) == 3)
    }
  }

  @Test("reports an equal request anew when what a report depends on has changed")
  func changedMisses() {
    let door = StubScenario(initial: "shut", name: "door")
    let near = stub(condition: isPath("/a") && door.is("open"), response: .empty(), name: "near", in: registry)
    let once = stub(condition: isPath("/"), response: .empty(), name: "once", times: 1, in: registry)
    for number in 0..<9 { stub(condition: isPath("/elsewhere/\(number)"), response: .empty(), in: registry) }
    _ = once.claim()
    var last = ""
    func check(_ names: [String?], _ text: String, isNew: Bool = true) {
      let error = fail()
      #expect(error.nearest.map(\.stub.name).starts(with: names) && error.description.contains(text), "\(error)")
      #expect((error.description != last) == isNew)
      last = error.description
    }
    check(["once", "near"], "used up: 1 of 1 uses")
    check(["once", "near"], "used up: 1 of 1 uses", isNew: false)
    #expect(last.contains(#"door is "shut", expected "open""#))
    door.state = "open"
    check(["once", "near"], "path: expected /a")
    #expect(!last.contains("door is"))
    let other = stub(
      condition: isPath("/b") && isHost("costs.example"), response: .empty(), name: "other", times: 1, in: registry)
    check(["once", "other", "near"], "The nearest of 12 stubs")
    _ = other.claim()
    check(["once", "near", "other"], "used up: 1 of 1 uses")
    once.name = "renamed"
    check(["renamed", "near", "other"], "renamed")
    once.remove()
    check(["near", "other"], "The nearest of 11 stubs")
    near.remove()
    registry.removeAll()
    check([], "There are no stubs where the request was made.")
  }

  @Test("does not let a removed stub make it read a body", arguments: [false, true])
  func removedBodyStub(hasOlder: Bool) {
    if hasOlder { stub(condition: hasJSONBody(["a": 1]), response: .empty(), in: registry) }
    let newer = stub(condition: isPath("/"), response: .empty(), in: registry)
    let removed = stub(condition: hasJSONBody(["a": 2]), response: .empty(), in: registry)
    func readsBody() -> Bool {
      let request = request("http://costs.example/", method: "POST", body: #"{"a": 3}"#)
      var search = StubSearch(IncomingRequest(request), isInTask: false)
      guard case .found(let found, _) = search.next(in: registry) else { return true }
      return found !== newer || search.facts.hasBodyHashes
    }
    #expect(readsBody())
    removed.remove()
    #expect(!readsBody())
  }

  @Test("has room for new kinds of stubs when the old ones are gone")
  func kinds() {
    let registry = StubRegistry(isEnabled: true, indexLimits: StubIndex.Limits(tuples: 2))
    func candidates() -> Int {
      let stubs = (0..<10).map { stub(condition: isPath("/\($0)"), response: .empty(), in: registry) }
      defer { for stub in stubs { stub.remove() } }
      var facts = RequestFacts(request("http://costs.example/3"))
      return registry.candidates(for: &facts).count
    }
    let kinds = [isMethodGET(), isMethodGET() && isHost("costs.example"), isHost("costs.example")]
    let old = kinds.map { stub(condition: $0, response: .empty(), in: registry) }
    #expect(candidates() == 13)
    for stub in old.dropFirst() { stub.remove() }
    #expect(candidates() == 2)
    old[0].remove()
    for kind in kinds { stub(condition: kind, response: .empty(), in: registry).remove() }
    #expect(candidates() == 1)
  }

  @Test("answers in the order of ranks, in whatever order its stubs were registered", arguments: [0, 1, 2, 3])
  func order(kind: Int) {
    let conditions = [isPath("/"), .anything, RequestMatcher("a closure") { _ in true }]
    var generator = SplitMix64(seed: UInt64(kind))
    let stubs = (0..<600).map { number in
      let priority = [-number, number, 0, generator.below(50)][kind]
      return registry.add(
        conditions[number % 3], .value(.empty()), name: "\(number)", priority: priority, isLast: kind == 2,
        at: StubLocation("", "", 1, 1))
    }
    let request = request("http://costs.example/")
    #expect(registry.stubs.map(\.id) == stubs.map(\.id))
    var rest =
      kind == 2 ? stubs : Array(stubs.enumerated().sorted { ($0.1.priority, $0.0) > ($1.1.priority, $1.0) }.map(\.1))
    while !rest.isEmpty {
      #expect(registry.stub(matching: request) === rest[0])
      let place = generator.chance(percent: 50) ? 0 : generator.below(rest.count)
      rest.remove(at: place).remove()
    }
    #expect(registry.stub(matching: request) == nil && registry.stubs.isEmpty)
  }

  @Test("names the stub that is asked first where a report says which one would match")
  func hint() {
    stub(condition: isPath("/"), response: .empty(), name: "urgent", priority: 1, in: registry)
    stub(condition: isHost("costs.example") || isPath("/b"), response: .empty(), name: "newest", in: registry)
    var facts = RequestFacts(request("http://costs.example/"))
    #expect(registry.newestStub(forHeadOf: &facts)?.name == "urgent")
    // Bodies and closures aren't looked at.
    stub(condition: { _ in true } && isPath("/"), response: .empty(), name: "closure", priority: 2, in: registry)
    stub(condition: hasJSONBody(["a": 1]), response: .empty(), name: "body", priority: 2, in: registry)
    facts.computeBodyHashes()
    #expect(registry.newestStub(forHeadOf: &facts)?.name == "body")
    stub(condition: { _ in true }, response: .empty(), name: "only closure", priority: 3, in: registry)
    #expect(registry.newestStub(forHeadOf: &facts, closuresMatch: true)?.name == "only closure")
  }

  @Test("that is not enabled gives the mistakes of its stubs to its test, too")
  func mistakes() async {
    let misses = registry.collectMisses()
    registry.isEnabled = false
    await withCheckedContinuation { continuation in
      // No test is known to run on a queue.
      DispatchQueue.global().async {
        registry.unmatched = .passThrough(when: isHost("http://costs.example"))
        continuation.resume()
      }
    }
    #expect(misses.mistakes.count == 1 && misses.mistakes.allSatisfy { $0.sentence.contains("isHost") })
  }

  @Test("loses nothing that its journal learns of a request while it reads the request's body")
  func journal() throws {
    let folder = try TestFolder()
    let file = folder.url.appendingPathComponent("body")
    try Data(count: 100_000).write(to: file)
    let response = RecordedRequest.Response(.empty(), length: 0, content: nil, contentLength: 0, isDropped: false)
    for _ in 0..<100 {
      let entry = registry.journal.begin(request("http://costs.example/"), body: nil, stub: nil)
      DispatchQueue.concurrentPerform(iterations: 2) { number in
        if number == 0 { entry.sends(bodyIn: file) } else { entry.receives(response) }
      }
    }
    let entries = registry.journal.entries
    #expect(entries.allSatisfy { $0.body?.count == 100_000 && $0.response?.status == 204 && $0.timeToResponse != nil })
  }

  @Test("hides what its recording hides in a mismatch, wherever it is printed")
  func mismatch() throws {
    stub(condition: hasHeader("X-Api-Key", "a"), response: .empty(), in: registry)
    registry.tap = ArchiveRecorder()
    registry.unmatched = .fail
    let miss = try #require(fail(headers: ["X-Api-Key": "s3cr" + "et-9Zk2Rw7Q"]).nearest.first)
    let line = #"header X-Api-Key: expected "a", got "REDACTED""#
    #expect(miss.mismatches.map(\.description) == [line] && miss.description.contains(line))
    withStubs(registry: registry) { #expect(miss.mismatches.map(\.description) == [line]) }
    let plain = MatchReport.Mismatch("header X-Api-Key", expected: "a", actual: "s3cr" + "et-9Zk2Rw7Q")
    withStubs(registry: registry) { #expect(plain.description.contains("9Zk2Rw7Q")) }
  }
}
