import Foundation

/// What happens to a request that no stub matches.
///
/// ```swift
/// HTTPStubs.unmatched = .passThrough(when: isHost("localhost"))
/// ```
public struct UnmatchedPolicy: Sendable {
  package enum Kind: Sendable {
    case fail
    case passThrough(RequestMatcher)
    case respond(@Sendable (URLRequest) async throws -> StubResponse)
  }
  package let kind: Kind

  /// The request fails with an ``UnmatchedRequestError``. This is the default, so that no test reaches the network by
  /// accident.
  public static let fail = UnmatchedPolicy(kind: .fail)

  /// The request goes to the network as if StubKit didn't exist, even if a stub redirected to it.
  ///
  /// There is one exception: if no stub matches the request that answers a stub's challenge, that request fails with
  /// an ``UnmatchedRequestError``, so that its credential stays here.
  public static let passThrough = UnmatchedPolicy(kind: .passThrough(.anything))

  /// Requests that meet a condition go to the network, and all others fail.
  ///
  /// ```swift
  /// HTTPStubs.unmatched = .passThrough(
  ///   when: isHost("localhost") || isHost("127.0.0.1"))
  /// ```
  ///
  /// The condition can read the body, which is sent all the same, even if it comes from a stream.
  public static func passThrough(when condition: RequestMatcher) -> UnmatchedPolicy {
    UnmatchedPolicy(kind: .passThrough(condition))
  }

  /// Requests for which a closure returns `true` go to the network, and all others fail.
  ///
  /// ```swift
  /// HTTPStubs.unmatched = .passThrough { $0.url?.port == 8080 }
  /// ```
  public static func passThrough(when condition: @escaping @Sendable (URLRequest) -> Bool) -> UnmatchedPolicy {
    passThrough(when: RequestMatcher(closure: condition))
  }

  /// A closure answers the request, as that of a stub does. If it throws an error, the request fails with that error.
  /// The body of the request is its `stubBody`.
  ///
  /// ```swift
  /// HTTPStubs.unmatched = .respond { request in
  ///   .text("nothing at \(request.url!.path)", status: 404)
  /// }
  /// ```
  public static func respond(
    _ response: @escaping @Sendable (URLRequest) async throws -> StubResponse
  ) -> UnmatchedPolicy {
    UnmatchedPolicy(kind: .respond(response))
  }

  /// The closure of a hand-written mock answers the request.
  ///
  /// ```swift
  /// HTTPStubs.unmatched = .respond { request in
  ///   try mock.respond(to: request)
  /// }
  /// ```
  @_disfavoredOverload
  public static func respond(
    _ response: @escaping @Sendable (URLRequest) async throws -> (HTTPURLResponse, Data)
  ) -> UnmatchedPolicy {
    respond { request in
      let (response, body) = try await response(request)
      return StubResponse(response, body)
    }
  }

  /// Why the condition can't match any request, or `nil`.
  var mistake: String? { if case .passThrough(let condition) = kind { condition.mistake } else { nil } }

  /// A Boolean value that indicates whether following the policy can run the user's code.
  var hasClosure: Bool {
    switch kind {
    case .fail: false
    case .passThrough(let condition): condition.hasClosure
    case .respond: true
    }
  }
}

/// What happens to unscoped requests: they are made on a plain queue, on a thread or in a detached task, through a
/// session that was created outside of every scope.
///
/// Two settings have such a policy: ``HTTPStubs/loopback``, for requests to this machine while a scope is open, and
/// ``HTTPStubs/unscoped``, for all requests when no scope is open any more.
public struct UnscopedPolicy: Sendable, Hashable {
  private let lets: Bool

  /// The request goes out as if StubKit didn't exist. To this machine, the server that listens there can be that of
  /// another test.
  public static let passThrough = UnscopedPolicy(lets: true)

  /// The request fails. As ``HTTPStubs/unscoped``, with a ``StubScopeEndedError`` and a warning of the run, because a
  /// test that has ended may have left the request behind. A request to this machine goes out.
  ///
  /// As ``HTTPStubs/loopback``, a request to this machine is treated like one to any other host: the scope answers it
  /// if it is the only one, and the request reaches no server.
  public static let fail = UnscopedPolicy(lets: false)
}

