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
      let call = try await stub.nextCall(timeout: .seconds(60))
      #expect(call.request.url?.path == "/feed")
      #expect(call.match.callNumber == 1 && !call.isCancelled)
      call.respond(status: 201, headers: ["Content-Type": "text/plain"])
      for piece in ["first", "second"] {
        call.send(Data(piece.utf8))
        try await until("the piece \(piece) arrives") { delegate.told.contains("data \(piece)") }
      }
      call.finish()
      #expect(await call.outcome() == .answered(status: 201))
      #expect(try await delegate.untilCompletion() == ["head 201", "data first", "data second", "complete"])
      #expect(stub.lastRequest?.response?.headers["Content-Type"] == "text/plain")
      #expect("\(call)" == "GET http://a.example/feed: answered with 201")
    }
  }

  @Test("is handed to the test once, the oldest first")
  func order() async throws {
    let first = try await withStubs {
      let stub = stub(condition: .anything, response: .controlled)
      let waiting = Task { try await stub.nextCall().request.url?.path }
      let first = Task { try await URLSession.patient.data(from: url("http://a.example/1")) }
      #expect(try await waiting.value == "/1")
      let second = Task { try await URLSession.patient.data(from: url("http://a.example/2")) }
      let call = try await stub.nextCall(timeout: .seconds(60))
      #expect(call.request.url?.path == "/2")
      second.cancel()
      #expect(await call.outcome() == .cancelled && call.isCancelled)
      #expect(HTTPStubs.journal.entries.first?.outcome == .inProgress)
      return first
    }
    await #expect(throws: StubScopeEndedError.self) { try await first.value }
  }

  @Test(
    "is the stub's lastCall as soon as its call is counted, of one response or of several", arguments: [false, true])
  func latest(isOfSeveral: Bool) async throws {
    try await withStubs {
      let stub =
        isOfSeveral
        ? stub(condition: bodyContains("x"), responses: [.controlled])
        : stub(condition: .anything, response: .controlled)
      #expect(stub.lastCall == nil)
      var earlier: StubCall?
      for number in 1...2 {
        let request = request("http://a.example/feed", method: "POST", streamed: "xyz")
        let fetched = Task { try await URLSession.patient.fetch(request) }
        try await stub.waitForCalls(number, timeout: .seconds(60))
        let call = try #require(stub.lastCall)
        #expect(call !== earlier)
        #expect(call.request.httpBody == Data("xyz".utf8))
        call.respond(status: 201)
        call.finish()
        #expect(try await fetched.value.status == 201)
        earlier = call
      }
    }
  }

  @Test("that lastCall gave is taken once it is answered, and nextCall() gives it, too")
  func takenByLastCall() async throws {
    try await withStubs {
      let stub = stub(condition: .anything, response: .controlled)
      let fetched = Task { try await URLSession.patient.fetch("http://a.example/feed") }
      try await stub.waitForCalls(1, timeout: .seconds(60))
      let call = try #require(stub.lastCall)
      call.respond(status: 201)
      call.finish()
      #expect(try await fetched.value.status == 201)
      #expect(StubRegistry.current.untakenCalls.isEmpty)
      #expect(try await stub.nextCall() === call)
    }
  }

  @Test("counts once, even if one thread ends it while another begins it")
  func countsOnceInRaces() {
    let registry = StubRegistry()
    let stub = stub(condition: .anything, response: .controlled, times: 20_000, in: registry)
    let incoming = IncomingRequest(request("http://a.example/"))
    let match = RequestMatch(callNumber: 1, captures: Captures(of: .anything, for: incoming.original))
    // So many that some of them race.
    let pairs = (0..<20_000).map { _ in
      let entry = registry.journal.decided(incoming.original, by: stub, match: match, waitsForTest: true)
      return (entry: entry, call: StubCall(incoming.asSent, match))
    }
    // Two threads take the halves of a pair one right after the other.
    DispatchQueue.concurrentPerform(iterations: 2 * pairs.count) { number in
      let (entry, call) = pairs[number / 2]
      if number % 2 == 0 { entry.ends(.cancelled) } else { entry.begins(call) }
    }
    #expect(stub.count(of: .chosen) == pairs.count)
    #expect(stub.count(of: .completed) == pairs.count)
    #expect(!pairs.contains { !$0.call.isCancelled })
  }

  @Test("ends with its client if its body never comes, and is taken once, so that nobody waits for it")
  func bodyNeverComes() async throws {
    try await withStubs { () async throws in
      let stub = stub(condition: isPath("/log"), response: .controlled)
      let delegate = FollowingDelegate()
      let session = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
      let task = session.uploadTask(withStreamedRequest: request("http://a.example/log", method: "POST"))
      task.resume()
      try await until("the delegate is asked for the body") { delegate.isAsked }
      task.cancel()
      let call = try await stub.nextCall(timeout: .seconds(60))
      #expect(await call.outcome() == .cancelled && call.request.httpBody == nil)
      try await until("the request has left") { StubRegistry.current.inFlight.table.withLock(\.entries.isEmpty) }
      stub.remove()
      let error = await #expect(throws: StubWaitError.self) { try await stub.nextCall(timeout: .seconds(3_600)) }
      #expect(error?.description.contains("and it was removed") == true, "\(error as Any)")
    }
  }

  @Test("can't be taken while the client sends its body, and the error and the line say so", arguments: [false, true])
  func openBody(isClosure: Bool) async throws {
    try await withStubs {
      let stub =
        isClosure
        ? stub(condition: isPath("/log"), name: "log") { _ in .controlled }
        : stub(condition: isPath("/log"), response: .controlled, name: "log")
      let release = DispatchSemaphore(value: 0)
      var upload = request("http://a.example/log", method: "POST")
      let stream = WatchedStream(Data("x".utf8), release: release)
      upload.httpBodyStream = stream
      let task = URLSession.shared.dataTask(with: upload) { _, _, _ in }
      task.resume()
      try await until("the stream is read") { stream.isTouched }
      #expect(stub.callCount == 1)
      let error = await #expect(throws: StubWaitError.self) { try await stub.nextCall(timeout: .milliseconds(1)) }
      let sentence =
        "The request POST http://a.example/log sends its body, and the test can take it from the stub \(stub.reference) with "
        + "nextCall() when the body has ended. Let the client end the body."
      #expect(
        error?.description.hasSuffix("received no call within 0.001 seconds that nextCall() can return.\n\(sentence)")
          == true)
      if !isClosure { #expect(StubRegistry.current.untakenCalls.map(\.sentence) == [sentence]) }
      // The cure.
      for _ in 0..<4 { release.signal() }
      let call = try await stub.nextCall(timeout: .seconds(60))
      #expect(call.request.httpBody == Data("x".utf8))
      call.finish()
      #expect(await call.outcome() == .answered(status: 200))
    }
  }

  private enum Step { case respond(Int), send(String), fail(URLError.Code), finish }

  /// Steps, and the status and text that a client gets, or its error's code and the status of the response before it.
  private static let ends: [(steps: [Step], end: String)] = [
    ([.finish], "200 "), ([.fail(.cannotFindHost)], "-1003, of none"),
    ([.send("abc"), .fail(.networkConnectionLost)], "-1005, of 200"),
    ([.send("a"), .finish, .send("b"), .fail(.unknown)], "200 a"),
    ([.respond(202), .respond(500), .finish], "202 "),
  ]

  @Test("ends as the test says")
  func ends() async throws {
    for (steps, end) in Self.ends {
      try await withStubs {
        let state = StubScenario(initial: 0)
        let stubs = [
          stub(condition: isPath("/0") && state.is(0), response: .controlled.moving(state, to: 1)),
          stub(condition: isPath("/1")) { _ in .controlled },
          stub(condition: isPath("/2"), responses: [.controlled, .controlled.failing(afterBytes: 1)]),
        ]
        for (number, stub) in stubs.enumerated() {
          let task = Task { try await URLSession.patient.fetch("http://a.example/\(number)") }
          let call = try await stub.nextCall(timeout: .seconds(60))
          for step in steps {
            switch step {
            case .respond(let status): call.respond(status: status)
            case .send(let text): call.send(Data(text.utf8))
            case .fail(let code): call.fail(URLError(code))
            case .finish: call.finish()
            }
          }
          let status = await call.outcome().status
          switch await task.result {
          case .success(let fetched):
            #expect("\(fetched.status) \(fetched.text)" == end, "\(number)")
            #expect(status == fetched.status, "\(number), \(end)")
          case .failure(let error):
            #expect(
              "\((error as? URLError)?.code.rawValue ?? 0), of \(status.map { "\($0)" } ?? "none")" == end,
              "\(number)")
          }
        }
        // The second response of its sequence breaks off by itself.
        let second = Task { try await URLSession.patient.fetch("http://a.example/2") }
        try await stubs[2].nextCall(timeout: .seconds(60)).send(Data("ab".utf8))
        await #expect(throws: URLError.self, "\(end)") { try await second.value }
      }
    }
  }

  @Test("lets a manual clock go on")
  func clock() async throws {
    let clock = ManualClock.patient
    try await withStubs(in: StubRegistry(clock: clock)) {
      let stub = stub(condition: .anything, response: .controlled)
      let task = Task { try await URLSession.patient.data(from: url("http://a.example/")).0 }
      let call = try await stub.nextCall(timeout: .seconds(60))
      await clock.advance(by: .seconds(10))
      #expect(clock.now.offset == .seconds(10))
      call.send(Data("late".utf8))
      call.finish()
      await clock.advance(by: .seconds(1))
      #expect(try await task.value == Data("late".utf8))
    }
  }

  @Test("ends a wait for a call at once if none can come, with the reason")
  func impossibleCall() async throws {
    try await withStubs {
      let session = URLSession.patient
      let rows: [(Stub, Bool, String)] = [
        (
          stub(condition: isPath("/0"), response: .ok), false,
          "received 0 of 1 expected call, but its response is not .controlled, so that no request waits for the test."
        ),
        (
          stub(condition: isPath("/1"), response: .controlled, times: 1), true,
          "received 1 of 2 expected calls, and it answers at most 1."
        ),
        (stub(condition: isPath("/2"), response: .controlled), false, "expected call, and it was removed."),
      ]
      rows[2].0.remove()
      for (number, (stub, isCalled, reason)) in rows.enumerated() {
        if isCalled {
          let task = Task { try await session.fetch("http://a.example/\(number)") }
          try await stub.nextCall(timeout: .seconds(60)).finish()
          _ = try await task.value
        }
        let error = await #expect(throws: StubWaitError.self, "\(reason)") {
          try await stub.nextCall(timeout: .seconds(3_600))
        }
        #expect(error?.description.contains(reason) == true, "\(number): \(error as Any)")
      }
      // One on its way comes.
      let last = stub(condition: isPath("/last"), response: .controlled, times: 1)
      let task = Task { try await session.fetch("http://a.example/last") }
      try await last.waitForCalls(timeout: .seconds(60))
      last.remove()
      try await last.nextCall(timeout: .seconds(60)).finish()
      _ = try await task.value
    }
  }

  @Test("fails a wait for a call that doesn't come in time, or that is cancelled")
  func noCall() async {
    await withStubs {
      let stub = stub(condition: isPath("/events"), response: .controlled)
      let error = await #expect(throws: StubWaitError.self) { try await stub.nextCall(timeout: .milliseconds(1)) }
      #expect(error?.description.contains("received 0 of 1 expected call within") == true)
      let waiting = Task { try await stub.nextCall() }
      waiting.cancel()
      await #expect(throws: CancellationError.self) { try await waiting.value }
    }
  }

  @Test("whose call nobody takes is named by its registry until somebody does")
  func untaken() async throws {
    try await withStubs {
      let stub = stub(condition: isPath("/events"), response: .controlled)
      let task = Task { try? await URLSession.patient.data(from: url("http://a.example/events")) }
      try await until("the call waits") { !StubRegistry.current.untakenCalls.isEmpty }
      let untaken = StubRegistry.current.untakenCalls[0]
      #expect(untaken.sentence.contains("a.example/events waits for the test"))
      #expect(untaken.location == stub.location)
      try await stub.nextCall().finish()
      #expect(StubRegistry.current.untakenCalls.isEmpty)
      _ = await task.value
    }
  }
}
