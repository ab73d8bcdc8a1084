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

  final private var handOver: HandOver?
  final private var load: Load?

  override class func canInit(with request: URLRequest) -> Bool { takes(request, of: nil) }

  override class func canInit(with task: URLSessionTask) -> Bool {
    task.currentRequest.map { takes($0, of: task) } ?? false
  }

  private static func takes(_ request: URLRequest, of task: URLSessionTask?) -> Bool {
    guard Platform.leavesToUs(request), Platform.leaveHandOver(for: request, of: task, by: self) else { return false }
    Trace.log("taken", request)
    Platform.taken()
    return true
  }

  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override class func requestIsCacheEquivalent(_ a: URLRequest, to b: URLRequest) -> Bool { false }

  /// On Linux, this is called again for every `resume()`, even if the task is running already.
  override func startLoading() {
    guard let task else { return Platform.fail(self, MissingHandOverError()) }
    if load == nil && handOver == nil { handOver = takeHandOver(for: task) }
    follow(task, isStart: true)
  }

  /// Called for a cancellation, even of a task that was never started, on Linux for a suspension, and after the end.
  override func stopLoading() {
    guard let task else { return }
    if load == nil && handOver == nil && task.state == .canceling {
      // URLSession's report of the cancellation is the last event for the request's callbacks.
      _ = takeHandOver(for: task)
    }
    follow(task, isStart: false)
  }

  final private func takeHandOver(for task: URLSessionTask) -> HandOver? {
    guard let handOver = Platform.takeHandOver(for: task) else { return nil }
    if let scope = handOver.callbackScope { Platform.keepCallbacks(for: self, in: scope) }
    return handOver
  }

  final private func follow(_ task: URLSessionTask, isStart: Bool) {
    let state = Platform.desiredState(of: task, isStart: isStart)
    if state == .running, load == nil {
      guard let handOver else { return Platform.fail(self, MissingHandOverError()) }
      load = Load(of: self, task: task, handOver: handOver)
    }
    let handOver = handOver ?? load?.handOver
    if state != .paused { self.handOver = nil }
    guard let load else { return handOver?.arrived() ?? () }
    Platform.enter(load.queue) {
      load.enter(state)
      // From here on, the load itself says what it waits for.
      handOver?.arrived()
    }
  }
}

/// The state that a load should be in now.
enum DesiredLoadState {
  case running
  case paused
  case stopped
}

extension Load {
  fileprivate func enter(_ state: DesiredLoadState) {
    switch state {
    case .running: start()
    case .paused: pause()
    case .stopped: stop()
    }
  }
}

/// The error of a load for which nothing was noted when its request was made.
struct MissingHandOverError: StubKitError {
  var description: String {
    "URLSession started a request without asking StubKit first. Please report this, with StubKitCapabilities.current."
  }
}
