import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A registry that many threads use at once", .inTurn, .serialized)
struct ContentionTests {
  private static let usesPerStub = 5

  private let registry = StubRegistry()
  private let ledger = UseLedger()

  /// Seven threads take uses, three register, three remove and three ask: sixteen. One round may be lucky; eight are not.
  @Test("has every use that `times:` allows claimed exactly once", arguments: 1...8)
  func everyUseOnce(round: Int) async throws {
    // These are never removed: each of their uses has to be taken by someone. The newer ones hide the older ones
    // until they are used up, so that all threads want the same use.
    let lasting = (0..<60).map { number in
      stub(condition: condition(number), response: .empty(), times: Self.usesPerStub, in: registry)
    }
    try await Threads.run(16) { thread in
      switch thread {
      case 0..<4: claimAll(number: thread)
      case 4..<7: answerAll(number: thread)
      case 7..<10: registerAndClaim(number: thread)
      case 10..<13: registerAndRemove(number: thread)
      default: ask(number: thread)
      }
    }
    // A thread that finds nothing goes away, though another may yet register: what is left is taken here.
    for number in 0..<3 { claimAll(number: number) }

    #expect(ledger.faults.isEmpty, "\(ledger.faults.prefix(5))")
    for stub in lasting {
      #expect(stub.callCount == Self.usesPerStub)
      #expect(stub.isUsedUp)
    }
    #expect(ledger.claims(lasting) == lasting.map { _ in Array(1...Self.usesPerStub) })
    for stub in ledger.registered {
      let claims = ledger.claims([stub])[0]
      #expect(claims == Array(1...Self.usesPerStub), "\(stub.condition) was claimed as \(claims)")
    }
    for stub in ledger.removed {
      #expect(!stub.isActive)
      #expect(stub.callCount <= Self.usesPerStub)
      #expect(ledger.claims([stub])[0] == (stub.callCount == 0 ? [] : Array(1...stub.callCount)))
    }
    #expect(registry.stubs.count == lasting.count + ledger.registered.count)
  }

  private func condition(_ number: Int) -> RequestMatcher {
    switch number % 3 {
    case 0: isHost("a.com") && isPath("/users")
    case 1: isMethodGET() && pathStartsWith("/us")
    default: isPath(template: "/{name}") && containsQuery("n", "\(number / 3 % 3)")
    }
  }

  private func request(_ number: Int) -> URLRequest {
    URLRequest(url: URL(string: "http://a.com/users?n=\(number % 3)")!)
  }

  /// Looks and takes in two steps, between which another thread may take the use.
  private func claimAll(number: Int) {
    let request = request(number)
    while let stub = registry.stub(matching: request) {
      if let use = stub.claim() { ledger.record(stub, use) }
    }
  }

  /// As a load does it: a lost claim goes on to the next older stub.
  private func answerAll(number: Int) {
    let request = request(number)
    while true {
      switch registry.answer(IncomingRequest(request)).kind {
      case .respond(_, let stub?): ledger.record(answered: stub.id)
      case .undecided: return ledger.report("an answer from stubs without closures was not ready at once")
      default: return
      }
    }
  }

  private func registerAndClaim(number: Int) {
    for index in 0..<40 {
      let made = stub(condition: condition(number + index), response: .empty(), times: Self.usesPerStub, in: registry)
      ledger.register(made)
      if let use = made.claim() { ledger.record(made, use) }
    }
    claimAll(number: number)
  }

  private func registerAndRemove(number: Int) {
    for index in 0..<200 {
      let made = stub(condition: condition(number + index), response: .empty(), times: Self.usesPerStub, in: registry)
      ledger.remove(made)
      if let use = made.claim() { ledger.record(made, use) }
      if !made.remove() { ledger.report("a stub could not be removed") }
      if made.remove() { ledger.report("a stub could be removed twice") }
    }
  }

  private func ask(number: Int) {
    for index in 0..<200 {
      if let stub = registry.stub(matching: request(number + index)), !stub.condition.matches(request(number + index)) {
        ledger.report("\(stub) does not match what it was found for")
      }
      if registry.stub(matching: URLRequest(url: URL(string: "http://b.com/")!)) != nil {
        ledger.report("a stub was found for a request that none matches")
      }
    }
  }
}

/// Who took which use.
private final class UseLedger: Sendable {
  private struct State {
    var uses: [UInt64: [Int]] = [:]
    var answers: [UInt64: Int] = [:]
    var registered: [Stub] = []
    var removed: [Stub] = []
    var faults: [String] = []
  }
  private let state = Protected(State())

  var faults: [String] { state.withLock { $0.faults } }
  var registered: [Stub] { state.withLock { $0.registered } }
  var removed: [Stub] { state.withLock { $0.removed } }

  func register(_ stub: Stub) { state.withLock { $0.registered.append(stub) } }
  func remove(_ stub: Stub) { state.withLock { $0.removed.append(stub) } }
  func report(_ fault: String) { state.withLock { $0.faults.append(fault) } }
  func record(_ stub: Stub, _ use: Int) { state.withLock { $0.uses[stub.id, default: []].append(use) } }
  func record(answered id: UInt64) { state.withLock { $0.answers[id, default: 0] += 1 } }

  /// The uses of each stub in order. An answer does not say which use it took: it stands for one that nobody named.
  func claims(_ stubs: [Stub]) -> [[Int]] {
    state.withLock { state in
      stubs.map { stub in
        var uses = state.uses[stub.id] ?? []
        var free = (1...).lazy.filter { [named = Set(uses)] in !named.contains($0) }.makeIterator()
        for _ in 0..<(state.answers[stub.id] ?? 0) { uses.append(free.next()!) }
        return uses.sorted()
      }
    }
  }
}

/// Real threads: a pool would run no more of them at once than there are cores.
private enum Threads {
  static func run(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) async throws {
    try await untilResumed { continuation in
      let left = Protected(count)
      for number in 0..<count {
        Thread {
          body(number)
          let isLast = left.withLock { left in
            left -= 1
            return left == 0
          }
          if isLast { continuation.resume() }
        }.start()
      }
    }
  }
}
