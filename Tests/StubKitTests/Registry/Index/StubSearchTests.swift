import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A search", .inTurn)
struct StubSearchTests {
  private let registry = StubRegistry()
  private let request = URLRequest(url: URL(string: "http://a.example/users")!)

  private func found(isInTask: Bool = true, body: RequestBody? = nil) -> [String] {
    var names: [String] = []
    var search = StubSearch(IncomingRequest(request, body: body), isInTask: isInTask)
    while true {
      switch search.next(in: registry) {
      case .found(let stub, _): names.append(stub.name ?? "")
      case .needsTask: return names + ["needs a task"]
      case .none: return names
      }
    }
  }

  @Test("stops before a closure that may not run here")
  func closures() {
    let runs = Protected(0)
    stub(condition: .anything, response: .empty(), name: "1", in: registry)
    stub(
      condition: { _ in
        runs.withLock { $0 += 1 }
        return false
      }, response: .empty(), name: "2", in: registry)
    stub(condition: isHost("a.example"), response: .empty(), name: "3", in: registry)
    #expect(found(isInTask: false) == ["3", "needs a task"])
    #expect(runs.withLock { $0 } == 0)
    #expect(found() == ["3", "1"])
    #expect(runs.withLock { $0 } == 1)
  }

  @Test("knows whether answering may mean running the user's code")
  func holdsClosure() {
    func mayRunClosures() -> Bool? { registry.acceptance?.mayRunClosures }
    stub(condition: .anything, response: .empty(), in: registry)
    #expect(mayRunClosures() == false)
    let responder = stub(condition: isHost("x"), in: registry) { _ in .empty() }
    let condition = stub(condition: { _ in true }, response: .empty(), in: registry)
    #expect(mayRunClosures() == true)
    responder.remove()
    #expect(mayRunClosures() == true)
    condition.remove()
    #expect(mayRunClosures() == false)
    registry.unmatched = .respond { _ in .empty() }
    #expect(mayRunClosures() == true)
  }

  @Test("serves a search the stubs that were there when it began")
  func snapshot() {
    stub(condition: .anything, response: .empty(), name: "1", in: registry)
    stub(condition: isHost("a.example"), response: .empty(), name: "2", in: registry)
    var search = StubSearch(request)
    func next() -> String? {
      if case .found(let stub, _) = search.next(in: registry) { stub.name } else { nil }
    }
    #expect(next() == "2")
    stub(condition: .anything, response: .empty(), name: "3", in: registry)
    stub(condition: isHost("a.example"), response: .empty(), name: "4", in: registry)
    #expect(next() == "1")
    #expect(next() == nil)
  }
}
