import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("The table of the requests that are under way", .inTurn)
struct RequestTableTests {
  private static let match = RequestMatch(callNumber: 1, captures: Captures())

  /// Lets requests wait for the test, in an order that isn't that of their calls.
  private static func hold(_ count: Int, for stub: Stub, in registry: StubRegistry) -> [JournalEntry] {
    let request = request("http://a.example/feed")
    let entries = (0..<count).map { _ in
      registry.journal.decided(request, by: stub, match: match, waitsForTest: true)
    }
    for start in stride(from: 0, to: count, by: 8) {
      for entry in entries[start..<min(start + 8, count)].reversed() { entry.begins(StubCall(request, match)) }
    }
    return entries
  }

  /// Returns the processor time, in nanoseconds, in which a test takes all calls of a stub.
  private static func timeToTakeCalls(_ count: Int, besideLook: Bool) async throws -> UInt64 {
    let registry = StubRegistry()
    let stub = stub(condition: .anything, response: .controlled, in: registry)
    // One request isn't known, so that another thread that looks back asks at each change.
    let undecided = registry.journal.begin(request("http://a.example/other"))
    let entries = hold(count, for: stub, in: registry)
    let look = besideLook ? Task.detached { await registry.inFlight.settle(for: .ofRequests) } : nil
    if besideLook { try await until("the look waits") { registry.inFlight.lookCount == 1 } }
    let start = processorTime()
    for entry in entries { #expect(try await stub.nextCall() === entry.call) }
    let time = processorTime() - start
    undecided.ends(.cancelled)
    await look?.value
    return time
  }

  private static func processorTime() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  @Test("gives the test 2,000 calls in at most five times as long as 500", .startsProcess)
  func calls() async {
    // The processor time is that of the process, so nothing else may run in it.
    await #expect(processExitsWith: .success) {
      for besideLook in [false, true] {
        var (few, many) = (UInt64.max / 8, UInt64.max)
        // On a busy machine, the caches are shared, so it can take more than some tries.
        for _ in 0..<100 where many > 5 * few {
          few = try await min(few, RequestTableTests.timeToTakeCalls(500, besideLook: besideLook))
          many = try await min(many, RequestTableTests.timeToTakeCalls(2_000, besideLook: besideLook))
        }
        // Four times as many take four times as long. If each change looked at all of them, it would be sixteen.
        precondition(many <= 5 * few, "\(few) and \(many) ns for 500 and 2,000 calls, with a look: \(besideLook)")
      }
    }
  }

