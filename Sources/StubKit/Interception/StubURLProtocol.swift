import Foundation

/// The protocol class between URLSession and the registries.
///
/// URLSession calls `canInit` under a process-wide lock, and everything else on the task's own queue. Nothing here
/// waits, and none of the user's code runs here.
///
/// Each scope that creates a session has a subclass of its own for ever. What is `final` takes no space in it.
class StubURLProtocol: URLProtocol {
  /// The mark of the session that has the class, or `nil` for sessions that belong to no registry.
  class var mark: SessionMark? { nil }

  final private var context: RequestContext?
  final private var exchange: Exchange?

  override class func canInit(with request: URLRequest) -> Bool { takes(request, of: nil) }

  override class func canInit(with task: URLSessionTask) -> Bool {
    task.interceptedRequest.map { takes($0, of: task) } ?? false
  }

  private static func takes(_ request: URLRequest, of task: URLSessionTask?) -> Bool {
    guard Platform.canIntercept(request) else {
      if Platform.isOnWorkQueue { RequestWarnings.addEscape(of: request) }
      return false
    }
    guard Platform.depositContext(for: request, of: task, by: self) else { return false }
    Trace.log("taken", request)
    return true
  }

  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override class func requestIsCacheEquivalent(_ a: URLRequest, to b: URLRequest) -> Bool { false }

  /// On Linux, this is called again for every `resume()`, even if the task is running already.
  override func startLoading() {
    guard let task else { return fail(MissingContextError()) }
    if exchange == nil && context == nil { context = takeContext(for: task) }
    adoptState(of: task, isStart: true)
  }

  /// Called for a cancellation, even of a task that was never started, on Linux for a suspension, and after the end.
  override func stopLoading() {
    guard let task else { return }
    if exchange == nil && context == nil && task.state == .canceling {
      // Nothing resumed the task. URLSession's report of the cancellation is the last event for the request's
      // callbacks.
      takeContext(for: task)?.withdrawEntry()
    }
    adoptState(of: task, isStart: false)
  }

  final private func takeContext(for task: URLSessionTask) -> RequestContext? {
    guard let context = task.takeContext() else { return nil }
    note(context.callbacks, of: task)
    return context
  }

  final private func adoptState(of task: URLSessionTask, isStart: Bool) {
    let state = task.desiredState(isStart: isStart)
    if state == .running, exchange == nil {
      guard let exchange = makeExchange(for: task) else { return fail(MissingContextError()) }
      self.exchange = exchange
    }
    let context = context ?? exchange?.context
    defer { if state != .suspended { self.context = nil } }
    guard let exchange else {
      // A suspended task has made no request yet, and one that was cancelled after its `resume()` has.
      if state == .suspended { context?.withdrawEntry() } else { makeExchange(for: task)?.leaveUnasked() }
      return context?.reachedExchange() ?? ()
    }
    Platform.enter(exchange.queue) {
      switch state {
      case .running: exchange.start()
      case .suspended: exchange.pause()
      default: exchange.stop()
      }
      // From here on, the exchange itself says what it waits for.
      context?.reachedExchange()
    }
  }

  /// Returns `nil` if nothing was noted when the request was made, or if the queue of the task is unknown.
  private final func makeExchange(for task: URLSessionTask) -> Exchange? {
    guard let context, let queue = task.clientQueue.map(context.queue) else { return nil }
    return Exchange(request, context, client: TaskClient(loader: self, task: task, queue: queue), on: queue)
  }
}

/// The error of a load for which nothing was noted when its request was made, or whose queue is unknown.
struct MissingContextError: StubKitError {
  var description: String {
    "URLSession started a request that StubKit can't answer. Please report this, with HTTPStubs.capabilities."
  }
}