extension HTTPStubs {
  private static let unscopedPolicy = Protected<UnscopedPolicy?>(nil)

  /// What happens to unscoped requests, which belong to no test. By default, those after the first scope of the
  /// process fail, as with ``UnscopedPolicy/fail``. Those before it go out, and so do those of a test that is known to
  /// have no scope. A line on standard error tells of the first one of each test.
  ///
  /// ```swift
  /// // The app that hosts the tests may use the network between them.
  /// HTTPStubs.unscoped = .passThrough
  /// ```
  ///
  /// To block all network requests, as WebMock's `disable_net_connect!` or nock's `disableNetConnect` do, set `.fail`
  /// yourself. Then each request without a scope fails that no stub answers, in tests without a scope, too:
  ///
  /// ```swift
  /// HTTPStubs.unscoped = .fail
  /// ```
  ///
  /// The environment variable `STUBKIT_NETWORK=off` does so without code, and keeps what a policy or a stub lets
  /// through, too. Requests to this machine go out. Sessions for which StubKit is disabled aren't intercepted.
  ///
  /// It applies to the whole process, and `.passThrough` only while no scope is open. Code that may use the network
  /// beside open scopes runs in a scope of a registry that isn't enabled.
  public static var unscoped: UnscopedPolicy {
    get { unscopedPolicy.current ?? .fail }
    set {
      unscopedPolicy.current = newValue
      if newValue == .fail { SessionInstallation.activate() }
    }
  }

  /// The policy that was set, or `nil` if none was.
  static var chosenUnscoped: UnscopedPolicy? { unscopedPolicy.current }

  /// Sets no policy, for tests.
  static func forgetUnscoped() { unscopedPolicy.current = nil }
}

/// Whether a request may leave for the network, and where it goes if not.
///
/// This is decided when the request is made, where no stub can be asked, because URLSession holds a lock. If it hangs
/// on stubs, the exchange asks again before it asks a registry. When no stub has matched, the search asks a last
/// time.
enum Departure {
  /// It goes to the network.
  case departs
  /// A registry answers: the global one if it is enabled, or else that of the only open scope.
  case stays
  /// It leaves only if no open scope has a stub for it.
  case hangsOnStubs
  /// No stub matches it, and the policy for such requests decides.
  case followsPolicy(UnmatchedPolicy.Kind)
  /// It fails, because each scope that it can belong to has ended.
  case late
  /// It fails, because it can belong to any of several scopes.
  case unclear
  /// It fails, because there is no network.
  case offline

  /// Decides about a request that neither its task nor its session claims. The first row that applies decides.
  ///
  /// - Parameters:
  ///   - isLate: Whether a callback makes it whose scope has ended.
  ///   - isUnscoped: Whether it certainly comes from a test that has no scope.
  ///   - owner: Who it belongs to as nobody claims it.
  ///   - isLoopback: Whether it goes to this machine.
  ///   - isKept: Whether an open scope keeps it from a server on this machine, or `nil` if none was asked.
  ///   - policy: The policy for code outside of scopes when none is open any more.
  init(
    isLate: Bool = false, isUnscoped: Bool = false, _ owner: OpenScopes.Inferred, isLoopback: Bool,
    isKept: Bool? = nil, unscoped policy: UnscopedPolicy = .fail
  ) {
    let asksStubs = isLoopback && isKept == nil
    self =
      switch owner {
      case .global: .stays
      case _ where isLate: .late
      case _ where isUnscoped: .departs
      case .never: .departs
      case _ where isLoopback && isKept == false: .departs
      // A server on this machine can belong to any test, and to none.
      case .ended: isLoopback || policy == .passThrough ? .departs : .late
      case .only: asksStubs ? .hangsOnStubs : .stays
      case .several: asksStubs ? .hangsOnStubs : .unclear
      }
  }

