import Foundation
import StubKit
import TestSupport
import Testing

/// A response, who asks for it, and what is told at which millisecond: what has been sent, the head, how many bytes
/// have come, and the end or the error's code.
struct Told: Sendable {
  enum Requester { case delegate, handler }
  enum Action { case open, suspend, resume, cancel }

  let name: String
  let response: StubResponse
  let requester: Requester
  let method: String
  /// The length of the request's body.
  let upload: Int
  /// The timeouts of the request and of its resource, in milliseconds.
  let timeout: Int?
  let wholeTimeout: Int?
  /// The conditions of the registry.
  let network: NetworkConditions?
  let isHeld: Bool
  let script: [Int: Action]
  let told: String

  /// - Parameter method: Defaults to POST for an upload, and to GET otherwise.
  init(
    _ name: String, _ response: StubResponse, by requester: Requester = .delegate, method: String? = nil,
    upload: Int = 0, timeout: Int? = nil, wholeTimeout: Int? = nil, network: NetworkConditions? = nil,
    isHeld: Bool = false, script: [Int: Action] = [:], _ told: String
  ) {
    (self.name, self.response, self.requester) = (name, response, requester)
    self.method = method ?? (upload > 0 ? "POST" : "GET")
    (self.upload, self.timeout, self.wholeTimeout, self.network) = (upload, timeout, wholeTimeout, network)
    (self.isHeld, self.script, self.told) = (isHeld, script, told)
  }

  /// Returns what is told of it on a manual clock.
  func played(script: [Int: Action]? = nil) async throws -> String {
    let script = script ?? self.script
    let (clock, registry, gate) = (ManualClock(), StubRegistry(), ResponseGate())
    registry.clock = clock
    registry.network = network
    return try await withStubs(in: registry) {
      stub(condition: .anything, response: isHeld ? response.held(by: gate) : response)
      let events = clock.events()
      let configuration = URLSessionConfiguration.patient
      if let wholeTimeout { configuration.timeoutIntervalForResource = Double(wholeTimeout) / 1_000 }
      let session = URLSession(
        configuration: configuration, delegate: requester == .delegate ? events : nil, delegateQueue: nil)
      let request = request(
        "http://a.example/", method: method, timeout: timeout.map { Double($0) / 1_000 } ?? 3_600)
      let task =
        switch requester {
        case .delegate where upload > 0: session.uploadTask(with: request, from: Data(count: upload))
        case .delegate: session.dataTask(with: request)
        case .handler:
          session.dataTask(with: request) { data, _, error in
            events.note(clock.dated(error.map { "error \(($0 as NSError).code)" } ?? "end \(data?.count ?? 0)"))
          }
        }
      task.resume()
      try await session.settle()
      for (time, action) in script.sorted(by: { $0.key < $1.key }) {
        await clock.advance(to: ManualClock.Instant(offset: .milliseconds(time)))
        switch action {
        case .open: gate.open()
        case .suspend: task.suspend()
        case .resume: task.resume()
        case .cancel: task.cancel()
        }
        try await session.settle()
        await clock.advance(by: .zero)
      }
      await clock.advanceToEnd()
      session.finishTasksAndInvalidate()
      #expect(clock.pendingCount == 0 && gate.waitingCount == 0, "\(name): something still waits")
      return events.told.joined(separator: " | ")
    }
  }
}

extension StubResponse {
  /// A body whose chunks have these lengths, and come at these milliseconds.
  static func stream(_ chunks: [(length: Int, time: Int)], end: Int) -> StubResponse {
    .stream {
      let clock = StubRegistry.current.clock as? ManualClock
      return AsyncStream<Data> { continuation in
        let task = Task {
          for (length, time) in chunks {
            try await clock?.sleep(until: ManualClock.Instant(offset: .milliseconds(time)))
            continuation.yield(Data(count: length))
          }
          try await clock?.sleep(until: ManualClock.Instant(offset: .milliseconds(end)))
          continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
      }
    }
  }
}

extension ManualClock {
  /// A delegate that writes down what it is told, and when.
  fileprivate func events() -> DelegateEvents {
    let length = Locked(0)
    return DelegateEvents { event in
      let text: String? =
        switch event {
        case .head: "head"
        case .data(let data): "\(length.adding(data.count))"
        case .sent(_, let total, _): "sent \(total)"
        case .end(let error): error.map { "error \(($0 as NSError).code)" } ?? "end"
        case .redirect, .challenge, .wrote, .file: nil
        }
      return text.map(self.dated)
    }
  }

  /// A text after the milliseconds that have passed.
  fileprivate func dated(_ text: String) -> String {
    "\(elapsed / .milliseconds(1)) \(text)".replacing(".0 ", with: " ")
  }
}
