import Foundation

/// The client of an exchange: a task of URLSession, or a connection of a server.
///
/// Call it only on the exchange's queue.
protocol ExchangeClient: DeliveryClient, AnyObject, Sendable {
  // MARK: The request

  /// The client's own request, which the errors of the system name.
  var request: URLRequest { get }

  /// Returns the request as a server would receive it.
  func incoming(_ hop: Hop) -> IncomingRequest

  /// Tells on any thread whether the client has cancelled the request, even if the exchange doesn't know yet.
  var hasLeft: Closure<@Sendable () -> Bool> { get }

  /// Prepares for a request before anything happens to it.
  func prepare()

  /// A Boolean value that indicates whether the request is that of an async call, as far as that is known after
  /// `prepare()`. Defaults to `false`.
  var isAwaitedByTask: Bool { get }

  /// Returns the number of bytes of the request's body to send.
  ///
  /// - Parameters:
  ///   - readByteCount: The number of bytes that were read of the body, or 0 if none were.
  ///   - isTimed: Whether sending takes time. If not, it only matters to those who learn of it.
  func requestLength(_ readByteCount: Int, isTimed: Bool) -> Int

  /// Returns what looks for a response that answers a request in place of a server, away from the queue, or `nil` if
  /// the request accepts none of a cache.
  func cacheLookup(for request: URLRequest) -> (@Sendable () -> CachedURLResponse?)?

  // MARK: Time

  /// The longest time for which the client waits without receiving anything, or `nil` for ever.
  var idleTimeout: Duration? { get }

  /// The longest time for which the client waits as a whole, or `nil` for ever.
  var resourceTimeout: Duration? { get }

  // MARK: The response

  /// Prepares for a response, and returns its head as URLSession shows it. Returns `nil` if the client isn't
  /// URLSession, or if the response is a failure.
  ///
  /// - Parameter fields: The header fields as they are sent.
  func expect(_ response: StubResponse, _ fields: StubHeaders, _ schedule: ResponseSchedule, for hop: Hop)
    -> ExpectedHead?

  /// A Boolean value that indicates whether anybody learns when a piece of a body arrives, or how long it is. Defaults
  /// to `true`.
  var noticesPieces: Bool { get }

  /// The head of the expected response is due, whether the client receives it or follows it.
  func headIsDue(_ expected: ExpectedHead?)

  /// The response is complete, and the answer.
  func accept(_ head: HTTPURLResponse, of hop: Hop)

  // MARK: Follow-ups

  /// A Boolean value that indicates whether the client receives a response that demands a credential before it is asked
  /// for one.
  var showsDemands: Bool { get }

  /// Finds out what follows a response. `completion` runs on the queue, or never if the client leaves.
  func ask(
    about followUp: FollowUp, _ head: HTTPURLResponse, of hop: Hop,
    completion: @escaping @Sendable (FollowUp.Decision) -> Void)

  /// Prepares for another request, whose response replaces the current one.
  func startOver(with hop: Hop)

  // MARK: The end

  /// Sends the request to the network.
  ///
  /// - Parameter stub: The stub that passes the request through, or `nil` for a policy.
  func passThrough(_ hop: Hop, of exchange: Exchange, by stub: StubReference?)

  /// The client has left. Returns whether that is because the system has followed a redirect.
  func willStop() -> Bool
}

extension ExchangeClient {
  func prepare() {}
  var isAwaitedByTask: Bool { false }
  func didSend(_ byteCount: Int) {}

  var idleTimeout: Duration? { nil }
  var resourceTimeout: Duration? { nil }

  var noticesPieces: Bool { true }
  func cacheLookup(for request: URLRequest) -> (@Sendable () -> CachedURLResponse?)? { nil }
  func accept(_ head: HTTPURLResponse, of hop: Hop) {}

  var showsDemands: Bool { true }
  func ask(
    about followUp: FollowUp, _ head: HTTPURLResponse, of hop: Hop,
    completion: @escaping @Sendable (FollowUp.Decision) -> Void
  ) {
    completion(.answer)
  }
  func startOver(with hop: Hop) {}
  func willStop() -> Bool { false }
}

/// The head of a response that is being delivered, and what it says about the task.
struct ExpectedHead {
  let head: HTTPURLResponse
  let isEncoded: Bool
  /// The values of the fields `Set-Cookie` that are to be stored.
  let setCookies: [String]
  /// A Boolean value that indicates whether the whole response comes with the head.
  let comesAtOnce: Bool
  /// A Boolean value that indicates whether the response comes from the session's cache, so that no bytes arrive.
  var isCached = false
}