  @Test("finds a stub's last request among 8,000 in at most five times as long as among 500", .startsProcess)
  func lastRequest() async {
    await #expect(processExitsWith: .success) {
      func time(_ count: Int) -> UInt64 {
        let registry = StubRegistry()
        let stub = stub(condition: isPath("/first"), response: .ok, in: registry)
        registry.journal.decided(request("http://a.example/first"), by: stub).ends(.answered(status: 200))
        for _ in 1..<count { registry.journal.decided(request("http://a.example/")).ends(.answered(status: 200)) }
        let start = RequestTableTests.processorTime()
        for _ in 0..<200 { precondition(stub.lastRequest?.url.path == "/first" && registry.journal.count == count) }
        return RequestTableTests.processorTime() - start
      }
      var (few, many) = (UInt64.max / 8, UInt64.max)
      for _ in 0..<20 where many > 5 * few { (few, many) = (min(few, time(500)), min(many, time(8_000))) }
      precondition(many <= 5 * few, "\(few) and \(many) ns among 500 and 8,000 requests")
    }
  }

  @Test("is empty when the test has taken the last call, also of requests that are over")
  func emptied() async throws {
    let registry = StubRegistry()
    let stub = stub(condition: .anything, response: .controlled, in: registry)
    let entries = Self.hold(20, for: stub, in: registry)
    for entry in entries.prefix(10) { entry.ends(.cancelled) }
    for entry in entries { #expect(try await stub.nextCall() === entry.call) }
    for entry in entries { entry.ends(.cancelled) }
    #expect(registry.inFlight.table.withLock { $0.entries.isEmpty && !$0.hasCall(of: stub.id) })
  }

  @Test("counts a call as chosen and completed once, whether its request was over when the test took it")
  func counted() async throws {
    let registry = StubRegistry()
    let stub = stub(condition: .anything, response: .controlled, in: registry)
    let entries = Self.hold(20, for: stub, in: registry)
    for entry in entries.prefix(10) { entry.ends(.cancelled) }
    for _ in entries { _ = try await stub.nextCall() }
    for entry in entries { entry.ends(.cancelled) }
    #expect(stub.count(of: .chosen) == 20)
    #expect(stub.count(of: .completed) == 20)
  }

  @Test("gives the test a controlled call that ends before it begins, and waits for no other one")
  func promised() async throws {
    let registry = StubRegistry()
    let stub = stub(condition: .anything, response: .controlled, in: registry)
    let entry = registry.journal.decided(
      request("http://a.example/feed", method: "POST"), by: stub, match: Self.match, waitsForTest: true)
    _ = stub.claim()
    #expect(registry.inFlight.table.withLock(\.entries.count) == 1 && stub.count(of: .chosen) == 1)
    entry.ends(.cancelled)
    #expect(stub.count(of: .chosen) == 1 && stub.count(of: .completed) == 1)
    #expect(try await stub.nextCall(timeout: .seconds(3_600)).isCancelled)
    #expect(registry.inFlight.table.withLock(\.entries.isEmpty))
    stub.remove()
    let error = await #expect(throws: StubWaitError.self) { try await stub.nextCall(timeout: .seconds(3_600)) }
    #expect(error?.description.contains("and it was removed") == true, "\(error as Any)")
  }

  /// A search that has taken a use for a request whose client leaves before it says so.
  private static func claimTooLate(_ stub: Stub, in registry: StubRegistry) throws -> () -> JournalEntry {
    let request = request("http://a.example/feed")
    let entry = registry.journal.begin(request)
    #expect(entry.arrives(IncomingRequest(request)))
    let use = try #require(stub.claim())
    entry.ends(.cancelled)
    return {
      entry.finds(.init(choice: "matched", kind: .answer(byStub: true, .code), use: use, match: match))
      return entry
    }
  }

  @Test("chooses no stub for a request whose client left during the search, and gives the use back")
  func leftMeanwhile() throws {
    let registry = StubRegistry()
    let stub = stub(condition: .anything, response: .ok, times: 1, in: registry)
    let entry = try Self.claimTooLate(stub, in: registry)()
    #expect(entry.stub == nil && entry.request.outcome == .cancelled)
    #expect(stub.callCount == 0 && stub.useCount == 0 && registry.journal.requests(matching: .anything).count == 1)
    #expect(stub.claim()?.callNumber == 1)
  }

  @Test(
    "lets a search find a stub again that another one has taken for used up", arguments: [isPath("/feed"), .anything])
  func foundAgain(condition: RequestMatcher) throws {
    let registry = StubRegistry()
    let stub = stub(condition: condition, response: .ok, times: 1, in: registry)
    let finds = try Self.claimTooLate(stub, in: registry)
    #expect(registry.search(for: request("http://a.example/feed")) == nil)
    _ = finds()
    #expect(registry.search(for: request("http://a.example/feed")) === stub)
  }

  @Test("gives the use back of a request whose client left before it arrived")
  func leftBefore() throws {
    let registry = StubRegistry()
    let stub = stub(condition: .anything, response: .ok, times: 1, in: registry)
    let request = request("http://a.example/feed")
    let entry = registry.journal.begin(request)
    entry.ends(.cancelled)
    let use = try #require(stub.claim())
    let finding = JournalEntry.Finding(
      choice: "matched", kind: .answer(byStub: true, .code), use: use, match: Self.match)
    #expect(!entry.arrives(IncomingRequest(request), finding: finding))
    #expect(stub.useCount == 0 && stub.callCount == 0 && registry.search(for: request) === stub)
  }

  @Test("keeps the number of a use that another request has taken since, so that no two calls have one number")
  func numbersStay() throws {
    let registry = StubRegistry()
    let stub = stub(condition: .anything, response: .ok, times: 2, in: registry)
    let finds = try Self.claimTooLate(stub, in: registry)
    #expect(stub.claim()?.callNumber == 2)
    #expect(finds().stub == nil)
    #expect(stub.claim() == nil && stub.useCount == 1)
  }

  @Test("lets neither a verification nor the end of a test wait for another registry's callbacks")
  func others() {
    let registry = StubRegistry()
    // Those of a client whose request belongs to no registry.
    registry.inFlight.add(RequestCallbacks(in: nil), of: request("http://a.example/"))
    let (countForEndOfTest, isVerifiable) = (registry.inFlight.comingCount, registry.inFlight.isDecided)
    #expect(countForEndOfTest == 0)
    #expect(isVerifiable)
  }

  @Test("has another registry's callbacks until they are complete")
  func callbacksOfOthers() {
    let registry = StubRegistry()
    let callbacks = RequestCallbacks(in: nil)
    registry.inFlight.add(callbacks, of: request("http://a.example/"))
    let generation = registry.inFlight.generation.number
    #expect(registry.inFlight.table.withLock { $0.callbackCount(of: generation) } == 1)
    callbacks.complete()
    #expect(registry.inFlight.table.withLock { $0.callbackCount(of: generation) } == 0)
    #expect(registry.inFlight.table.withLock(\.entries.isEmpty))
  }

  @Test("counts pending callbacks apart for each use of a registry by a scope, even when that has ended")
  func generations() {
    let requests = StubRegistry().inFlight
    let callbacks = (0..<12).map { _ in RequestCallbacks(in: nil) }
    func counts() -> [Int] { requests.table.withLock { table in (0..<4).map { table.callbackCount(of: $0) } } }
    for (number, one) in callbacks.enumerated() {
      if number > 0, number.isMultiple(of: 4) { _ = requests.endAll(with: StubScopeEndedError()) }
      requests.add(one, of: request("http://a.example/\(number)"))
    }
    #expect(counts() == [4, 4, 4, 0])
    for one in callbacks.prefix(5) { one.complete() }
    #expect(counts() == [0, 3, 4, 0])
    _ = requests.endAll(with: StubScopeEndedError())
    let early = RequestCallbacks(in: nil)
    requests.add(early, of: request("http://a.example/early"), in: ScopeGeneration(requests: requests, number: 0))
    #expect(counts() == [1, 3, 4, 0])
    for one in callbacks.dropFirst(5) + [early] { one.complete() }
    #expect(counts() == [0, 0, 0, 0] && requests.table.withLock(\.entries.isEmpty))
  }

  @Test(
    "has the requests that were added and not removed, in whatever order that happens",
    arguments: 0..<20 as Range<UInt64>)
  func places(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let requests = StubRegistry().inFlight
    let recorded = RecordedRequest(
      request: request("http://a.example/"), isUnscoped: false, startedAt: Date(), outcome: .inProgress)
    let entries = (1...50).map { JournalEntry(recorded, number: $0, among: requests) }
    var (set, left) = (EntrySet(), Set<Int>())
    for _ in 0..<400 {
      let entry = entries.randomElement(using: &random)!
      if left.remove(entry.number) != nil {
        set.remove(entry)
      } else {
        set.remove(entry)
        set.insert(entry)
        left.insert(entry.number)
      }
      #expect(set.count == left.count && Set(set.values.map(\.number)) == left)
    }
    // As at the end of a registry, whose requests go on.
    for entry in exchange(&set, with: EntrySet()).values { set.remove(entry) }
    #expect(set.isEmpty)
  }

  @Test("lets a test's end wait for a chain of redirects, from one hop to the next, until its callbacks are complete")
  func hops() {
    let registry = StubRegistry()
    let callbacks = RequestCallbacks(in: nil)
    var hop = registry.journal.begin(request("http://a.example/0"), callbacks: .pending)
    callbacks.follow(hop)
    // As the end of a test waits.
    let endCount = Locked(0)
    let wait = registry.inFlight.table.whenMet({ $0.comingCount == 0 }) { endCount.withLock { $0 += 1 } }
    #expect(wait != nil)
    for number in 1...20 {
      let finding = JournalEntry.Finding(choice: "matched", kind: .answer(byStub: false, .code))
      #expect(hop.arrives(IncomingRequest(request("http://a.example/")), finding: finding))
      hop = registry.journal.begin(
        request("http://a.example/\(number)"), after: hop, endingWith: .answered(status: 302))
      callbacks.follow(hop)
      #expect(endCount.withLock(\.self) == 0)
    }
    hop.ends(.cancelled)
    #expect(endCount.withLock(\.self) == 0)
    callbacks.complete()
    #expect(endCount.withLock(\.self) == 1)
  }
}
