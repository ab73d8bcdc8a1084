import Foundation
import Testing

@testable import StubKit

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("A registry")
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
    #expect(explanation.candidates[0].report.mismatches.map(\.criterion) == ["isPath(\"/posts\")"])
    let lines = explanation.description.split(separator: "\n").map(String.init)
    #expect(lines[0].hasPrefix("GET http://a.example/users is answered by \"right\" (StubKitTests/"))
    #expect(lines.contains("    ✓ isHost(\"a.example\")"))
    #expect(lines.contains { $0.hasPrefix("    ✗ isPath(\"/posts\"): expected") })
    #expect(lines.contains { $0.hasSuffix("used up: 1 of 1 calls") })
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

@Suite("The report of an unmatched request")
struct UnmatchedRequestErrorTests {
  private let request = URLRequest(url: URL(string: "http://a.example/users")!)

  @Test("names the stubs there are, newest first, with file and line and what is used up")
  func stubs() {
    let registry = StubRegistry()
    let spent = stub(condition: isHost("a.example"), response: .empty(), name: "once", times: 1, in: registry)
    _ = spent.claim()
    stub(condition: isPath("/posts"), response: .empty(), in: registry)
    let error = UnmatchedRequestError(request: request, stubs: registry.stubs)
    let lines = error.description.split(separator: "\n").map(String.init)
    #expect(lines[0] == "No stub matches GET http://a.example/users")
    #expect(lines[1] == "There are 2 stubs, newest first:")
    #expect(lines[2].hasPrefix("  isPath(\"/posts\") (StubKitTests/StubRegistryTests.swift:"))
    #expect(lines[2].hasSuffix(", 0 calls"))
    #expect(lines[3].hasPrefix("  \"once\" isHost(\"a.example\") (StubKitTests/StubRegistryTests.swift:"))
    #expect(lines[3].hasSuffix(", used up: 1 of 1 calls"))
    #expect(lines[4].hasPrefix("Register a stub for the request"))
  }

  @Test("fits a screen, however many stubs there are")
  func manyStubs() {
    let registry = StubRegistry()
    for number in 0..<1_000 { stub(condition: isPath("/\(number)"), response: .empty(), in: registry) }
    let report = UnmatchedRequestError(request: request, stubs: registry.stubs).description
    #expect(report.split(separator: "\n").count <= 25)
    #expect(report.contains("There are 1000 stubs") && report.contains("and 980 older ones"))
  }

  @Test("says so when there are no stubs at all")
  func noStubs() {
    let error = UnmatchedRequestError(request: request, stubs: [])
    #expect(error.description.contains("There are no stubs where the request was made."))
    #expect(error.localizedDescription == error.description)
    #expect((error as NSError).localizedDescription == error.description)
  }
}
