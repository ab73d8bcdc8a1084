import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A registry", .inTurn)
struct StubRegistryTests {
  private let registry = StubRegistry()
  private let request = URLRequest(url: URL(string: "http://a.example/users")!)

  @Test("is enabled from the start, and keeps what was set")
  func isEnabled() {
    #expect(registry.isEnabled)
    registry.isEnabled = false
    stub(condition: .anything, response: .empty(), in: registry)
    #expect(!registry.isEnabled)
    registry.isEnabled = true
    registry.isEnabled = true
    registry.removeAll()
    #expect(registry.isEnabled)
  }

  @Test("lists its stubs, oldest first, and removes them all")
  func stubs() {
    stub(condition: .anything, response: .empty(), name: "1", in: registry)
    stub(condition: .anything, response: .empty(), name: "2", in: registry)
    #expect(registry.stubs.map(\.name) == ["1", "2"])
    registry.removeAll()
    #expect(registry.stubs.isEmpty)
  }

  @Test("says which stub would answer, and takes no use of it")
  func stubMatching() {
    let old = stub(condition: isHost("a.example"), response: .empty(), in: registry)
    let new = stub(condition: isPath("/users"), response: .empty(), times: 1, in: registry)
    #expect(registry.stub(matching: request) === new)
    #expect(registry.stub(matching: request) === new)
    #expect(new.callCount == 0)
    _ = new.claim()
    #expect(registry.stub(matching: request) === old)
    #expect(registry.journal.entries.isEmpty)
    #expect(registry.stub(matching: URLRequest(url: URL(string: "http://b.example/")!)) == nil)
  }

  @Test("explains which stub answers, and why the newer ones do not")
  func explanation() {
    stub(condition: .anything, response: .empty(), name: "oldest", in: registry)
    let answering = stub(condition: isHost("a.example"), response: .empty(), name: "right", in: registry)
    let spent = stub(condition: isPath("/users"), response: .empty(), name: "spent", times: 1, in: registry)
    stub(condition: isHost("a.example") && isPath("/posts"), response: .empty(), name: "wrong", in: registry)
    _ = spent.claim()

    let explanation = registry.explain(request)
    #expect(explanation.stub === answering)
    #expect(explanation.candidates.map(\.stub.name) == ["wrong", "spent", "right"])
    #expect(explanation.candidates.map(\.isUsedUp) == [false, true, false])
    #expect(explanation.candidates[0].report.mismatches.map(\.criterion) == ["path"])
    let lines = explanation.description.split(separator: "\n").map(String.init)
    #expect(lines[0].hasPrefix("GET http://a.example/users is answered by \"right\" (StubKitTests/"))
    #expect(lines.contains("    ✓ isHost(\"a.example\")"))
    #expect(lines.contains("    ✗ path: expected /posts, got /users"))
    #expect(lines.contains("    ✗ used up: 1 of 1 uses"))
    #expect(registry.journal.entries.isEmpty && answering.callCount == 0)
  }

  @Test("explains that no stub answers")
  func noExplanation() {
    let explanation = registry.explain(request)
    #expect(explanation.stub == nil)
    #expect(explanation.description == "GET http://a.example/users is answered by no stub")
  }

  @Test("releases what its stubs and its policy hold outside its lock")
  func release() {
    final class Holder: Sendable {
      let registry: StubRegistry
      init(_ registry: StubRegistry) { self.registry = registry }
      deinit { _ = registry.stubs.count }
    }
    do {
      let holder = Holder(registry)
      stub(condition: .anything, in: registry) { [holder] _ in .text("\(holder.registry.stubs.count)") }
    }
    registry.removeAll()
    #expect(registry.stubs.isEmpty)
    do {
      let holder = Holder(registry)
      registry.unmatched = .respond { [holder] _ in .text("\(holder.registry.stubs.count)") }
    }
    registry.unmatched = .fail
  }

  @Test("takes registrations, removals and questions from many threads at once")
  func concurrency() async {
    let registry = registry
    await withTaskGroup(of: Void.self) { group in
      for worker in 0..<8 {
        group.addTask {
          for number in 0..<200 {
            let stub = stub(condition: isPath("/\(worker)/\(number)"), response: .empty(), in: registry)
            let request = URLRequest(url: URL(string: "http://a.example/\(worker)/\(number)")!)
            #expect(registry.stub(matching: request) === stub)
            if number.isMultiple(of: 2) { #expect(stub.remove()) }
          }
        }
      }
    }
    #expect(registry.stubs.count == 800)
  }
}
