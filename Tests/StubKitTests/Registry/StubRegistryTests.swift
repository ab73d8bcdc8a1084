import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A registry", .inTurn)
struct StubRegistryTests {
  private let registry = StubRegistry()
  private let request = URLRequest(url: URL(string: "http://a.example/users")!)

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
}

/// The one suite that touches the global registry. Each test runs in a process of its own, where nothing was stubbed yet.
@Suite("The global registry", .inTurn, .serialized)
struct GlobalRegistryTests {
  #if compiler(>=6.2)
    @Test("stays out of the way until its first stub")
    func sleeping() async {
      await #expect(processExitsWith: .success) {
        let server = try LoopbackServer()
        precondition(!HTTPStubs.isEnabled())
        let real = try await URLSession.shared.fetch(URLRequest(url: server.url("/before")))
        precondition(real.text == "real GET /before")
        stub(condition: isPath("/stubbed"), response: .text("stubbed"))
        precondition(HTTPStubs.isEnabled())
        let stubbed = try await URLSession.shared.fetch(URLRequest(url: server.url("/stubbed")))
        precondition(stubbed.text == "stubbed")
        HTTPStubs.removeAllStubs()
        precondition(HTTPStubs.isEnabled() && HTTPStubs.allStubs().isEmpty)
        let error = await URLSession.shared.failure(of: server.url("/after").absoluteString)
        precondition(error is UnmatchedRequestError)
      }
    }

    @Test("answers what no scope, no installed registry and no session's own scope does")
    func last() async {
      await #expect(processExitsWith: .success) {
        let plain = URLSession(configuration: .patient)
        stub(condition: .anything, response: .text("global"))
        let installed = StubRegistry.global.makeSession()
        try await withStubs {
          stub(condition: .anything, response: .text("scope"))
          let texts = [
            try await plain.fetch("http://a.example/").text,
            try await SessionBindingTests.Place.queue.fetch(plain),
            try await SessionBindingTests.Place.queue.fetch(.shared),
            try await installed.fetch("http://a.example/").text,
            try await SessionBindingTests.Place.queue.fetch(URLSession(configuration: .patient)),
          ]
          precondition(texts == ["scope", "global", "global", "global", "scope"])
        }
        let shared = withStubs { URLSession.shared }
        let text = try await SessionBindingTests.Place.thread.fetch(shared)
        precondition(text == "global")
      }
    }

    @Test("takes the requests of every thread that has registered a stub, while another registers the first")
    func firstStubs() async {
      for _ in 0..<5 {
        await #expect(processExitsWith: .success) {
          let server = try LoopbackServer()
          let answered = DispatchGroup()
          for number in 0..<8 {
            answered.enter()
            Thread.detachNewThread {
              stub(condition: isPath("/\(number)"), response: .text("stubbed"))
              let session = URLSession(configuration: .patient)
              session.dataTask(with: server.url("/\(number)")) { _, _, _ in answered.leave() }.resume()
            }
          }
          answered.wait()
          precondition(server.requests.isEmpty)
        }
      }
    }

    @Test("once disabled is not enabled again by a stub")
    func disabled() async {
      await #expect(processExitsWith: .success) {
        let server = try LoopbackServer()
        stub(condition: .anything, response: .text("stubbed"))
        HTTPStubs.setEnabled(false)
        stub(condition: .anything, response: .text("stubbed too"))
        precondition(!HTTPStubs.isEnabled())
        let real = try await URLSession.shared.fetch(URLRequest(url: server.url("/off")))
        precondition(real.text == "real GET /off")
        HTTPStubs.setEnabled(true)
        let stubbed = try await URLSession.shared.fetch(URLRequest(url: server.url("/on")))
        precondition(stubbed.text == "stubbed too")
      }
    }
  #endif
}
