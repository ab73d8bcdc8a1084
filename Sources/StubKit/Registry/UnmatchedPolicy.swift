import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What becomes of a request that no stub matches.
///
/// ```swift
/// HTTPStubs.unmatched = .passThrough(when: isHost("localhost"))
/// ```
public struct UnmatchedPolicy: Sendable {
  enum Kind: Sendable {
    case fail
    case passThrough(RequestMatcher)
    case respond(@Sendable (URLRequest) -> StubResponse)
  }
  let kind: Kind

  /// The request fails with an ``UnmatchedRequestError``. The default, so that no test reaches the network unnoticed.
  public static let fail = UnmatchedPolicy(kind: .fail)

  /// The request goes to the network as if StubKit were not there, also one that a stub's redirect led to.
  ///
  /// Only the answer to a stub's challenge stays here: if no stub matches the request that brings the credential, it fails with
  /// an ``UnmatchedRequestError``.
  public static let passThrough = UnmatchedPolicy(kind: .passThrough(.anything))

  /// The requests that meet the condition go to the network; the others fail.
  ///
  /// ```swift
  /// HTTPStubs.unmatched = .passThrough(when: isHost("localhost") || isHost("127.0.0.1"))
  /// ```
  ///
  /// A condition may look at the body: a stream that was read for it is given back to URLSession, and where that can't be
  /// done the request fails with a ``BodyAlreadyReadError``.
  public static func passThrough(when condition: RequestMatcher) -> UnmatchedPolicy {
    UnmatchedPolicy(kind: .passThrough(condition))
  }

  /// The closure answers the request, whose body is its `stubBody`.
  ///
  /// ```swift
  /// HTTPStubs.unmatched = .respond { request in .text("nothing at \(request.url!.path)", status: 404) }
  /// ```
  public static func respond(_ response: @escaping @Sendable (URLRequest) -> StubResponse) -> UnmatchedPolicy {
    UnmatchedPolicy(kind: .respond(response))
  }

  /// Whether following the policy may mean running code of the user's.
  var holdsClosure: Bool {
    switch kind {
    case .fail: false
    case .passThrough(let condition): condition.holdsClosure
    case .respond: true
    }
  }
}