  /// Decides about a request that hangs on the stubs of open scopes. Don't call this on a queue of URLSession.
  ///
  /// - Parameter owner: Who it belongs to, by the scopes that were open when it was made.
  static func ofUnclaimed(
    _ request: URLRequest, _ owner: OpenScopes.Inferred, scopes: OpenScopes = .shared
  ) -> Departure {
    let incoming = IncomingRequest(request)
    let isKept =
      switch owner {
      // A closure there, or a body, can still decide.
      case .only(let reference, _): reference.registry.keeps(incoming, closuresMatch: true)
      case .several: scopes.registries.contains { $0.registry.isEnabled && $0.registry.keeps(incoming) }
      case .global, .never, .ended: false
      }
    return Departure(owner, isLoopback: request.isLoopback, isKept: isKept)
  }
}

extension StubRegistry {
  /// Decides about a request that no stub here matches.
  func departure(ofUnmatched incoming: IncomingRequest, _ confidence: AttributionConfidence) -> Departure {
    // It names no scope, and the only open one doesn't keep it from a server on this machine.
    if confidence == .onlyScope, incoming.original.isLoopback, !keeps(incoming) { return .departs }
    if isOffline { return .offline }
    let policy = unmatched.kind
    if case .passThrough = policy, NetworkAccess.blocks(incoming.original) { return .followsPolicy(.fail) }
    return .followsPolicy(policy)
  }

  /// Decides about a request that a stub here passes through. What the request takes along is another question: the
  /// client keeps a credential in the process that a stub has demanded.
  var departureByStub: Departure { isOffline ? .offline : .departs }

  /// Returns whether a stub here, or the policy, keeps a request that names no scope from a server on this machine.
  fileprivate func keeps(_ incoming: IncomingRequest, closuresMatch: Bool = false) -> Bool {
    loopback == .fail || newestStub(forHeadOf: incoming, closuresMatch: closuresMatch) != nil
  }

  /// Returns the stub that is asked first of those that can answer a request, as far as the head of the request tells.
  /// No closure runs.
  func newestStub(forHeadOf incoming: IncomingRequest, closuresMatch: Bool = false) -> Stub? {
    // Without the body's hashes, every stub that is known by a body is a candidate.
    var head = RequestFacts(incoming)
    return withIndex { $0.candidates(olderThan: .max, &head, all: true) }.first { stub in
      let condition = stub.condition
      return !stub.isUsedUp && condition.canBe(true, &head, readsBody: false)
        && (closuresMatch || !condition.hasClosure || !condition.canBe(false, &head, readsBody: false))
    }
  }
}

/// The known facts about the code that makes a request.
struct Requester {
  /// The registry of the task that makes the request, or of the request whose callback makes it.
  let registry: StubRegistry?
  /// The scope of the callback that makes the request, if it has ended.
  let lateScope: CallbackScope?
  /// A Boolean value that indicates whether the code has a scope, or belongs to a test that is known to have none.
  let isKnown: Bool

  /// The requester for code that runs on this thread.
  static var current: Requester {
    let registry = StubRegistry.local
    let scope = CallbackScope.current
    let lateScope = scope.flatMap { $0.isOver(for: registry) ? $0 : nil }
    return Requester(
      registry: registry, lateScope: lateScope,
      isKnown: registry != nil || scope === CallbackScope.unscoped || RunningTest.isKnown
        || RunningTest.isOfPlainTestCase && OpenScopes.shared.areOfSwiftTesting)
  }
}

extension StubRegistry {
  /// A Boolean value that indicates whether code here that asks for the registry's requests can miss some: the registry
  /// isn't enabled, or it is the global one beside open scopes, and the code can belong to one of those.
  var isBlind: Bool {
    guard isEnabled else { return true }
    guard self === StubRegistry.global, StubRegistry.local == nil else { return false }
    // A test that is known to have no scope asks the right one.
    if RunningTest.isOfFramework { return false }
    if RunningTest.isOfPlainTestCase, OpenScopes.shared.areOfSwiftTesting { return false }
    return OpenScopes.shared.registries.contains(where: \.registry.isEnabled)
  }
}

/// How StubKit knows that a request belongs to its registry.
enum AttributionConfidence: CaseIterable {
  /// By the code that makes it, or by a session that is bound to the registry.
  case certain
  /// Only by its session, which was created in the registry's scope.
  case session
  /// Only because no other scope is open.
  case onlyScope
  /// Only because no scope claims it, though scopes are open. The registry is the global one.
  case global

  var isInferred: Bool { self == .session || self == .onlyScope }
}
