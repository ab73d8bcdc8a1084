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
    case respond(@Sendable (URLRequest) -> StubResponse)
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

  /// A closure answers the request. The body of the request is its `stubBody`.
  ///
  /// ```swift
  /// HTTPStubs.unmatched = .respond { request in
  ///   .text("nothing at \(request.url!.path)", status: 404)
  /// }
  /// ```
  public static func respond(_ response: @escaping @Sendable (URLRequest) -> StubResponse) -> UnmatchedPolicy {
    UnmatchedPolicy(kind: .respond(response))
  }

  /// The closure of a hand-written mock answers the request.
  ///
  /// ```swift
  /// HTTPStubs.unmatched = .respond { request in
  ///   mock.respond(to: request)
  /// }
  /// ```
  @_disfavoredOverload
  public static func respond(_ response: @escaping @Sendable (URLRequest) -> (HTTPURLResponse, Data)) -> UnmatchedPolicy
  {
    respond { request in
      let (response, body) = response(request)
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

/// What happens to requests that no test claims: they are made on a plain queue, on a thread or in a detached task,
/// through a session that was created outside of every scope.
///
/// Two settings have such a policy: ``StubRegistry/loopback``, for requests to this machine while a scope is open, and
/// ``HTTPStubs/unscoped``, for all requests when no scope is open any more.
public struct UnclaimedPolicy: Sendable, Hashable {
  private let lets: Bool

  /// The request goes out as if StubKit didn't exist. To this machine, the server that listens there can be that of
  /// another test.
  public static let passThrough = UnclaimedPolicy(lets: true)

  /// The request fails. As ``HTTPStubs/unscoped``, with a ``StubScopeEndedError`` and a warning of the run, because a
  /// test that has ended may have left the request behind. A request to this machine goes out.
  public static let fail = UnclaimedPolicy(lets: false)

  /// The same policy for ``StubRegistry/loopback``: the request is treated like one to any other host, so that it
  /// reaches no server on this machine.
  public static let intercept = fail
}

extension HTTPStubs {
  private static let unscopedPolicy = Protected(UnclaimedPolicy.fail)

  /// What happens to requests that belong to nobody after the first scope of the process. Defaults to
  /// ``UnclaimedPolicy/fail``.
  ///
  /// ```swift
  /// // The app that hosts the tests may use the network between them.
  /// HTTPStubs.unscoped = .passThrough
  /// ```
  ///
  /// It applies to the whole process, and only while no scope is open. Code that may use the network beside open scopes
  /// runs in a scope of a registry that isn't enabled.
  public static var unscoped: UnclaimedPolicy {
    get { unscopedPolicy.current }
    set { unscopedPolicy.current = newValue }
  }
}
