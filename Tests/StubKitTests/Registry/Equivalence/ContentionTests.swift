import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A registry that many threads use", .inTurn, .serialized)
struct ContentionTests {
  private let registry = StubRegistry()
  /// Who took which use of a stub.
  private let uses = Protected<[UInt64: [Int]]>([:])
  /// The stubs that nobody removes.
  private let lasting = Protected<[Stub]>([])
  private let faults = Protected<[String]>([])

  /// One round may be lucky; four are not.
  @Test("gives each of a stub's uses to one thread exactly", arguments: 1...4)
  func everyUseOnce(round: Int) async throws {
    // The newer ones hide the older ones until they are used up, so that all threads want the same use.
    for number in 0..<60 { make(number, isLasting: true) }
    // Real threads: a pool would run no more of them at once than there are cores.
    try await untilResumed { done in
      let left = Locked(12)
      for number in 0..<12 {
        Thread {
          work(number)
          if left.adding(-1) == 0 { done.resume() }
        }.start()
      }
    }
    // A thread that finds nothing goes away, though another may yet register: what is left is taken here.
    for number in 0..<3 { claimAll(number) }
    let (lasting, uses) = (lasting.withLock(\.self), uses.withLock(\.self))
    #expect(faults.withLock(\.self) == [])
    // 60 here, and 40 on each of three threads.
    #expect(lasting.count == 180)
    #expect(registry.stubs.count == 180)
    for stub in lasting {
      #expect(stub.isUsedUp, "\(stub)")
      // Each stub answers five times.
      #expect(uses[stub.id]?.sorted() == [1, 2, 3, 4, 5], "\(stub)")
    }
  }

  private func work(_ number: Int) {
    switch number {
    case 0..<4: claimAll(number)
    case 4..<7: for index in 0..<40 { claim(make(number + index, isLasting: true)) }
    case 7..<10:
      for index in 0..<200 {
        let made = make(number + index, isLasting: false)
        claim(made)
        if !made.remove() || made.remove() || made.isActive { note("\(made) is not removed once") }
      }
    default:
      for index in number..<number + 200 {
        if let stub = registry.answerer(of: Self.request(index)), !stub.condition.matches(Self.request(index)) {
          note("\(stub) does not match what it was found for")
        }
        if registry.answerer(of: TestSupport.request("http://b.com/")) != nil {
          note("a stub for a request that none matches")
        }
      }
    }
  }

  private func note(_ fault: String) { faults.withLock { $0.append(fault) } }

  private static func request(_ number: Int) -> URLRequest { TestSupport.request("http://a.com/users?n=\(number % 3)") }

  @discardableResult private func make(_ number: Int, isLasting: Bool) -> Stub {
    let conditions = [
      isHost("a.com") && isPath("/users"), isMethod(.get) && pathStartsWith("/us"),
      isPath(template: "/{name}") && containsQuery("n", "\(number / 3 % 3)"),
    ]
    let made = stub(condition: conditions[number % 3], response: .status(204), times: 5, in: registry)
    if isLasting { lasting.withLock { $0.append(made) } }
    return made
  }

  private func claim(_ stub: Stub) {
    if let use = stub.claim() { uses.withLock { $0[stub.id, default: []].append(use.callNumber) } }
  }

  /// Looks and takes in two steps, between which another thread may take the use.
  private func claimAll(_ number: Int) {
    while let stub = registry.answerer(of: Self.request(number)) { claim(stub) }
  }
}
