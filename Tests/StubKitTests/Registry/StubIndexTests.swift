import Foundation
import Synchronization
import Testing

@testable import StubKit

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("The index of stubs")
struct StubIndexTests {
  private let registry = StubRegistry()
  private let request = URLRequest(url: URL(string: "http://a.example/users")!)

  private func found(closures: ClosurePolicy = .run) -> [String] {
    var names: [String] = []
    var facts = RequestFacts(request)
    var search = registry.snapshot.search
    while true {
      switch search.next(&facts, closures: closures) {
      case .found(let stub, _): names.append(stub.name ?? "")
      case .undecided: return names + ["undecided"]
      case .none: return names
      }
    }
  }

  @Test("finds the stubs that match, newest first")
  func order() {
    stub(condition: isHost("a.example"), response: .empty(), name: "1", in: registry)
    stub(condition: isHost("b.example"), response: .empty(), name: "2", in: registry)
    stub(condition: isPath("/users"), response: .empty(), name: "3", in: registry)
    #expect(found() == ["3", "1"])
  }

  @Test("passes over stubs that are used up or removed")
  func inactive() {
    let first = stub(condition: .anything, response: .empty(), name: "1", times: 1, in: registry)
    let second = stub(condition: .anything, response: .empty(), name: "2", in: registry)
    stub(condition: .anything, response: .empty(), name: "3", in: registry)
    _ = first.claim()
    second.remove()
    #expect(found() == ["3"])
  }

  @Test("stops before a closure that may not run here, and goes on from there where it may")
  func closures() {
    let runs = Mutex(0)
    stub(condition: .anything, response: .empty(), name: "1", in: registry)
    stub(
      condition: { _ in
        runs.withLock { $0 += 1 }
        return false
      }, response: .empty(), name: "2", in: registry)
    stub(condition: isHost("a.example"), response: .empty(), name: "3", in: registry)
    #expect(found(closures: .defer) == ["3", "undecided"])
    #expect(runs.withLock { $0 } == 0)
    #expect(found(closures: .run) == ["3", "1"])
    #expect(runs.withLock { $0 } == 1)
  }

  @Test("does not ask a closure whose other criteria fail already")
  func closureLast() {
    stub(condition: { _ in Bool.random() } && isHost("b.example"), response: .empty(), name: "1", in: registry)
    #expect(found(closures: .defer) == [])
  }

  @Test("knows whether answering may mean running the user's code")
  func holdsClosure() {
    var index = StubIndex()
    let plain = stub(condition: .anything, response: .empty(), in: registry)
    let responder = stub(condition: .anything, in: registry) { _ in .empty() }
    let condition = stub(condition: { _ in true }, response: .empty(), in: registry)
    index.insert(plain)
    #expect(!index.holdsClosure)
    index.insert(responder)
    index.insert(condition)
    #expect(index.holdsClosure)
    let removed = [index.remove(responder), index.holdsClosure, index.remove(condition), index.holdsClosure]
    #expect(removed == [true, true, true, false])
    let again = index.remove(condition)
    #expect(!again)
  }

  @Test("serves a search the stubs that were there when it began")
  func snapshot() {
    stub(condition: .anything, response: .empty(), name: "1", in: registry)
    var search = registry.snapshot.search
    stub(condition: .anything, response: .empty(), name: "2", in: registry)
    var facts = RequestFacts(request)
    guard case .found(let stub, _) = search.next(&facts, closures: .run) else {
      Issue.record("nothing found")
      return
    }
    #expect(stub.name == "1")
  }
}
