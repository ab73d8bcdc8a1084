import Foundation

/// An event of a request, as ``StubRegistry/events`` delivers it.
///
/// ```swift
/// for await event in StubRegistry.current.events
/// where event.kind == .missing {
///   print("nothing answers \(event.request)")
/// }
/// ```
///
/// A request that a stub answers causes an ``Kind/activation`` and then a ``Kind/redirect`` or a ``Kind/finish``. An
/// unmatched request causes only a ``Kind/missing``.
public struct StubEvent: Sendable, CustomStringConvertible {
  /// The kind of an event. Kinds compare by value, so you can use `switch` and `==`. Later versions can add kinds.
  public struct Kind: Sendable, Hashable, CustomStringConvertible {
    /// The name of the kind.
    public let description: String

    /// A stub was chosen, and its response is about to begin.
    public static let activation = Kind(description: "activation")
    /// The response led to another request, which is about to be made.
    public static let redirect = Kind(description: "redirect")
    /// The response ended or broke off.
    public static let finish = Kind(description: "finish")
    /// No stub matches.
    public static let missing = Kind(description: "missing")
  }

  /// The kind of the event.
  public let kind: Kind
  /// The request. Its body is its `stubBody`.
  public let request: URLRequest
  /// The stub that answers, or `nil` for ``Kind/missing``.
  public let stub: Stub?
  /// The response of the stub, or a failure if its closure threw an error. `nil` for ``Kind/missing``.
  public let response: StubResponse?
  /// The request that a redirect leads to, possibly changed by the session's delegate. `nil` for every other kind.
  public let redirected: URLRequest?
  /// The error of a request that failed. `nil` for a request that was answered completely, and for every kind but
  /// ``Kind/finish``.
  public let error: (any Error)?
  /// The number of events before this one that the stream has dropped because nobody read them in time. Usually 0.
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

  /// A description such as `activation: GET https://api.example.com/users`.
  public var description: String {
    var text = "\(kind): \(request.summary)"
    if let redirected { text += " to \(redirected.summary)" }
    if let error { text += ", \(error.localizedDescription)" }
    if droppedCount > 0 {
      text += " (\(droppedCount) earlier \(droppedCount == 1 ? "event was" : "events were") dropped unread)"
    }
    return text
  }
}
