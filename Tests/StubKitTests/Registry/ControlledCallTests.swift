import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A response that the test controls", .inTurn)
struct ControlledCallTests {
  @Test("sends the head and the pieces when the test does")
  func pieces() async throws {
    try await withStubs {
      let stub = stub(condition: isPath("/feed"), response: .controlled)
      let delegate = AnsweringDelegate()
      StubRegistry.current.makeSession(configuration: .patient, delegate: delegate).dataTask(
        with: url("http://a.example/feed")
      ).resume()
      let call = try await stub.nextCall()
      #expect(call.request.url?.path == "/feed" && call.match.callNumber == 1 && !call.isCancelled)
      call.respond(status: 201, headers: ["Content-Type": "text/plain"])
      for piece in ["first", "second"] {
        call.send(Data(piece.utf8))
        try await until("the piece \(piece) arrives") { delegate.told.contains("data \(piece)") }
      }
      call.finish()
      #expect(await call.end() == .answered(status: 201))
      #expect(try await delegate.untilCompletion() == ["head 201", "data first", "data second", "complete"])
      #expect(stub.lastRequest?.response?.headers["Content-Type"] == "text/plain")
      #expect("\(call)" == "GET http://a.example/feed: answered with 201")
    }
  }

  @Test("is taken once, the oldest first, whoever waits for it")
  func order() async throws {
    try await withStubs {
      let stub = stub(condition: .anything, response: .controlled)
      let waiting = Task { try await stub.nextCall().request.url?.path }
      let first = Task { try await URLSession.patient.data(from: url("http://a.example/1")) }
      #expect(try await waiting.value == "/1")
      let second = Task { try await URLSession.patient.data(from: url("http://a.example/2")) }
      let call = try await stub.nextCall()
      #expect(call.request.url?.path == "/2")
      second.cancel()
      #expect(await call.end() == .cancelled)
      #expect(call.isCancelled)
      for call in StubRegistry.current.journal.entries.prefix(1) { #expect(call.outcome == .inProgress) }
      StubRegistry.current.loads.endAll(with: StubScopeEndedError())
      await #expect(throws: StubScopeEndedError.self) { try await first.value }
    }
  }

  enum End: CaseIterable { case finishAlone, failAtOnce, failAfterTheHead, sendAfterTheEnd, respondTwice }

  @Test("ends as the test says")
  func ends() async throws {
    for end in End.allCases {
      try await withStubs {
        let stub = stub(condition: .anything, response: .controlled)
        let task = Task { try await URLSession.patient.data(from: url("http://a.example/")) }
        let call = try await stub.nextCall()
        switch end {
        case .finishAlone: call.finish()
        case .failAtOnce: call.fail(URLError(.cannotFindHost))
        case .failAfterTheHead:
          call.send(Data("abc".utf8))
          call.fail(URLError(.networkConnectionLost))
        case .sendAfterTheEnd:
          call.send(Data("a".utf8))
          call.finish()
          call.send(Data("b".utf8))
          call.fail(URLError(.unknown))
        case .respondTwice:
          call.respond(status: 202)
          call.respond(status: 500)
          call.finish()
        }
        let result = await task.result
        #expect(await call.end().status == stub.lastRequest?.outcome.status, "\(end)")
        switch end {
        case .finishAlone: #expect(try result.get().0.isEmpty, "\(end)")
        case .failAtOnce:
          let error = #expect(throws: URLError.self, "\(end)") { try result.get() }
          #expect(error?.code == .cannotFindHost, "\(end)")
        case .failAfterTheHead:
          #expect(throws: URLError.self, "\(end)") { try result.get() }
          #expect(stub.lastRequest?.outcome.status == 200 && stub.lastRequest?.outcome.error is URLError, "\(end)")
        case .sendAfterTheEnd: #expect(try result.get().0 == Data("a".utf8), "\(end)")
        case .respondTwice: #expect((try result.get().1 as? HTTPURLResponse)?.statusCode == 202, "\(end)")
        }
      }
    }
  }

  @Test("comes from a closure and from a sequence, too, and keeps its modifiers")
  func elsewhere() async throws {
    try await withStubs {
      let closure = stub(condition: isPath("/closure")) { _ in .controlled }
      let sequence = stub(condition: isPath("/sequence"), responses: [.text("1"), .controlled.failing(afterBytes: 1)])
      let fromClosure = Task { try await URLSession.patient.data(from: url("http://a.example/closure")).0 }
      try await closure.nextCall().finish()
      #expect(try await fromClosure.value.isEmpty)
      #expect(try await URLSession.patient.data(from: url("http://a.example/sequence")).0 == Data("1".utf8))
      let second = Task { try await URLSession.patient.data(from: url("http://a.example/sequence")) }
      let call = try await sequence.nextCall()
      call.send(Data("ab".utf8))
      await #expect(throws: URLError.self) { try await second.value }
    }
  }

  @Test("lets a manual clock go on")
  func clock() async throws {
    let clock = ManualClock()
    try await withStubs {
      StubRegistry.current.clock = clock
      let stub = stub(condition: .anything, response: .controlled)
      let task = Task { try await URLSession.patient.data(from: url("http://a.example/")).0 }
      let call = try await stub.nextCall()
      await clock.advance(by: .seconds(10))
      #expect(clock.now.offset == .seconds(10))
      call.send(Data("late".utf8))
      call.finish()
      await clock.advance(by: .seconds(1))
      #expect(try await task.value == Data("late".utf8))
    }
  }

  @Test("fails a wait for a call that doesn't come, with the requests that did")
  func noCall() async {
    await withStubs {
      let stub = stub(condition: isPath("/events"), response: .controlled)
      _ = try? await URLSession.shared.data(from: url("http://a.example/event"))
      let error = await #expect(throws: StubWaitError.self) { try await stub.nextCall(within: .milliseconds(1)) }
      #expect(error?.description.contains("received 0 of 1 expected call within") == true)
      #expect(error?.description.contains("✗ path: expected /events, got /event") == true)
      let waiting = Task { try await stub.nextCall() }
      waiting.cancel()
      await #expect(throws: CancellationError.self) { try await waiting.value }
    }
  }

  @Test("is named where its scope ends and nobody has taken it")
  func untaken() async throws {
    try await withStubs {
      let stub = stub(condition: .anything, response: .controlled)
      let task = Task { try? await URLSession.patient.data(from: url("http://a.example/lost")) }
      try await stub.waitForCalls()
      try await until("the call waits") { !StubRegistry.current.untakenCalls.isEmpty }
      let (sentence, location) = StubRegistry.current.untakenCalls[0]
      #expect(sentence.contains("GET http://a.example/lost waits for the test") && location == stub.location)
      try await stub.nextCall().finish()
      #expect(StubRegistry.current.untakenCalls.isEmpty)
      _ = await task.value
    }
  }
}
