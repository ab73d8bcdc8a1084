import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension StubResponse {
  /// The same response with that header, instead of any of the same name; names compare without case.
  ///
  /// ```swift
  /// .json(["id": 42]).header("ETag", "\"1\"")
  /// ```
  ///
  /// A name that is no token (RFC 9110, 5.6.2), or a line break in the value, fails the request.
  public func header(_ name: String, _ value: String) -> StubResponse {
    modified(problem: ResponseHeaders.problem(name, value)) { $0.headers.replace(name, value) }
  }

  /// The same response with those headers, each instead of any of the same name.
  ///
  /// ```swift
  /// .json(["id": 42]).headers(["ETag": "\"1\"", "Cache-Control": "no-cache"])
  /// ```
  ///
  /// Headers that the dictionary does not name stay as they are. ``header(_:_:)`` says which names and values fail the request.
  public func headers(_ headers: [String: String]) -> StubResponse {
    ResponseHeaders(headers).fields.reduce(self) { $0.header($1.name, $1.value) }
  }

  /// The same response with another status.
  ///
  /// ```swift
  /// fixture(filePath: "Fixtures/error.json").status(422)
  /// ```
  ///
  /// Body and headers stay. A failure stays a failure. A status below 100 or above 999 fails the request.
  public func status(_ status: Int) -> StubResponse {
    modified(problem: StubResponse.problem(ofStatus: status)) { $0.status = status }
  }

  /// The same response with one more header, beside those of the same name.
  ///
  /// ```swift
  /// .empty(status: 200).addingHeader("Set-Cookie", "a=1").addingHeader("Set-Cookie", "b=2")
  /// ```
  ///
  /// `HTTPURLResponse` shows the values of one name joined with a comma, as it does a server's. Cookies (RFC 6265) are stored
  /// where the session keeps its own.
  public func addingHeader(_ name: String, _ value: String) -> StubResponse {
    modified(problem: ResponseHeaders.problem(name, value)) { $0.headers.append(name, value) }
  }

  /// The same response, begun only after that time on the registry's clock; `.zero` without this modifier.
  ///
  /// ```swift
  /// .failure(.networkConnectionLost).delay(.seconds(2))
  /// ```
  ///
  /// As with a server, a request for which nothing comes for as long as its `timeoutInterval` fails with
  /// `URLError.timedOut`. A time below zero fails the request.
  public func delay(_ duration: Duration) -> StubResponse {
    modified(problem: duration < .zero ? .negativeDuration(duration) : nil) { $0.delay = Time(duration) }
  }

  /// The same response with its body spread evenly over that time, beginning after its head; by default it comes at once.
  ///
  /// ```swift
  /// fixture(filePath: "Fixtures/film.mp4").delay(.milliseconds(200)).bodyDuration(.seconds(3))
  /// ```
  ///
  /// An empty body takes the time as well. The request's timeout begins anew with each piece. A time below zero fails the
  /// request.
  public func bodyDuration(_ duration: Duration) -> StubResponse {
    modified(problem: duration < .zero ? .negativeDuration(duration) : nil) { $0.pace = .over(Time(duration)) }
  }

  /// The same response with its body in pieces of that many bytes, the last one of what is left.
  ///
  /// ```swift
  /// .data(film).chunked(by: 64_000, every: .milliseconds(50))
  /// ```
  ///
  /// A delegate gets piece by piece, a completion handler the whole at the end. A length below one byte, or a time below
  /// zero, fails the request.
  ///
  /// - Parameters:
  ///   - byteCount: How many bytes a piece has, from 1.
  ///   - interval: The time from one piece to the next, the first coming with the head. By default the pieces come as the
  ///     rest of the response says: spread over the time of ``bodyDuration(_:)``, or at once.
  public func chunked(by byteCount: Int, every interval: Duration = .zero) -> StubResponse {
    let problem: StubResponseError.Reason? =
      byteCount < 1 ? .invalidPieceLength(byteCount) : interval < .zero ? .negativeDuration(interval) : nil
    return modified(problem: problem) {
      $0.pieceLength = byteCount
      if interval > .zero { $0.pace = .pieces(every: Time(interval)) }
    }
  }

  /// The same response, broken off: its head, that many bytes of its body, and then the failure.
  ///
  /// ```swift
  /// fixture(filePath: "Fixtures/film.mp4").failing(afterBytes: 4_096)
  /// ```
  ///
  /// The failure comes when the next byte would have come; if the body has no more, instead of the end. A completion
  /// handler sees the failure only. A count below zero fails the request.
  ///
  /// - Parameters:
  ///   - count: How many bytes of the body arrive.
  ///   - code: The failure; by default the connection is lost.
  public func failing(
    afterBytes count: Int, with code: URLError.Code = .networkConnectionLost
  ) -> StubResponse {
    modified(problem: count < 0 ? .negativeByteCount(count) : nil) {
      $0.interruption = Interruption(byteCount: count, error: URLError(code))
    }
  }
}
