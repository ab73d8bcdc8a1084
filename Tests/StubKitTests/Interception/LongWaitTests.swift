import Foundation
import TestSupport
import Testing

@testable import StubKit

#if compiler(>=6.3)
  @Suite("A wait of more than five seconds", .inTurn)
  struct LongWaitTests {
    @Test(
      "is warned of once, with what it waits for, unless the stub says for how long", .startsProcess, .serialized,
      arguments: [true, false])
    func waits(isImmediate: Bool) async throws {
      await #expect(processExitsWith: .success) { [isImmediate] in
        let told = receivedWarnings()
        let over = Latch()
        @Sendable func add(_ path: String, _ response: StubResponse, in registry: StubRegistry = .current) {
          stub(condition: isPath(path), response: response, in: registry, fileID: "App/A.swift", line: 3)
        }
        func ask(_ path: String, body: InputStream? = nil, delegate: (any URLSessionDelegate)? = nil) {
          var sent = request(url("http://a.example\(path)"), method: body == nil ? "GET" : "POST")
          sent.httpBodyStream = body
          let session = StubRegistry.current.makeSession(configuration: .patient, delegate: delegate)
          session.dataTask(with: sent).resume()
        }
        let gate = ResponseGate()
        let release = DispatchSemaphore(value: 0)
        // The global registry's requests need no scope.
        add("/global", .ok.held(by: gate), in: .global)
        URLSession.patient.dataTask(with: url("http://a.example/global")).resume()
        try await until("it has arrived") { StubRegistry.global.journal.entries.count == 1 }
        try await withStubs {
          if isImmediate { HTTPStubs.clock = .immediate }
          add("/gate", .ok.held(by: gate))
          add("/stream", .stream(AsyncStream<Data> { _ in }))
          add("/controlled", .controlled)
          add("/challenge", .basicChallenge(realm: "a"))
          add("/redirect", .redirect(to: "/other"))
          add("/never", .noAnswer)
          add("/slow", .ok.delay(.seconds(600)))
          stub(condition: isPath("/closure"), fileID: "App/A.swift", line: 3) { _ in
            await over.pass()
            return .ok
          }
          stub(condition: isPath("/body") && bodyContains("x"), response: .ok)
          add("/plain", .ok)
          stub(condition: isPath("/upload") && bodyContains("x"), response: .ok)
          // Two waits, of which neither takes five seconds.
          stub(
            condition: isPath("/twice")
              && RequestMatcher("waits") { _ in
                usleep(3_200_000)
                return true
              }
          ) { _ in
            usleep(3_200_000)
            return .ok
          }
          // Closures that block have threads of their own.
          let observed = StubRegistry()
          for (path, response) in ["/found": StubResponse.status(304), "/who": .basicChallenge(realm: "a")] {
            add(path, response, in: observed)
          }
          observed.onFinish { _, _, _, _ in _ = over.blockUntilOpened() }
          observed.unmatched = .respond { _ in
            _ = over.blockUntilOpened()
            return .ok
          }
          for path in ["/found", "/who", "/policy"] {
            observed.makeSession(configuration: .patient).dataTask(with: url("http://a.example\(path)")).resume()
          }
          stub(
            condition: isPath("/condition")
              && RequestMatcher("waits") { _ in
                while !over.isOpen { usleep(10_000) }
                return true
              }, response: .ok)
          for path in ["/gate", "/stream", "/controlled", "/closure", "/condition", "/twice"] { ask(path) }
          // On the immediate clock, these are over at once.
          if !isImmediate { for path in ["/never", "/slow"] { ask(path) } }
          for path in ["/challenge", "/redirect"] { ask(path, delegate: SilentDelegate()) }
          for path in ["/body", "/plain"] { ask(path, body: WatchedStream(Data("x".utf8), release: release)) }
          let upload = TransferEvents(stream: WatchedStream(Data("x".utf8), release: release))
          StubRegistry.current.makeSession(configuration: .patient, delegate: upload)
            .uploadTask(withStreamedRequest: request("http://a.example/upload", method: "POST")).resume()
          var answered = [
            "global": "its gate.", "gate": "its gate.", "stream": "the next piece of its stream.",
            "controlled": "the test.", "closure": "the response closure of the stub.",
            "found": "a callback of the registry.", "who": "a callback of the registry.",
            "challenge": "its client to answer the challenge.", "redirect": "its client to decide about the redirect.",
          ]
          if !isImmediate { answered["never"] = "its timeout, because the response never ends." }
          var parts = [
            "GET http://a.example/condition has waited for five seconds for a closure in the condition of a stub.",
            "POST http://a.example/body has waited for five seconds for the end of its body.",
            "POST http://a.example/upload has waited for five seconds for the end of its body.",
            "POST http://a.example/plain, which the stub at App/A.swift:3 answers, has waited for five seconds for the end of its body.",
            "GET http://a.example/policy has waited for five seconds for the closure of the policy",
          ]
          for (path, end) in answered {
            let request = "GET http://a.example/\(path), which the stub at App/A.swift:3 answers,"
            parts.append("\(request) has waited for five seconds for \(end)")
          }
          func isTold(_ part: String) -> Bool { told.withLock { $0.contains { $0.hasPrefix(part) } } }
          _ = try await holds(within: .seconds(30)) { parts.allSatisfy(isTold) }
          // Long enough for another look.
          try await Task.sleep(for: .seconds(1))
          precondition(
            parts.allSatisfy(isTold) && told.withLock(\.count) == parts.count,
            "untold: \(parts.filter { !isTold($0) }), told: \(told.withLock(\.self))")
          over.open()
          gate.open()
          for _ in 1...10 { release.signal() }
        }
      }
    }
  }
#endif
