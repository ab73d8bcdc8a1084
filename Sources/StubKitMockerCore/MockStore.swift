import Foundation
import StubKit

/// The mocks and the ignored URLs of the process, and the stubs that stand for them.
final class MockStore: Sendable {
  static let shared = MockStore()

  private struct State {
    /// The stubs of each mock.
    var mocks: [Key: [Stub]] = [:]
    var ignored: [IgnoredURL] = []
    /// The number of mocks above which those of ended scopes are looked for.
    var mostMocks = 64

    mutating func removeInactiveMocks() {
      guard mocks.count > mostMocks else { return }
      mocks = mocks.filter { $0.value.contains(where: \.isActive) }
      mostMocks = max(64, 2 * mocks.count)
    }
  }

  /// A mock replaces the one with its key.
  private struct Key: Hashable {
    // A later registry can have the identity of one that is gone, whose stubs answer nothing any more.
    let registry: ObjectIdentifier
    let requests: Mock.Requests
  }

  private struct IgnoredURL {
    let condition: RequestMatcher
    weak var registry: StubRegistry?
    let location: StubLocation
    var stub: Stub?

    func makeStub() -> Stub? {
      registry?.add(condition, .value(.passThrough), name: "ignored", priority: 1, at: location)
    }
  }

  private let state = Protected(State())

  func register(_ mock: Mock, in registry: StubRegistry) {
    let added = mock.stubs(in: registry)
    let key = Key(registry: ObjectIdentifier(registry), requests: mock.requests)
    let replaced = state.withLock { state in
      state.removeInactiveMocks()
      return state.mocks.updateValue(added, forKey: key)
    }
    for stub in replaced ?? [] { stub.remove() }
  }

  func ignore(_ url: URL, _ type: URLMatchType, in registry: StubRegistry, at location: StubLocation) {
    var ignored = IgnoredURL(condition: .url(url, type), registry: registry, location: location)
    if Mocker.mode == .optout { ignored.stub = ignored.makeStub() }
    state.withLock { [ignored] in $0.ignored.append(ignored) }
  }

  /// Without a mock, everything goes to the network in this mode, and a mock comes before an ignored URL.
  func update(isOptIn: Bool, in registry: StubRegistry) {
    let superfluous = state.withLock { state in
      state.ignored.indices.filter { state.ignored[$0].registry === registry }.compactMap { position in
        defer { state.ignored[position].stub = isOptIn ? nil : state.ignored[position].makeStub() }
        return state.ignored[position].stub
      }
    }
    for stub in superfluous { stub.remove() }
  }

  func shouldHandle(_ request: URLRequest, isOptIn: Bool, in registry: StubRegistry) -> Bool {
    let (mocks, ignored) = state.withLock { ($0.mocks, $0.ignored) }
    return isOptIn
      ? mocks.values.contains {
        $0.contains(where: registry.contains)
          && $0.contains { $0.condition.mistake == nil && $0.condition.matches(request) }
      }
      : !ignored.contains { $0.registry === registry && $0.condition.mistake == nil && $0.condition.matches(request) }
  }

  func removeAll(in registry: StubRegistry) {
    let removed = state.withLock { state in
      let mocks = state.mocks.filter { $0.key.registry == ObjectIdentifier(registry) }
      let ignored = state.ignored.filter { $0.registry === registry }
      for key in mocks.keys { state.mocks[key] = nil }
      state.ignored.removeAll { $0.registry === registry }
      return mocks.values.joined() + ignored.compactMap(\.stub)
    }
    for stub in removed { stub.remove() }
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
      ? urlMatches(prefix + "$") : RequestMatcher(ValueCriterion(.url, .equals(MatchText(text))))
    switch type {
    case .full: return whole
    case .prefix: return urlMatches(prefix)
    case .ignoreQuery:
      guard let scheme = url.scheme, let host = url.host else { return whole }
      return isScheme(scheme) && isHost(host) && .path(url.path)
    }
  }
}
