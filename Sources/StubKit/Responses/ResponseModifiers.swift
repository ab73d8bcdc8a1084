import Foundation

extension StubResponse {
  /// Returns the response with a header field that replaces all fields of the same name. Names compare without case.
  ///
  /// ```swift
  /// .json(["id": 42]).header("ETag", "\"1\"")
  /// .status(503).header("Retry-After", 1)
  /// ```
  ///
  /// The value is a text, a number or another value that has one text. If the name is not a token (RFC 9110, section
  /// 5.6.2), or if the value contains a line break, the request fails. So does a `Transfer-Encoding` other than
  /// `chunked`. With that, the response has no `Content-Length`.
  public func header(_ name: String, _ value: some LosslessStringConvertible) -> StubResponse {
    let value = "\(value)"
    return modified(problem: ResponseHeaders.problem(name, value)) { $0.headers.replace(name, value) }
  }

  /// Returns the response with several header fields, each of which replaces all fields of the same name.
  ///
  /// ```swift
  /// .json(["id": 42]).headers(["ETag": "\"1\"", "Cache-Control": "no-cache"])
  /// ```
  ///
  /// Other fields stay as they are. ``header(_:_:)`` says which names and values fail the request.
  public func headers(_ headers: [String: String]) -> StubResponse {
    ResponseHeaders(headers).fields.reduce(self) { $0.header($1.name, $1.value) }
  }

  /// Returns the response with another status.
  ///
  /// ```swift
  /// StubResponse.file("Fixtures/error.json").status(422)
  /// ```
  ///
  /// The body and the headers stay as they are, and a failure stays a failure. A status below 200 or above 999 fails
  /// the request.
  public func status(_ status: Int) -> StubResponse {
    modified(problem: StubResponse.problem(ofStatus: status)) { $0.status = status }
  }

  /// Returns the response with an additional header field, beside those of the same name.
  ///
  /// ```swift
  /// .status(200)
  ///   .addingHeader("Set-Cookie", "a=1")
  ///   .addingHeader("Set-Cookie", "b=2")
  /// ```
  ///
  /// `HTTPURLResponse` joins the values of one name with a comma, as it does for a server. The session stores cookies
  /// (RFC 6265) in its own storage.
  public func addingHeader(_ name: String, _ value: String) -> StubResponse {
    modified(problem: ResponseHeaders.problem(name, value)) { $0.headers.append(name, value) }
  }

  /// Returns the response with a delay before it begins, on the registry's clock. Defaults to `.zero` without this
  /// modifier.
  ///
  /// ```swift
  /// .failure(.networkConnectionLost).delay(.seconds(2))
  /// ```
  ///
  /// As with a server, a request fails with `URLError.timedOut` if nothing arrives for as long as its
  /// `timeoutInterval`. A negative time, where the arithmetic of clocks can end, counts as zero. One below minus one
  /// second is a mistake: the request fails with a ``StubResponseError``, and so does the test, at the stub's line.
  public func delay(_ duration: Duration) -> StubResponse {
    modified(problem: duration.problem) { $0.delay = duration.nonNegative }
  }

  /// Returns the response with its body spread evenly over a time that begins after the head. Without this modifier,
  /// the body arrives at once.
  ///
  /// ```swift
  /// StubResponse.file("Fixtures/film.mp4")
  ///   .delay(.milliseconds(200)).bodyDuration(.seconds(3))
  /// ```
  ///
  /// An empty body takes the time too. The request's timeout starts again with each piece. A negative time is one for
  /// ``delay(_:)`` too.
  public func bodyDuration(_ duration: Duration) -> StubResponse {
    modified(problem: duration.problem) { $0.pace = .over(duration.nonNegative) }
  }

  /// Returns the response with its body in pieces of a given length. The last piece contains the rest.
  ///
  /// ```swift
  /// .data(film).chunked(by: 64_000, every: .milliseconds(50))
  /// ```
  ///
  /// A delegate receives piece by piece, and a completion handler receives the whole body at the end. A length below
  /// one byte fails the request, and so does a time below minus one second.
  ///
  /// - Parameters:
  ///   - byteCount: The number of bytes in a piece, from 1.
  ///   - interval: The time from one piece to the next. The first piece arrives with the head. By default, the rest
  ///     of the response decides: ``bodyDuration(_:)`` spreads the pieces over its time, and otherwise they arrive at
  ///     once.
  public func chunked(by byteCount: Int, every interval: Duration = .zero) -> StubResponse {
    modified(problem: byteCount < 1 ? .invalidPieceLength(byteCount) : interval.problem) {
      $0.cut = .every(byteCount)
      if interval > .zero { $0.pace = .pieces(every: interval.clamped) }
    }
  }

  /// Returns the response broken off: its head, a number of bytes of its body, and then a failure.
  ///
  /// ```swift
  /// StubResponse.file("Fixtures/film.mp4").failing(afterBytes: 4_096)
  /// ```
  ///
  /// The failure arrives with the last byte that arrives, and with the head after 0 bytes. A body that isn't longer
  /// arrives whole, and the failure takes the place of its end, except on a `StubServer`, whose client has read to the
  /// announced length. A completion handler receives only the failure. A response without a body, such as that to HEAD
  /// or one with the status 204, breaks off nowhere. A negative count fails the request.
  ///
  /// - Parameters:
  ///   - count: The number of bytes of the body that arrive.
  ///   - code: The failure. Defaults to a lost connection.
  public func failing(afterBytes count: Int, with code: URLError.Code = .networkConnectionLost) -> StubResponse {
    failing(afterBytes: count, with: URLError(code))
  }

  /// Returns the response with a failure in the place of its end: its head and its whole body arrive before.
  ///
  /// ```swift
  /// stub(
  ///   .get, "https://api.example.com/events",
  ///   response: .events(["1"])
  ///     .failing(with: .networkConnectionLost))
  /// ```
  ///
  /// - Parameter code: The failure.
  public func failing(with code: URLError.Code) -> StubResponse { failing(afterBytes: .max, with: code) }

  /// Returns the response with a failure in the place of its end, like ``failing(with:)-(URLError.Code)``, with any
  /// error.
  public func failing(with error: any Error) -> StubResponse { failing(afterBytes: .max, with: error) }

  /// Returns the response broken off, like ``failing(afterBytes:with:)-(_,URLError.Code)``, with any error.
  ///
  /// ```swift
  /// StubResponse.file("Fixtures/film.mp4")
  ///   .failing(afterBytes: 4_096, with: NSError(domain: "Proxy", code: 7))
  /// ```
  ///
  /// The client receives the error as it is: its type, domain, code and `userInfo`.
  public func failing(afterBytes count: Int, with error: any Error) -> StubResponse {
    modified(problem: count < 0 ? .negativeByteCount(count) : nil) { $0.interruption = (count, error) }
  }
}

extension Duration {
  /// Why a response can't take this time, or `nil`. What is just below zero counts as zero.
  var problem: StubResponseError.Reason? { self < .seconds(-1) ? .negativeDuration(self) : nil }
}

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

  /// Creates a closed gate.
  public init() {}

  /// A Boolean value that indicates whether responses pass.
  public var isOpen: Bool { state.withLock(\.self) }

  /// The number of responses that the gate holds now.
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
