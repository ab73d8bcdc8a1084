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
    /// The policy of a recording for the requests that meet its condition, and for others the policy around it.
    indirect case recording(RequestMatcher, Kind, others: Kind)

    /// A Boolean value that indicates whether a request can go to the network.
    package var isOpen: Bool {
      switch self {
      case .fail, .respond: false
      case .passThrough: true
      case .recording(_, let own, let others): own.isOpen || others.isOpen
      }
    }
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

}

extension UnmatchedPolicy.Kind {
  /// A Boolean value that indicates whether following the policy can run the user's code.
  var hasClosure: Bool {
    switch self {
    case .fail: false
    case .passThrough(let condition): condition.hasClosure
    case .respond: true
    case .recording(let condition, let own, let others):
      condition.hasClosure || own.hasClosure || others.hasClosure
    }
  }
}
