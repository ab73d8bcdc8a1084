import Foundation

extension StubResponse {
  /// Returns the response with support for ranges: a request receives the part that its `Range` asks for (RFC 9110,
  /// section 14).
  ///
  /// ```swift
  /// stub(
  ///   .get, "https://api.example.com/film",
  ///   response: .file("Fixtures/film.mp4").acceptingRanges())
  /// stub(
  ///   .get, "https://api.example.com/film",
  ///   response: .data(film).header("ETag", "\"1\"").acceptingRanges())
  /// ```
  ///
  /// | Request | Answer |
  /// | --- | --- |
  /// | `Range: bytes=0-99`, `bytes=100-`, `bytes=-50` | 206 with the part and its `Content-Range` |
  /// | A range that begins after the end | 416 with `Content-Range: bytes */2000`, no body |
  /// | `If-Range` with another tag or date | 200 with everything |
  /// | No `Range`, several ranges, a malformed one, or another unit | 200 with everything |
  ///
  /// A range that extends beyond the end is cut off there. A server may ignore several ranges (RFC 9110, section 14.2),
  /// and StubKit does. `If-Range` is compared with the response's own `ETag` (strongly: a weak tag never matches) or
  /// `Last-Modified` (exactly), whether they come from ``conditional(etag:lastModified:)`` or
  /// ``header(_:_:)``.
  ///
  /// Ranges apply to GET, and to a response with the status 200 and a known length. Redirects, errors,
  /// ``stream(_:status:headers:)`` and ``events(_:every:headers:)`` go out as they are, and so does the response to
  /// HEAD. All responses have `Accept-Ranges: bytes`. StubKit reads only the requested part of a file. Delays, pace
  /// and ``failing(afterBytes:with:)-(_,URLError.Code)`` apply to what is sent.
  public func acceptingRanges() -> StubResponse {
    configured { $0.acceptsRanges = true }.modified { $0.headers.setDefault("Accept-Ranges", "bytes") }
  }

  /// Returns the response with support for conditional requests: it is sent only to a client that doesn't have it yet
  /// (RFC 9110, section 13).
  ///
  /// ```swift
  /// stub(
  ///   .get, "https://api.example.com/users",
  ///   response: .json([1, 2]).conditional(etag: "v1"))
  /// stub(
  ///   .get, "https://api.example.com/photo",
  ///   response: .data(photo).conditional(lastModified: modified))
  /// stub(
  ///   .put, "https://api.example.com/users/42",
  ///   response: .status(204).conditional(etag: "v1"))
  /// ```
  ///
  /// | Request | Answer |
  /// | --- | --- |
  /// | GET or HEAD, `If-None-Match` names the tag or is `*` | 304 without a body |
  /// | GET or HEAD, `If-Modified-Since` is not before the date | 304 without a body |
  /// | Another method, `If-None-Match` names the tag or is `*` | 412 without a body |
  /// | `If-Match` does not name the tag | 412 without a body |
  /// | `If-Unmodified-Since` is before the date | 412 without a body |
  ///
  /// The tag and the date go out as `ETag` and `Last-Modified`. If you omit one of them, the response's own field
  /// applies. `If-None-Match` compares weakly, and `If-Match` strongly. A tag takes precedence over a date:
  /// `If-Modified-Since` is ignored beside `If-None-Match`, and `If-Unmodified-Since` beside `If-Match`. A value that
  /// is not a date is ignored.
  ///
  /// The conditions apply to responses with a status from 200 to 299. They are evaluated before a `Range`: see
  /// ``acceptingRanges()``.
  ///
  /// - Parameters:
  ///   - etag: The entity tag, with or without its quotation marks. The prefix `W/` makes it a weak one. Defaults to
  ///     none. A tag that contains a space or a quotation mark fails the request.
  ///   - lastModified: The time when the resource was last modified, in whole seconds. Defaults to none.
  public func conditional(etag: String? = nil, lastModified: Date? = nil) -> StubResponse {
    var response = configured { $0.isConditional = true }
    if let lastModified { response = response.header("Last-Modified", lastModified.httpDate) }
    guard let etag else { return response }
    let mark = etag.hasPrefix("W/") ? "W/" : ""
    let opaque = etag.dropFirst(mark.count)
    let field = opaque.hasPrefix("\"") ? etag : "\(mark)\"\(opaque)\""
    guard field.wholeMatch(of: entityTag) != nil else {
      return response.modified(problem: .invalidEntityTag(etag)) { _ in }
    }
    return response.header("ETag", field)
  }

  /// Returns the response and its body as they go out to a request: a part, or a refusal. `nil` if both are unchanged.
  ///
  /// - Parameters:
  ///   - request: The request as a server would receive it. It is only used if it matters.
  ///   - body: The body of the response, opened.
  func selected(for request: @autoclosure () -> URLRequest, of body: ResponseBody) -> (StubResponse, ResponseBody)? {
    guard let options, options.acceptsRanges || options.isConditional else { return nil }
    let length = hasKnownLength ? body.count : nil
    switch Selection(from: self, for: request(), length: length) {
    case .whole: return nil
    case .notModified: return (refusal(status: 304), .empty)
    case .preconditionFailed: return (refusal(status: 412), .empty)
    case .unsatisfiable:
      var response = refusal(status: 416)
      response.headers.replace("Content-Range", "bytes */\(body.count)")
      return (response, .empty)
    case .part(let range): return part(range, of: body)
    }
  }

