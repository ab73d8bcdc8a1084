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
    return modified(problem: StubHeaders.problem(name, value)) { $0.headers.replace(name, value) }
  }

  /// Returns the response with several header fields, each of which replaces all fields of the same name.
  ///
  /// ```swift
  /// .json(["id": 42]).headers(["ETag": "\"1\"", "Cache-Control": "no-cache"])
  /// ```
  ///
  /// Other fields stay as they are. ``header(_:_:)`` says which names and values fail the request.
  public func headers(_ headers: [String: String]) -> StubResponse {
    StubHeaders(headers).fields.reduce(self) { $0.header($1.name, $1.value) }
  }

  /// Returns the response with another status.
  ///
  /// ```swift
  /// StubResponse.file("Fixtures/error.json").status(422)
  /// ```
  ///
  /// The body and the headers stay as they are, and a failure stays a failure. A status below 200 or above 999 fails
  /// the request.
  ///
  /// - Parameters:
  ///   - status: The status.
  ///   - reason: The reason phrase behind the status (RFC 9112, section 4). Only clients of a `StubServer` can see it,
  ///     because `HTTPURLResponse` has none. Defaults to `nil`, the phrase of RFC 9110, such as `Not Found`, or none
  ///     for a status without one. A phrase with a line break or another control character fails the request.
  public func status(_ status: Int, reason: String? = nil) -> StubResponse {
    let response = modified(problem: StubResponse.problem(ofStatus: status)) { $0.status = status }
    if reason == nil, response.options?.reason == nil { return response }
    let isSent = reason?.utf8.allSatisfy(\.isReasonByte) ?? true
    let problem = isSent ? nil : reason.map(StubResponseError.Reason.invalidReasonPhrase)
    return response.configured(problem: problem) { $0.reason = reason }
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
    modified(problem: StubHeaders.problem(name, value)) { $0.headers.append(name, value) }
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
