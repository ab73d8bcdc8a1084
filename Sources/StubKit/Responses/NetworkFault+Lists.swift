import Foundation

extension NetworkFault {
  /// The faults of a connection. Each ends the request with an error of the system.
  ///
  /// | Name | What the client receives |
  /// | --- | --- |
  /// | `no network` | `notConnectedToInternet` |
  /// | `host not found` | `cannotFindHost` |
  /// | `connection refused` | `cannotConnectToHost` |
  /// | `timed out before the head` | nothing, until it gives up: `timedOut` |
  /// | `TLS refused` | `secureConnectionFailed`; a server's on Linux is `unknown` |
  /// | `lost before the head` | `networkConnectionLost` |
  /// | `lost in mid-upload` | `networkConnectionLost`, after half of the request's body is sent |
  /// | `lost in mid-body` | the head, half of the body, `networkConnectionLost` |
  /// | `stalls in mid-body` | the head, half of the body, and nothing until it gives up: `timedOut` |
  /// | `cancelled by the system` | `cancelled` |
  ///
  /// A request without a body is lost at once in mid-upload. No server can cause the first two, or the last one: they
  /// happen on the client's machine. Two need a body with at least one byte, `lost in mid-body` and `stalls in
  /// mid-body`. Of a stream, one byte arrives.
  ///
  /// A request without a timeout that is kept waiting waits until it is cancelled, or until its scope ends.
  public static let ofConnection: [NetworkFault] = [
    .answering("no network", .failure(.notConnectedToInternet)),
    .answering("host not found", .failure(.cannotFindHost)),
    .answering("connection refused", .failure(.cannotConnectToHost)),
    .answering("timed out before the head", .noAnswer),
    .answering("TLS refused", .failure(.secureConnectionFailed)),
    .answering("lost before the head", .failure(.networkConnectionLost)),
    NetworkFault("lost in mid-upload") {
      $0.losingUpload(at: .half, with: URLError(.networkConnectionLost))
    },
    .inMidBody("lost in mid-body") { $0.failing(afterBytes: $1) },
    .inMidBody("stalls in mid-body") { $0.stalling(afterBytes: $1) },
    .answering("cancelled by the system", .failure(.cancelled)),
  ]

  /// The faults of a server: what it answers in place of the response. The last one is the response itself.
  ///
  /// | Name | What the client receives |
  /// | --- | --- |
  /// | `400 Bad Request`, `403 Forbidden`, `404 Not Found` | the status, and a problem in JSON (RFC 9457) |
  /// | `409 Conflict`, `412 Precondition Failed` | the same |
  /// | `500 Internal Server Error`, `504 Gateway Timeout` | the same |
  /// | `401 without a challenge` | a problem, without `WWW-Authenticate` |
  /// | `429 with Retry-After in seconds` | a problem, and a second to wait |
  /// | `429 with Retry-After as a date` | a problem, and a date in one to two seconds |
  /// | `502 with HTML` | a page of a gateway |
  /// | `503 with Retry-After` | a problem, and a second to wait |
  /// | `a redirect that loops` | `httpTooManyRedirects`, after redirects |
  /// | `a redirect to another host` | the page at `https://elsewhere.invalid/`, with the status 200 |
  /// | `header names in lower case` | the response, as a server sends it in HTTP/2: ``StubResponse/httpVersion(_:)`` |
  ///
  /// The redirects lead to `https://elsewhere.invalid`, a host that doesn't exist (RFC 2606), as the portal of a hotel
  /// leads to its own. StubKit answers a request to it that no stub matches, and ``RequestJournal/unmatchedRequests``
  /// has it. Through a `StubServer`, a client looks for that host itself, and fails.
  public static let ofServer: [NetworkFault] = [
    .answering("400 Bad Request", .problem(400, "Bad Request")),
    .answering("401 without a challenge", .problem(401, "Unauthorized")),
    .answering("403 Forbidden", .problem(403, "Forbidden")),
    .answering("404 Not Found", .problem(404, "Not Found")),
    .answering("409 Conflict", .problem(409, "Conflict")),
    .answering("412 Precondition Failed", .problem(412, "Precondition Failed")),
    .answering(
      "429 with Retry-After in seconds", .problem(429, "Too Many Requests").header("Retry-After", 1)),
    .answering(
      "429 with Retry-After as a date",
      .problem(429, "Too Many Requests").header("Retry-After", Date(timeIntervalSinceNow: 2).httpDate)),
    .answering("500 Internal Server Error", .problem(500, "Internal Server Error")),
    .answering("502 with HTML", .page("Bad Gateway").status(502)),
    .answering("503 with Retry-After", .problem(503, "Service Unavailable").header("Retry-After", 1)),
    .answering("504 Gateway Timeout", .problem(504, "Gateway Timeout")),
    .answering("a redirect that loops", .redirect(to: Elsewhere.loop)),
    .answering("a redirect to another host", .redirect(to: Elsewhere.page)),
    NetworkFault("header names in lower case") { $0.httpVersion(.http2) },
  ]