  /// Returns a response without a body, and without the fields that describe one (RFC 9110, section 15.4.5).
  private func refusal(status: Int) -> StubResponse {
    var response = self
    response.status = status
    for name in ["Content-Type", "Content-Length", "Content-Encoding", "Content-Language", "Transfer-Encoding"] {
      response.headers.remove(name)
    }
    response.body = .empty
    response.pace = .atOnce
    // It is of the body.
    response.interruption = nil
    return response
  }

  private func part(_ range: Range<Int>, of body: ResponseBody) -> (StubResponse, ResponseBody) {
    var response = self
    response.status = 206
    response.headers.remove("Content-Length")
    response.headers.replace("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(body.count)")
    if case .at(let ends) = cut {
      let ends = ends.filter { range.contains($0) && $0 > range.lowerBound }.map { $0 - range.lowerBound }
      response.cut = .at(ends + [range.count])
    }
    return (response, body.part(range))
  }
}

/// The part of a response that a request asks for, by its conditions and its `Range` (RFC 9110, sections 13 and 14).
enum Selection: Equatable {
  case whole
  case part(Range<Int>)
  case unsatisfiable
  case notModified
  case preconditionFailed

  /// - Parameters:
  ///   - response: The response to the request without conditions.
  ///   - request: The request as a server receives it.
  ///   - length: The number of bytes in the body, or `nil` if it isn't known in advance.
  init(from response: StubResponse, for request: URLRequest, length: Int?) {
    self = .whole
    guard let options = response.options, response.failure == nil else { return }
    let conditional = ConditionalRequest(request: request, response: response)
    // Conditions apply to successful responses, and to methods that select something (13.2.1).
    if options.isConditional, (200...299).contains(response.status),
      !["CONNECT", "OPTIONS", "TRACE"].contains(conditional.method), let refusal = conditional.refusal
    {
      self = refusal
      return
    }
    // Range applies to GET, and to what would be a 200 (14.2).
    guard options.acceptsRanges, response.status == 200, conditional.method == "GET", let length,
      let field = conditional["Range"], conditional.isOfSameVersion
    else { return }
    self = Self.range(field, of: length)
  }

  /// Returns what a `Range` field selects (RFC 9110, section 14.1.2). A field that has another unit, several ranges or
  /// none is ignored, as servers may do (section 14.2).
  private static func range(_ field: String, of length: Int) -> Selection {
    guard let match = field.wholeMatch(of: #/(?i:bytes)=([0-9]*)-([0-9]*)/#) else { return .whole }
    // A number that is too large counts as the largest one.
    func number(_ digits: Substring) -> Int? { digits.isEmpty ? nil : Int(digits) ?? .max }
    switch (number(match.1), number(match.2)) {
    case (nil, nil): return .whole
    case (nil, 0): return .unsatisfiable
    // A Content-Range can't express the last bytes of an empty body.
    case (nil, let count?): return length == 0 ? .whole : .part(max(0, length - count)..<length)
    case (let first?, let last):
      if let last, last < first { return .whole }
      return first < length ? .part(first..<min(last ?? .max, length - 1) + 1) : .unsatisfiable
    }
  }
}

/// The conditions of a request, and what they refer to.
private struct ConditionalRequest {
  let request: URLRequest
  let response: StubResponse

  var method: String { request.httpMethod ?? "GET" }
  private var date: Date? { response.headers["Last-Modified"].flatMap { Date(httpDate: $0) } }

  subscript(name: String) -> String? { request.value(forHTTPHeaderField: name) }

  private func time(_ name: String) -> Date? { self[name].flatMap { Date(httpDate: $0) } }

  /// The result of the conditions in the order of RFC 9110, section 13.2.2, or `nil` if the request is to be
  /// answered.
  var refusal: Selection? {
    if let field = self["If-Match"] {
      if field != "*", !isNamed(in: field, strongly: true) { return .preconditionFailed }
    } else if let date, let limit = time("If-Unmodified-Since"), date > limit {
      return .preconditionFailed
    }
    let isReading = method == "GET" || method == "HEAD"
    if let field = self["If-None-Match"] {
      if field == "*" || isNamed(in: field, strongly: false) { return isReading ? .notModified : .preconditionFailed }
    } else if isReading, let date, let limit = time("If-Modified-Since"), date <= limit {
      return .notModified
    }
    return nil
  }

  /// Returns whether a list of tags contains the response's own (RFC 9110, section 8.8.3.2). Weak tags are never equal
  /// strongly.
  private func isNamed(in field: String, strongly: Bool) -> Bool {
    guard let own = response.headers["ETag"]?.wholeMatch(of: entityTag) else { return false }
    return field.matches(of: entityTag).contains { $0.2 == own.2 && !(strongly && ($0.1 ?? own.1) != nil) }
  }

  /// A Boolean value that indicates whether the request has no `If-Range`, or one that names the current version
  /// (13.1.5).
  var isOfSameVersion: Bool {
    guard let field = self["If-Range"] else { return true }
    if field.wholeMatch(of: entityTag) != nil { return isNamed(in: field, strongly: true) }
    guard let date, let known = Date(httpDate: field) else { return false }
    return date == known
  }
}

/// An entity tag (RFC 9110, section 8.8.3): the mark of a weak one, and the rest with its quotation marks.
private var entityTag: Regex<(Substring, Substring?, Substring)> { #/(W/)?("[^"\x00-\x20\x7F]*")/# }
