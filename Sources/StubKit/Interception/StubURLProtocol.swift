import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The one protocol class that stands between URLSession and the registries.
///
/// URLSession calls `canInit` inside a process-wide lock and everything else on the task's own queue, so nothing here
/// waits, and no code of the user's runs here.
class StubURLProtocol: URLProtocol {
  /// What the class says of the session that has it; nil for the class of sessions that belong to no registry.
  class var mark: SessionMark? { nil }

  private static let handOvers = HandOverTable()
  private var handOver: HandOver?
  private var load: Load?

  override class func canInit(with request: URLRequest) -> Bool { takes(request, of: nil) }

  override class func canInit(with task: URLSessionTask) -> Bool {
    task.currentRequest.map { takes($0, of: task) } ?? false
  }

  private static func takes(_ request: URLRequest, of task: URLSessionTask?) -> Bool {
    guard Platform.leavesToUs(request), let handOver = HandOver(for: request, mark) else { return false }
    handOvers.leave(handOver, under: Platform.loadKey(of: task))
    Trace.log("taken", request)
    Platform.taken()
    return true
  }

  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override class func requestIsCacheEquivalent(_ a: URLRequest, to b: URLRequest) -> Bool { false }

  /// Called again for every `resume()`, also of a task that is running already.
  override func startLoading() {
    guard let task else { return }
    if load == nil && handOver == nil { handOver = takeHandOver(for: task) }
    follow(task)
  }

  /// Called for a cancel, also of a task that was never started, for a suspend, and after the end.
  override func stopLoading() {
    guard let task else { return }
    if load == nil && handOver == nil && task.state == .canceling {
      // What URLSession says of the cancellation is the last that the request's callbacks hear.
      _ = takeHandOver(for: task)
    }
    follow(task)
  }

  private func takeHandOver(for task: URLSessionTask) -> HandOver? {
    guard let handOver = Self.handOvers.take(under: Platform.loadKey(of: task)) else { return nil }
    if let scope = handOver.callbackScope { Platform.keepCallbacks(for: self, in: scope) }
    return handOver
  }

  /// Does what the task's state asks for, whichever call brought the news: on Linux a start and a stop may arrive in the
  /// wrong order when they come while the session looks into its cache, but the last one comes after the last change.
  private func follow(_ task: URLSessionTask) {
    // Whatever comes of it: from here on the load itself says what it waits for.
    defer { (handOver ?? load?.handOver)?.arrived() }
    switch task.state {
    case .running:
      if let handOver {
        self.handOver = nil
        load = Load(of: self, task: task, handOver: handOver)
      }
      load?.start()
    case .suspended:
      load?.pause()
    case .canceling, .completed:
      handOver = nil
      load?.stop()
    @unknown default:
      load?.stop()
    }
  }
}