  /// The faults of a body: a server that answers with the right status and the wrong bytes.
  ///
  /// | Name | What the client receives | Needs |
  /// | --- | --- | --- |
  /// | `an empty body` | no byte | a body |
  /// | `cut off within a character` | the text up to a part of a character of several bytes | a text |
  /// | `cut off within a JSON text` | the first half | JSON of several bytes |
  /// | `HTML in place of the body` | a page, as `text/html` | a body |
  /// | `HTML with the body's content type` | a page, with the response's own `Content-Type` | a body |
  /// | `HTML without a content type` | a page | a body |
  /// | `null` | `null` | JSON |
  /// | `an array for an object` | the first object within an array | an object |
  /// | `a number for a text` | 42 for the first text | a text in JSON |
  /// | `a member missing` | the first object without a member | an object with a member |
  /// | `an unknown member` | the first object with a further one | an object |
  /// | `a number too large` | 1e400 for the first number, more than a `Double` holds | a number |
  /// | `invalid UTF-8` | a byte 0xFF within the first text of JSON, or in the middle of a text | a text |
  /// | `a byte order mark` | the mark before the text | a text |
  /// | `a length that is too long` | the whole body, and `networkConnectionLost` | a body |
  /// | `a length that is too short` | half of the body | a body |
  ///
  /// A body is what has at least one byte, JSON is what can be parsed, and a text is what is valid UTF-8, unless the
  /// response has a `Content-Encoding`. The first one of an object is that whose key comes first in the alphabet. What
  /// changes JSON writes it anew, with sorted keys. A text without a character of several bytes is cut off after its
  /// first half, within a further one. The lengths are those of the header `Content-Length`, so a response with a
  /// `Transfer-Encoding` or a `Content-Encoding` has no such fault. On Linux, the error from a server whose length is
  /// too long is `unknown`.
  ///
  /// A reader that is tolerant, such as `JSONDecoder`, accepts an unknown member and a byte order mark.
  public static let ofBody: [NetworkFault] = [
    .replacing("an empty body") { _ in .ok },
    .editingText("cut off within a character", \.cutWithinCharacter),
    .editingText("cut off within a JSON text", \.cutWithinJSON),
    .replacing("HTML in place of the body") { _ in .page("Sign in") },
    .replacing("HTML with the body's content type") { contentType in
      StubResponse.page("Sign in").contentType(contentType)
    },
    .replacing("HTML without a content type") { _ in StubResponse.page("Sign in").contentType(nil) },
    .editingJSON("null") { _ in .null },
    .editingJSON("an array for an object") { $0.isObject ? .array([$0]) : nil },
    .editingJSON("a number for a text") { if case .string = $0 { 42 } else { nil } },
    .editingJSON("a member missing") { $0.withoutMember },
    .editingJSON("an unknown member") { $0.withUnknownMember },
    .editingText("a number too large", \.withTooLargeNumber),
    .editingText("invalid UTF-8", \.withInvalidUTF8),
    .editingText("a byte order mark") { Data([0xEF, 0xBB, 0xBF]) + $0 },
    .declaringLength("a length that is too long") { $0 + 1 },
    .declaringLength("a length that is too short") { $0 / 2 },
  ]

  /// The faults of time.
  ///
  /// | Name | What the client receives |
  /// | --- | --- |
  /// | `a slow head` | the response after three seconds |
  /// | `a slow body in small pieces` | the head, and the body in about twenty pieces, one each tenth of a second |
  /// | `just below the request's timeout` | the response, a tenth of a second before the client gives up |
  /// | `just above the request's timeout` | `timedOut`; the response would come a tenth of a second later |
  ///
  /// A client with a timeout of less than a second has a tenth of that in place of the tenth of a second. The timeouts
  /// of the request and of its session count. A client that has none receives the response at once.
  public static let ofTime: [NetworkFault] = [
    NetworkFault("a slow head") { $0.delay($0.delay + .seconds(3)) },
    .inMidBody("a slow body in small pieces") {
      $0.chunked(by: max(1, ($1 + 5) / 10), every: .milliseconds(100))
    },
    NetworkFault("just below the request's timeout") { $0.arriving(.justInTime) },
    NetworkFault("just above the request's timeout") { $0.arriving(.justTooLate) },
  ]
}

// MARK: What a fault does

extension NetworkFault {
  /// A response in place of the one that suffers. It takes the same time.
  fileprivate static func answering(
    _ name: String, _ response: @autoclosure @escaping @Sendable () -> StubResponse
  ) -> NetworkFault {
    NetworkFault(name) { response().withConditions(of: $0) }
  }

