import Foundation

/// The questions of a load to the task's session and its delegate.
extension LoadClient {
  /// The longest time for which the request waits without receiving anything, or `nil` for ever.
  var idleTimeout: Time? {
    let interval = Platform.timeoutInterval(of: loader.request, task)
    return interval > 0 && interval < 1e9 ? .seconds(interval) : nil
  }

  /// The longest time that the task can take as a whole, or `nil` for ever.
  var resourceTimeout: Time? {
    guard let interval = Platform.resourceTimeoutInterval(of: task) else { return nil }
    return interval > 0 && interval < 1e9 ? .seconds(interval) : nil
  }

  var mayBeRedirected: Bool { Platform.mayBeRedirected(task) }

  /// Lets the system create a new load for the redirect. If the redirect can have been refused, `refused` runs.
  func follow(_ redirect: Redirect, _ response: HTTPURLResponse, refused: @escaping @Sendable () -> Void) {
    Platform.follow(redirect, response, loader, refused: refused)
  }

  func setCurrentRequest(_ request: URLRequest) { Platform.setCurrentRequest(request, of: task) }

  func askAboutRedirect(
    _ response: HTTPURLResponse, _ request: URLRequest, completion: @escaping @Sendable (URLRequest?) -> Void
  ) {
    watchDelegate()
    Platform.callingBack(for: loader) {
      Platform.askAboutRedirect(task, response, request, completion: completion)
    }
  }

  func askForCredential(_ challenge: URLAuthenticationChallenge, _ answer: ChallengeAnswer) {
    watchDelegate()
    Platform.callingBack(for: loader) { Platform.askForCredential(loader, task, challenge, answer) }
  }

  /// Don't call this on the load's queue.
  func cancelTask() { task.cancel() }

  /// Returns the default credential of the space, or else that of its first user.
  func storedCredential(for space: URLProtectionSpace) -> URLCredential? {
    guard let storage = Platform.configuration(of: task)?.urlCredentialStorage else { return nil }
    let known = storage.spaces(equalTo: space)
    if let credential = known.lazy.compactMap({ storage.defaultCredential(for: $0) }).first { return credential }
    return known.flatMap { storage.allCredentials[$0] ?? [:] }.min { $0.key < $1.key }?.value
  }

  func store(_ credential: URLCredential, for space: URLProtectionSpace) {
    guard let storage = Platform.configuration(of: task)?.urlCredentialStorage else { return }
    storage.set(credential, for: storage.spaces(equalTo: space).first ?? space)
  }
}

extension URLCredentialStorage {
  /// Returns the spaces that the storage has credentials for and that equal another one. On Linux,
  /// `credentials(for:)` looks for the very object, because two protection spaces with the same fields are not equal.
  fileprivate func spaces(equalTo space: URLProtectionSpace) -> [URLProtectionSpace] {
    allCredentials.keys.filter { $0.isSame(as: space) }
  }
}

extension URLProtectionSpace {
  fileprivate func isSame(as other: URLProtectionSpace) -> Bool {
    host.caseInsensitiveCompare(other.host) == .orderedSame && port == other.port && realm == other.realm
      && `protocol`?.lowercased() == other.protocol?.lowercased()
      && authenticationMethod == other.authenticationMethod && isProxy() == other.isProxy()
      && proxyType == other.proxyType
  }
}
