import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Something that happened to a request: what ``StubRegistry/events`` brings.
///
/// ```swift
/// for await event in StubRegistry.current.events where event.kind == .missing {
///   print("nothing answers \(event.request)")
/// }
/// ```
///
/// A request that a stub answers makes an ``Kind/activation`` and then one ``Kind/redirect`` or one ``Kind/finish``; a request that none
/// matches makes one ``Kind/missing`` and nothing else.
public struct StubEvent: Sendable, CustomStringConvertible {
  /// What happened. Compared by value, so that `switch` and `==` work on it; there may be more kinds in a later version.
  public struct Kind: Sendable, Hashable, CustomStringConvertible {
    /// The kind's name.
    public let description: String

    /// A stub was chosen, and its response is about to be given.
    public static let activation = Kind(description: "activation")
    /// The response led to another request, which is about to be made.
    public static let redirect = Kind(description: "redirect")
    /// The response was given, or broke off.
    public static let finish = Kind(description: "finish")
    /// No stub matches.
    public static let missing = Kind(description: "missing")
  }

  /// What happened.
  public let kind: Kind
  /// The request, with its body as its `stubBody`.
  public let request: URLRequest
  /// The stub that answers; nil for ``Kind/missing``.
  public let stub: Stub?
  /// What it answers with, a failure if its closure threw; nil for ``Kind/missing``.
  public let response: StubResponse?
  /// Where a redirect leads, as the session's delegate may have changed it; nil for every other kind.
  public let redirected: URLRequest?
  /// What a request failed with; nil for one that was answered to its end, and for every kind but ``Kind/finish``.
  public let error: (any Error)?
  /// How many events before this one the stream has dropped because nobody read them in time; 0 as a rule.
  /// See ``StubRegistry/events``.
  public internal(set) var droppedCount = 0

  init(
    kind: Kind, request: URLRequest, stub: Stub?, response: StubResponse?, redirected: URLRequest?, error: (any Error)?
  ) {
    self.kind = kind
    self.request = request
    self.stub = stub
    self.response = response
    self.redirected = redirected
    self.error = error
  }

  /// `activation: GET https://api.example.com/users`
  public var description: String {
    var text = "\(kind): \(request.summary)"
    if let redirected { text += " to \(redirected.summary)" }
    if let error { text += ", \(error.localizedDescription)" }
    if droppedCount > 0 { text += " (\(droppedCount) events before it were dropped, since nobody read them)" }
    return text
  }
}
