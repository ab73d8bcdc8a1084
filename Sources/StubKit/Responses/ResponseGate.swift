import Foundation

/// A gate that holds responses until the test opens it.
///
/// ```swift
/// let gate = ResponseGate()
/// stub(
///   .get, "https://api.example.com/users",
///   response: .json([]).held(by: gate))
/// model.load()
/// #expect(model.showsSpinner)
/// gate.open()
/// ```
///
/// A gate is closed at first. It can hold any number of responses. ``open()`` releases all that wait, and lets later
/// ones pass until ``close()``. If a request is cancelled while the gate holds it, nothing remains. A request that
/// the gate holds for as long as its `timeoutInterval` fails with `URLError.timedOut`, as with a server.
public final class ResponseGate: Sendable {
  private let state = Awaitable(false)

  /// Creates a closed gate, which holds nothing until a response has it: ``StubResponse/held(by:)``.
  public init() {}

  /// A Boolean value that indicates whether responses pass. Defaults to `false`.
  public var isOpen: Bool { state.withLock(\.self) }

  /// The number of responses that the gate holds now. An open gate holds none.
  public var waitingCount: Int { state.waitCount }

  /// Releases all held responses, in the order in which they arrived, and lets later ones pass. Has no effect if the
  /// gate is open.
  public func open() { state.update { $0 = true } }

  /// Holds later responses. Earlier ones aren't affected. Has no effect if the gate is closed.
  public func close() { state.withLock { $0 = false } }

  /// Returns a ticket, or `nil` if the gate is open, so that there is nothing to wait for.
  ///
  /// - Parameter opened: A closure that is called once, on any thread, unless the ticket is forgotten first.
  func wait(_ opened: @escaping Work) -> UInt64? { state.whenMet({ $0 }, opened) }

  func forget(_ ticket: UInt64) { state.giveUp(ticket) }
}

extension StubResponse {
  /// Returns the response held back by a gate. Its head or its failure arrives only when the gate opens.
  ///
  /// ```swift
  /// let gate = ResponseGate()
  /// stub(
  ///   .get, "https://api.example.com/users",
  ///   response: .json([]).held(by: gate))
  /// …
  /// gate.open()
  /// ```
  ///
  /// The response reaches the gate after its ``delay(_:)``. A request that waits there for as long as its
  /// `timeoutInterval` fails with `URLError.timedOut`.
  public func held(by gate: ResponseGate) -> StubResponse { configured { $0.gate = gate } }

  /// A response that never arrives. The request fails with `URLError.timedOut` after its timeout.
  ///
  /// ```swift
  /// stub(.get, "https://api.example.com/users", response: .noAnswer)
  /// ```
  ///
  /// A request without a timeout waits until it is cancelled or its scope ends.
  public static var noAnswer: StubResponse { ok.configured { $0.isSilent = true } }
}
