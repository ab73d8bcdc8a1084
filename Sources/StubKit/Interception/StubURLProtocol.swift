import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The one protocol class that stands between URLSession and the registries.
///
/// URLSession calls `canInit` inside a process-wide lock and everything else on the task's own queue, so nothing here
/// waits, and no code of the user's runs here.
class StubURLProtocol: URLProtocol {
  private static let handOvers = HandOverTable()
  private var handOver: HandOver?
  private var load: Load?

  override class func canInit(with request: URLRequest) -> Bool { takes(request, of: nil) }

  override class func canInit(with task: URLSessionTask) -> Bool {
    task.currentRequest.map { takes($0, of: task) } ?? false
  }

  private static func takes(_ request: URLRequest, of task: URLSessionTask?) -> Bool {
    guard Platform.leavesToUs(request), let handOver = HandOver() else { return false }
    handOvers.leave(handOver, under: Platform.loadKey(of: task))
    return true
  }

  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override class func requestIsCacheEquivalent(_ a: URLRequest, to b: URLRequest) -> Bool { false }

  /// Called again for every `resume()`, also of a task that is running already.
  override func startLoading() {
    guard let task else { return }
    if let load { return load.start() }
    handOver = handOver ?? Self.handOvers.take(under: Platform.loadKey(of: task))
    // A cancel may have been processed before the start, and a suspended task is started again when it is resumed.
    guard task.state == .running, let handOver else { return }
    self.handOver = nil
    load = Load(of: self, task: task, handOver: handOver)
    load?.start()
  }

  /// Called for a cancel, also of a task that was never started, for a suspend, and after the end.
  override func stopLoading() {
    guard let task else { return }
    guard task.state == .canceling || task.state == .completed else {
      load?.pause()
      return
    }
    if load == nil && handOver == nil { _ = Self.handOvers.take(under: Platform.loadKey(of: task)) }
    handOver = nil
    load?.stop()
  }
}
