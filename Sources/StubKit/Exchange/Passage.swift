import Foundation

/// The way to the network of a request that no registry answers. The same rules decide about each redirect.
struct Passage: Sendable {
  /// Whether neither its task nor its session claims the request. If not, it belongs to a registry that isn't enabled.
  let isUnscoped: Bool
  /// How a request fails that leaves this machine, if no scope is open any more.
  var lateness: (reason: StubScopeEndedError.Reason, test: String?)?
  /// The test that makes the request, if one is known.
  var test: NetworkAccess.UnscopedTest?

  /// Returns how the request that a redirect leads to fails, or `nil` if it goes to the network, too. A lock of
  /// URLSession can be held where this is called.
  func refusal(of request: URLRequest) -> RequestContext.Route? {
    if let lateness, !request.isLoopback, NetworkAccess.failsUnscoped { return .late(lateness.reason, lateness.test) }
    let isBlocked = isUnscoped ? NetworkAccess.blocksUnscoped(request) : NetworkAccess.blocks(request)
    if isBlocked { return .blocked(test?.name) }
    if isUnscoped { NetworkAccess.tellOfDeparture(request, of: test) }
    return nil
  }

  /// Returns whether something can be said about the requests that redirects of a request lead to. What leaves this
  /// machine has been allowed and told already.
  func asksRedirects(of request: URLRequest) -> Bool {
    guard request.isLoopback else { return false }
    if NetworkAccess.isOff { return true }
    guard isUnscoped else { return false }
    if NetworkAccess.failsUnscopedByChoice || lateness != nil && NetworkAccess.failsUnscoped { return true }
    return test != nil && NetworkAccess.tellsOfDepartures
  }
}
