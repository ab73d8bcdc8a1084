import Foundation
import StubKit
import TestSupport

/// The stubs of a stress worker: every way in which an answer can be made, each answer naming the worker.
enum StressStubs {
  enum Kind: String, CaseIterable {
    case constant, delayed, paced, file, closure, asyncClosure, closureCondition, failing, throwing, unmatched,
      chunked, brokenOff, redirect, challenge, echo, stream, brokenStream, events, gated, narrow, silent,
      redirectedAway, passedThrough

    static let onTheNetwork: [Kind] = [.redirectedAway, .passedThrough]
    static let stubbed = allCases.filter { !$0.isOnTheNetwork }
    var isOnTheNetwork: Bool { Self.onTheNetwork.contains(self) }
  }

  static let payload = Data("the payload".utf8)

  enum Boom: Error { case boom }

  /// Registers the stubs in the current registry.
  static func register(worker: Int, fixture: URL, server: LoopbackServer, using random: inout SplitMix64) {
    StubRegistry.current.unmatched = .passThrough(when: isHost("127.0.0.1"))
    if worker.isMultiple(of: 4) { StubRegistry.current.clock = .immediate }
    func condition(_ kind: Kind) -> RequestMatcher { isPath(template: "/\(kind)/{worker}/{number}") }
    func milliseconds() -> Duration { .milliseconds(Int.random(in: 0...20, using: &random)) }
    /// The body that names the kind and the worker.
    func text(_ kind: Kind) -> StubResponse { .text(body(of: kind, worker: worker)) }
    func answer(_ kind: Kind, _ response: StubResponse) { stub(condition: condition(kind), response: response) }
    answer(.constant, text(.constant))
    answer(.delayed, text(.delayed).delay(milliseconds()))
    answer(.paced, text(.paced).delay(milliseconds()).bodyDuration(.milliseconds(50)))
    answer(.file, .file(fixture))
    stub(condition: condition(.closure)) { _, match in .text("closure \(worker) \(match["number"] ?? "")") }
    let pause = milliseconds()
    stub(condition: condition(.asyncClosure)) { _, match in
      try await Task.sleep(for: pause)
      return .text("asyncClosure \(worker) \(match["number"] ?? "")")
    }
    stub(condition: condition(.closureCondition) && { $0.timeoutInterval > 0 }, response: text(.closureCondition))
    answer(.failing, .failure(.networkConnectionLost).delay(milliseconds()))
    stub(condition: condition(.throwing)) { _ in throw Boom.boom }
    answer(.chunked, text(.chunked).chunked(by: 2))
    answer(.brokenOff, text(.brokenOff).chunked(by: 1, every: .milliseconds(1)).failing(afterBytes: 4))
    answer(.redirect, .redirect(to: "/redirected/\(worker)").delay(milliseconds()))
    stub(condition: isPath("/redirected/\(worker)"), response: text(.redirect))
    answer(
      .challenge,
      .text("who?", status: 401).header("WWW-Authenticate", "Basic realm=\"stress\"").delay(milliseconds()))
    stub(condition: condition(.challenge) && hasBasicAuth(user: "u", password: "p"), response: text(.challenge))
    stub(condition: condition(.echo)) { request in .data(request.stubBody ?? Data("no body".utf8)) }
    answer(.stream, .stream { chunks(of: body(of: .stream, worker: worker), every: pause) })
    answer(.brokenStream, .stream { chunks(of: "half", every: pause, error: URLError(.cannotDecodeRawData)) })
    answer(.events, .events(["one", "two"], every: milliseconds()))
    stub(condition: condition(.gated)) { _ in
      let gate = ResponseGate()
      Exchange.after(.milliseconds(Int.random(in: 0...10))) { gate.open() }
      return .text(body(of: .gated, worker: worker)).held(by: gate)
    }
    let narrow = NetworkConditions(latency: milliseconds(), jitter: .milliseconds(2), downlink: .kilobytesPerSecond(1))
    answer(.narrow, text(.narrow).chunked(by: 3).network(narrow))
    answer(.silent, .noAnswer)
    stub(condition: isPath("/other"), response: .noAnswer)
    answer(.redirectedAway, .redirect(to: server.url("/away/\(worker)")))
  }

  private static func body(of kind: Kind, worker: Int) -> String { "\(kind) \(worker)" }

  private static func chunks(
    of text: String, every pause: Duration, error: (any Error)? = nil
  ) -> AsyncThrowingStream<Data, any Error> {
    AsyncThrowingStream { continuation in
      let task = Task {
        for character in text.utf8 {
          continuation.yield(Data([character]))
          if character % 4 == 0 { try await Task.sleep(for: pause / 4) }
        }
        continuation.finish(throwing: error)
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  /// What is wrong with an ending, nil for one that is as it must be.
  static func fault(in ending: Ending, of exchange: Exchange, worker: Int) -> String? {
    switch (exchange.kind, ending) {
    case (_, .error(let error)) where exchange.mayBeCancelled && isCancellation(error): nil
    case (_, .error(let error)) where exchange.taskKind == .download && PlainMode.refusesDownload(error): nil
    case (.closure, .body("closure \(worker) \(exchange.number)")): nil
    case (.asyncClosure, .body("asyncClosure \(worker) \(exchange.number)")): nil
    case (.file, .body("the fixture")): nil
    case (.constant, .body(let text)), (.delayed, .body(let text)), (.paced, .body(let text)),
      (.closureCondition, .body(let text)), (.chunked, .body(let text)), (.redirect, .body(let text)),
      (.stream, .body(let text)), (.gated, .body(let text)), (.narrow, .body(let text)):
      text == body(of: exchange.kind, worker: worker) ? nil : "wrong body \"\(text)\""
    // Without a delegate nobody gives the credential, and in the plain mode a delegate isn't asked.
    case (.challenge, .body(let text)):
      text == (exchange.style == .delegate && !PlainMode.isOn ? body(of: .challenge, worker: worker) : "who?")
        ? nil : "wrong body \"\(text)\""
    case (.events, .body("data: one\n\ndata: two\n\n")): nil
    case (.brokenStream, .error(let error as URLError)) where error.code == .cannotDecodeRawData: nil
    case (.silent, .error(let error as URLError)) where error.code == .timedOut: nil
    case (.echo, .body(let text)):
      text == (exchange.hasBody && !PlainMode.isOn ? payload.text : "no body")
        ? nil : "wrong body \"\(text)\""
    case (.redirectedAway, .body("real \(exchange.method) /away/\(worker)")): nil
    case (.passedThrough, .body("real \(exchange.method) /passedThrough/\(worker)/\(exchange.number)")): nil
    case (.failing, .error(let error as URLError)) where error.code == .networkConnectionLost: nil
    case (.brokenOff, .error(let error as URLError)) where error.code == .networkConnectionLost: nil
    case (.throwing, .error(Boom.boom)): nil
    case (.unmatched, .error(is UnmatchedRequestError)): nil
    default: "wrong ending \(ending)"
    }
  }

  private static func isCancellation(_ error: any Error) -> Bool {
    (error as? URLError)?.code == .cancelled || error is CancellationError
  }
}