  /// A change at half of the body, or at the first byte of a stream.
  fileprivate static func inMidBody(
    _ name: String, _ change: @escaping @Sendable (StubResponse, _ half: Int) -> StubResponse
  ) -> NetworkFault {
    NetworkFault(name) { response in
      switch response.content {
      case .unknown: change(response, 1)
      case .known(let body) where body.count > 0: change(response, body.count / 2)
      case .none, .known: nil
      }
    }
  }

  /// Another body with another content type, and else the response as it is.
  fileprivate static func replacing(
    _ name: String, _ other: @escaping @Sendable (_ contentType: String?) -> StubResponse
  ) -> NetworkFault {
    NetworkFault(name) { response in
      switch response.content {
      case .none: return nil
      case .known(let body) where body.count == 0: return nil
      case .known, .unknown: break
      }
      let contentType = response.headers["Content-Type"]
      let other = other(contentType)
      let isEmpty = other.body.count == 0
      return response.with(other.body).contentType(isEmpty ? contentType : other.headers["Content-Type"])
    }
  }

  /// Another text.
  fileprivate static func editingText(
    _ name: String, _ edit: @escaping @Sendable (Data) -> Data?
  ) -> NetworkFault {
    NetworkFault(name) { response in
      guard !response.isEncoded, case .known(let body) = response.content, let text = body.data, !text.isEmpty,
        text.isText, let edited = edit(text)
      else { return nil }
      return response.with(.data(edited))
    }
  }

  /// The first value that a closure changes, in another form.
  fileprivate static func editingJSON(
    _ name: String, _ edit: @escaping @Sendable (StubJSON) -> StubJSON?
  ) -> NetworkFault {
    editingText(name) { try? StubJSON(parsing: $0).changingFirst(edit)?.data }
  }

  /// The same body with another `Content-Length`.
  fileprivate static func declaringLength(
    _ name: String, _ length: @escaping @Sendable (Int) -> Int
  ) -> NetworkFault {
    NetworkFault(name) { response in
      guard !response.headers.contains("Content-Encoding"), !response.headers.contains("Transfer-Encoding"),
        case .known(let body) = response.content, body.count > 0
      else { return nil }
      return response.header("Content-Length", length(body.count))
    }
  }
}

/// Where the redirects of faults lead: a host that doesn't exist (RFC 2606, section 2).
enum Elsewhere {
  static let page = "https://elsewhere.invalid/"
  static let loop = "https://elsewhere.invalid/loop"

  /// Returns what is there, or `nil` for a request to somewhere that exists.
  static func response(to request: URLRequest) -> StubResponse? {
    guard request.url?.host == "elsewhere.invalid" else { return nil }
    return request.url?.path == "/loop" ? .redirect(to: loop) : .page("Sign in")
  }
}

extension StubResponse {
  /// Returns a problem in JSON (RFC 9457).
  fileprivate static func problem(_ status: Int, _ title: String) -> StubResponse {
    .json(
      ["title": StubJSON(title), "status": StubJSON(status)], status: status,
      headers: ["Content-Type": "application/problem+json"])
  }

  /// Returns a page of HTML.
  fileprivate static func page(_ title: String) -> StubResponse {
    .text(
      "<!DOCTYPE html>\n<html><head><title>\(title)</title></head><body><h1>\(title)</h1></body></html>\n",
      headers: ["Content-Type": "text/html; charset=utf-8"])
  }

  /// The body, as far as a fault can know it.
  fileprivate enum Content {
    /// Nobody receives one.
    case none
    /// It comes from a stream, or from the test.
    case unknown
    case known(ResponseBody)
  }

  fileprivate var content: Content {
    if failure != nil || options?.isSilent == true || dropsBody(for: nil) { return .none }
    return body.isStream || isControlled ? .unknown : .known(body)
  }

  /// Returns the response with another body, whose length and encoding its head doesn't know.
  fileprivate func with(_ body: ResponseBody) -> StubResponse {
    modified {
      $0.body = body
      $0.headers.remove("Content-Length")
      $0.headers.remove("Content-Encoding")
    }
  }

  fileprivate func contentType(_ type: String?) -> StubResponse {
    modified { if let type { $0.headers.replace("Content-Type", type) } else { $0.headers.remove("Content-Type") } }
  }

  /// Returns the response on the same network as another one: with its delay and its gate.
  fileprivate func withConditions(of other: StubResponse) -> StubResponse {
    configured {
      $0.network = other.options?.network
      $0.gate = other.options?.gate
      $0.faults = other.options?.faults ?? []
    }.modified { $0.delay = other.delay }
  }

  /// Returns the response with its head, a number of bytes of its body, and then nothing more.
  fileprivate func stalling(afterBytes count: Int) -> StubResponse { configured { $0.stallsAfter = count } }

  fileprivate func arriving(_ punctuality: Punctuality) -> StubResponse {
    configured { $0.punctuality = punctuality }
  }
}
