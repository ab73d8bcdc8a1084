import Foundation
import StubKit

/// The mocks and the ignored URLs of the process, and the stubs that stand for them.
///
/// No registry is called under the lock: that can wait for requests, whose closures may register mocks.
final class MockStore: Sendable {
  static let shared = MockStore()

  /// What one registry has.
  private struct Mocks {
    weak var registry: StubRegistry?
    /// The stubs of each mock. A mock replaces the one for the same requests.
    var stubs: [Mock.Requests: [Stub]] = [:]
    /// The stubs of the ignored URLs. In the mode in which requests without a mock go to the network, they are removed.
    var ignored: [Stub] = []
  }

  private let state = Protected<[ObjectIdentifier: Mocks]>([:])

  func register(_ mock: Mock, in registry: StubRegistry) {
    let added = mock.stubs(in: registry)
    let replaced = change(in: registry) { $0.stubs.updateValue(added, forKey: mock.requests) }
    for stub in replaced ?? [] { stub.remove() }
  }

  func ignore(_ url: URL, _ type: URLMatchType, in registry: StubRegistry, at location: StubLocation) {
    let stub = stub(for: .url(url, type), in: registry, at: location)
    if Mocker.mode == .optin { stub.remove() }
    change(in: registry) { $0.ignored.append(stub) }
  }

  /// Without a mock, everything goes to the network in this mode, and a mock comes before an ignored URL.
  func update(isOptIn: Bool, in registry: StubRegistry) {
    let ignored = mocks(of: registry)?.ignored ?? []
    let added = isOptIn ? ignored : ignored.map { stub(for: $0.condition, in: registry, at: $0.location) }
    change(in: registry) { $0.ignored = added }
    for stub in ignored { stub.remove() }
  }

  private func stub(for ignored: RequestMatcher, in registry: StubRegistry, at location: StubLocation) -> Stub {
    registry.add(ignored, .value(.passThrough), name: "ignored", priority: 1, at: location)
  }

  func shouldHandle(_ request: URLRequest, isOptIn: Bool, in registry: StubRegistry) -> Bool {
    let mocks = mocks(of: registry)
    let stubs = (isOptIn ? mocks?.stubs.values.flatMap(\.self) : mocks?.ignored) ?? []
    let isMet = stubs.contains {
      registry.contains($0) && $0.condition.mistake == nil && $0.condition.matches(request)
    }
    return isMet == isOptIn
  }

  func removeAll(in registry: StubRegistry) {
    guard let removed = mocks(of: registry) else { return }
    change(in: registry) { $0 = Mocks(registry: registry) }
    for stub in removed.stubs.values.joined() + removed.ignored { stub.remove() }
  }

  private func mocks(of registry: StubRegistry) -> Mocks? {
    let mocks = state.withLock { $0[ObjectIdentifier(registry)] }
    // A registry can have the identity of one that is gone.
    return mocks?.registry === registry ? mocks : nil
  }

  private func change<Result>(in registry: StubRegistry, _ change: (inout Mocks) -> Result) -> Result {
    let (result, ended) = state.withLock { all in
      let ended = all.filter { $0.value.registry == nil }
      for key in ended.keys { all[key] = nil }
      return (change(&all[ObjectIdentifier(registry), default: Mocks(registry: registry)]), ended)
    }
    // What stubs hold can belong to the user, and is released outside of the lock.
    _ = consume ended
    return result
  }
}

extension RequestMatcher {
  /// A condition on a URL as Mocker compares it.
  static func url(_ url: URL, _ type: URLMatchType) -> RequestMatcher {
    let text = url.absoluteString
    let prefix = "^" + NSRegularExpression.escapedPattern(for: text)
    // What would be a mistake in a text that somebody writes is literal in a URL.
    let whole =
      url.scheme == nil
      ? urlMatches(prefix + "$") : RequestMatcher(.url, .equals(MatchText(text)))
    switch type {
    case .full: return whole
    case .prefix: return urlMatches(prefix)
    case .ignoreQuery:
      guard let scheme = url.scheme, let host = url.host else { return whole }
      return isScheme(scheme) && isHost(host) && .path(url.path)
    }
  }
}
