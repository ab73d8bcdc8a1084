import Foundation
import StubKit
import TestSupport

/// The client's side of one run of a cell: makes the request, disturbs it, waits for its end, and writes down what
/// happened.
///
/// It does not know whether a server answers or stubs do.
struct Conversation {
  /// Seconds, longer than any cell takes on a busy machine: who has not come to its end by then, never will.
  static let longestTime = 20.0

  let cell: Cell
  /// The port at which the client asks.
  let port: UInt16
  var configuration = URLSessionConfiguration.ephemeral
  /// Opens when the request has come to whoever answers it.
  var arrival = Latch()
  /// To be opened when a held answer may go out.
  var release = Latch()
  /// Seconds.
  var deadline = longestTime

  func run() async throws -> Transcript {
    let log = EventLog()
    let delegate = cell.style.hasDelegate ? RecordingDelegate.make(for: cell, log: log) : nil
    let sessionDelegate = cell.style == .asyncCallWithDelegate ? nil : delegate
    configure()
    let session = URLSession(configuration: configuration, delegate: sessionDelegate, delegateQueue: nil)
    let body = RequestBody(cell)
    defer { body.remove() }

    let call = Call(cell: cell, session: session, request: request, body: body, delegate: delegate, log: log)
    let isOver = try await disturb(call, session, log)
    for _ in 0..<3 { try await session.settle() }
    var transcript = Transcript()
    transcript.add("client", log.lines)
    transcript.add("call", call.outcome.lines)
    if !isOver { transcript.add("HANGS", ["did not end within \(deadline) seconds"]) }
    if let task = call.task ?? delegate?.task { transcript.add("task", describe(task)) }
    transcript.add("cookies", cookies)
    call.cancel()
    session.finishTasksAndInvalidate()
    return transcript
  }

  private func disturb(_ call: Call, _ session: URLSession, _ log: EventLog) async throws -> Bool {
    switch cell.disturbance {
    case .none: call.start()
    case .cancelBeforeResume:
      call.cancel()
      call.start()
    case .cancelDuringWait:
      call.start()
      guard await arrival.isOpened(within: deadline) else { return false }
      call.cancel()
    case .cancelDuringBody:
      call.start()
      guard await log.bodyHasBegun.isOpened(within: deadline) else { return false }
      call.cancel()
    case .cancelAfterEnd:
      call.start()
      guard await log.isOver.isOpened(within: deadline) else { return false }
      call.cancel()
    case .suspendBeforeResume:
      call.task?.suspend()
      call.start()
      call.start()
    case .suspendDuringWait:
      call.start()
      guard await arrival.isOpened(within: deadline) else { return false }
      call.task?.suspend()
      // The native loader traps when the task runs again before its loader has heard of the suspension.
      try await session.settle()
      release.open()
      call.task?.resume()
    case .resumeTwice:
      call.start()
      guard await arrival.isOpened(within: deadline) else { return false }
      call.start()
      try await session.settle()
      release.open()
    }
    return await log.isOver.isOpened(within: deadline)
  }

  private func configure() {
    let exchange = cell.exchange
    configuration.urlCache = nil
    configuration.httpShouldSetCookies = exchange.handlesCookies
    if !exchange.handlesCookies { configuration.httpCookieAcceptPolicy = .never }
    if !exchange.sessionHeaders.isEmpty { configuration.httpAdditionalHeaders = exchange.sessionHeaders }
    // A process can be stopped for longer than the usual minute.
    configuration.timeoutIntervalForRequest = exchange.sessionTimeout ?? 3_600
    for (name, value) in exchange.storedCookies {
      let cookie = HTTPCookie(properties: [.name: name, .value: value, .domain: "127.0.0.1", .path: "/"])
      cookie.map { configuration.httpCookieStorage?.setCookie($0) }
    }
  }

  private var request: URLRequest {
    var request = URLRequest(url: URL(string: "http://\(cell.exchange.user)127.0.0.1:\(port)\(cell.exchange.target)")!)
    request.httpMethod = cell.method
    for (name, value) in cell.exchange.requestHeaders { request.setValue(value, forHTTPHeaderField: name) }
    if let timeout = cell.exchange.requestTimeout { request.timeoutInterval = timeout }
    let isWithBody = cell.exchange.sendsBodyAlways || !["GET", "HEAD", "DELETE", "OPTIONS"].contains(cell.method)
    if cell.kind == .data && isWithBody || cell.kind == .download && cell.exchange.sendsBodyAlways {
      request.httpBody = Data(cell.exchange.requestBody.utf8)
    }
    return request
  }

  private func describe(_ task: URLSessionTask) -> [String] {
    let state = ["running", "suspended", "canceling", "completed"][task.state.rawValue]
    let response = task.response?.unlessInterim
    // An interim response says of no length to expect, too.
    let expected = task.response != nil && response == nil ? 0 : task.countOfBytesExpectedToReceive
    return [
      "state \(state), \(Describing.error(task.error))",
      "response \(Describing.response(response))",
      "sent \(task.countOfBytesSent) of \(task.countOfBytesExpectedToSend)",
      "received \(task.countOfBytesReceived) of \(expected)",
      progress(of: task),
      "original \(Describing.request(task.originalRequest))",
      "current \(Describing.request(task.currentRequest))",
    ]
  }

  /// The native loader's progress ends in a race between its queues: either all is done, or it still shows the bytes
  /// that were counted, of a total that is mostly unknown. Both are its end; anything else is written down.
  private func progress(of task: URLSessionTask) -> String {
    let (completed, total) = (task.progress.completedUnitCount, task.progress.totalUnitCount)
    let isAtItsEnd = completed == total || completed == task.countOfBytesSent + task.countOfBytesReceived
    return isAtItsEnd ? "progress at its end" : "progress \(completed) of \(total)"
  }

  private var cookies: [String] {
    (configuration.httpCookieStorage?.cookies ?? []).map { "\($0.name)=\($0.value) for \($0.domain)\($0.path)" }
      .sorted()
  }
}
