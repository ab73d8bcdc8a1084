import Foundation
import StubKit
import TestSupport
import Testing

@Suite("A request's timeout", .inTurn)
struct RequestTimeoutTests {
  @Test(
    "is its own or its session's",
    arguments: [(0.05, 60), (60, 0.05), (0.05, 0.01)] as [(TimeInterval, TimeInterval)])
  func requests(own: TimeInterval, sessions: TimeInterval) async {
    await withStubs {
      stub(condition: isPath("/slow"), response: .text("late").delay(.seconds(600)))
      stub(condition: isPath("/stalled"), response: .text("late").bodyDuration(.seconds(600)))
      stub(condition: isPath("/upload"), response: .status(204).network(.init(uplink: .bytesPerSecond(1))))
      let closure = stub(condition: isPath("/closure"), name: "closure") { _ in
        // Ends with the load.
        await Latch().pass()
        return .status(204)
      }
      let session = URLSession(configuration: .ephemeral { $0.timeoutIntervalForRequest = sessions })
      let reasons = [
        "slow": "answers after 600.0 seconds.", "stalled": "sends its response slowly.",
        "closure": "the stub \"closure\" (\(closure.location)) waits longer for a closure, a file or the test.",
        "upload": "receives the request slowly.",
      ]
      for (path, reason) in reasons {
        var request = URLRequest(url: url("http://a.example/\(path)"))
        if own != 60 { request.timeoutInterval = own }
        if path == "upload" { (request.httpMethod, request.httpBody) = ("POST", Data(count: 100_000)) }
        let began = ContinuousClock.now
        let error = await #expect(throws: URLError.self, "\(path)") { try await session.fetch(request) }
        #expect(error?.code == .timedOut, "\(path)")
        #expect(error?.localizedDescription.hasSuffix(reason) == true, "\(path)")
        // 60 is URLRequest's default, before which the session's counts.
        #expect(ContinuousClock.now - began >= .seconds(own == 60 ? sessions : own), "\(path)")
      }
      let entries = StubRegistry.current.journal.entries
      #expect(entries.allSatisfy { $0.outcome == .failed(URLError(.timedOut)) }, "\(entries)")
    }
  }

  @Test(
    "that the immediate clock skips says so, and how to hold the request",
    arguments: [
      (.noAnswer, "never answers"), (.ok.delay(.seconds(600)), "answers after 600.0 seconds"),
      (.text("late").bodyDuration(.seconds(600)), "sends its response slowly"),
    ] as [(StubResponse, String)])
  func skipped(response: StubResponse, act: String) async {
    let session = URLSession(configuration: .ephemeral { $0.timeoutIntervalForRequest = 30 })
    for manual in [nil, ManualClock()] {
      await withStubs(in: StubRegistry(clock: manual.map { $0 as any StubClock } ?? .immediate)) {
        let slow = stub(condition: isPath("/slow"), response: response)
        let failing = { @Sendable in await session.failure(of: "http://a.example/slow") as? URLError }
        let failure = if let manual { await manual.run { await failing() } } else { await failing() }
        let hint =
          " The immediate clock has skipped this time. To keep the client waiting, answer with .held(by: gate), or set "
          + "HTTPStubs.clock = ManualClock() in the test."
        #expect(
          failure?.localizedDescription
            == "The request timed out after 30.0 seconds, its timeoutInterval: the stub at \(slow.location) \(act)."
            + (manual == nil ? hint : ""))
      }
    }
  }

  @Test("begins anew after a redirect")
  func redirect() async throws {
    // Both requests together take 3 seconds, more than the timeout, and each takes less.
    let clock = ManualClock.patient
    try await withStubs(in: StubRegistry(clock: clock)) {
      stub(condition: isPath("/"), response: .redirect(to: "/to").delay(.milliseconds(1_500)))
      stub(condition: isPath("/to"), response: .text("there").delay(.milliseconds(1_500)))
      let request = request("http://a.example/", timeout: 2)
      let text = try await clock.run { try await URLSession.shared.fetch(request).text }
      #expect(text == "there")
    }
  }

  @Test("that is zero, negative, infinite, enormous or NaN ends no request")
  func none() async throws {
    for limit in [0, -1, .infinity, .nan, .greatestFiniteMagnitude, -.greatestFiniteMagnitude] as [TimeInterval] {
      // For the whole task, too, those are tried that are larger than 1, of either sign.
      let whole = abs(limit) > 1 ? limit : 3_600
      let session = URLSession(configuration: .ephemeral { $0.timeoutIntervalForResource = whole })
      try await withStubs {
        stub(condition: .anything, response: .text("late").delay(.milliseconds(20)))
        let began = ContinuousClock.now
        let answer = try await session.fetch(request("http://a.example/", timeout: limit))
        #expect(answer.text == "late", "\(limit)")
        #expect(ContinuousClock.now - began >= .milliseconds(20), "\(limit)")
      }
    }
  }

  @Test("for the whole task ends a closure, too")
  func wholeDuringClosure() async throws {
    // Its patience ends soon for closures that don't return.
    let clock = ManualClock.reporting(after: .seconds(1)) { _ in }
    await withStubs(in: StubRegistry(clock: clock)) {
      stub(condition: isPath("/from"), response: .redirect(to: "/closure").delay(.seconds(3)))
      stub(condition: isPath("/closure")) { _ in
        await Latch().pass()
        return .status(204)
      }
      let configuration = URLSessionConfiguration.ephemeral { $0.timeoutIntervalForResource = 5 }
      for path in ["closure", "from"] {
        let events = DelegateEvents()
        let session = events.session(configuration)
        session.dataTask(with: url("http://a.example/\(path)")).resume()
        await clock.advance(by: .milliseconds(4_999))
        #expect(events.told.isEmpty, "\(path)")
        await clock.advance(by: .milliseconds(1))
        #expect(events.told == ["error NSURLErrorDomain -1001"], "\(path)")
        session.invalidateAndCancel()
      }
    }
  }

  @Test("for the whole task counts no time of another request on an immediate clock")
  func wholeOnAnImmediateClock() async throws {
    // The whole task may take 60 seconds. Another's 1,000 don't count, its own 20 are few enough, and 61 are too many.
    let latch = Latch()
    try await withStubs(in: StubRegistry(clock: .immediate)) {
      stub(condition: isPath("/other"), response: .text("other").delay(.seconds(1_000)))
      let closure = stub(condition: isPath("/closure")) { _ in
        await latch.pass()
        return .text("late").delay(.seconds(20))
      }
      stub(condition: isPath("/slow"), response: .text("slow").delay(.seconds(61)))
      let session = URLSession(configuration: .ephemeral { $0.timeoutIntervalForResource = 60 })
      async let direct = session.fetch("http://a.example/closure")
      try await closure.waitForCalls(timeout: .seconds(600))
      _ = try await URLSession.shared.fetch(request("http://a.example/other", timeout: 10_000))
      latch.open()
      let text = try await direct.text
      #expect(text == "late")
      let failure = await session.failure(of: "http://a.example/slow") as? URLError
      #expect(failure?.localizedDescription.contains(", timeoutIntervalForResource of its session: ") == true)
    }
  }
}
