import Foundation

/// Settles which registry an unattributed request belongs to.
extension Load {
  func resolve(_ unattributed: UnattributedReason) {
    guard wait() else { return }
    queue.away { [registry, request = hop.request] in
      unattributed.outcome(of: request, in: registry)
    } then: { [self] outcome in
      guard phase.isOpen else { return }
      self.unattributed = nil
      switch outcome {
      case .registry:
        phase = .ready
        if !isPaused { ask() }
      case .network:
        Trace.log("passed through", hop.request)
        handOver.callbackScope?.release()
        passThrough()
      case .failure(let error):
        Trace.log("unattributed", hop.request)
        fail(with: error)
      }
    }
  }
}
