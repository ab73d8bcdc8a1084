import Foundation
import TestSupport
import Testing

@testable import StubKit

/// The one suite that touches the global registry. Each test runs in a process of its own, where nothing was stubbed yet.
@Suite("The global registry", .inTurn, .serialized)
struct GlobalRegistryTests {
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

  @Test("answers what is asked outside every scope, from detached tasks, queues and threads too")
  func everywhere() async throws {
    await #expect(processExitsWith: .success) {
      stub(condition: .anything, response: .text("global"))
      let detached = try await Task.detached { try await URLSession.shared.fetch("http://a.example/").text }.value
      precondition(detached == "global")
      let text = try await untilResumed { continuation in
        DispatchQueue.global().async {
          URLSession.shared.dataTask(with: url("http://a.example/")) { data, _, _ in
            continuation.resume(returning: String(decoding: data ?? Data(), as: UTF8.self))
          }.resume()
        }
      }
      precondition(text == "global")
    }
  }

  @Test("is reached by sessions that were made before StubKit was first used")
  func olderSessions() async {
    await #expect(processExitsWith: .success) {
      let older = URLSession(configuration: .default)
      let shared = URLSession.shared
      stub(condition: .anything, response: .text("stubbed"))
      let texts = [try await older.fetch("http://a.example/").text, try await shared.fetch("http://a.example/").text]
      precondition(texts == ["stubbed", "stubbed"])
    }
  }
}
