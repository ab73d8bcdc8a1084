import Foundation

extension StubResponse {
  /// Returns the response with support for ranges: a request receives the part that its `Range` asks for (RFC 9110,
  /// section 14).
  ///
  /// ```swift
  /// stub(
  ///   condition: isPath("/film"),
  ///   response: fixture(filePath: "Fixtures/film.mp4").acceptingRanges())
  /// stub(
  ///   condition: isPath("/film"),
  ///   response: .data(film).header("ETag", "\"1\"").acceptingRanges())
  /// ```
  ///
  /// | Request | Answer |
  /// | --- | --- |
  /// | `Range: bytes=0-99`, `bytes=100-`, `bytes=-50` | 206 with the part and its `Content-Range` |
  /// | `Range: bytes=0-99,200-299` | 206 with both parts, as `multipart/byteranges` |
  /// | A range that begins after the end | 416 with `Content-Range: bytes */2000`, no body |
  /// | `If-Range` with another tag or date | 200 with everything |
  /// | No `Range`, a malformed one, or another unit | 200 with everything |
  ///
  /// A range that extends beyond the end is cut off there, and overlapping ranges become one. A field with more than
  /// 100 ranges is ignored. `If-Range` is compared with the response's own `ETag` (strongly: a weak tag never
  /// matches) or `Last-Modified` (exactly), whether they come from ``validated(etag:lastModified:)`` or
  /// ``header(_:_:)``.
  ///
  /// Ranges apply to GET, and to a response with the status 200 and a known length. Redirects, errors,
  /// ``stream(_:status:headers:)`` and ``events(_:every:headers:)`` go out as they are, and so does the response to
  /// HEAD. All responses have `Accept-Ranges: bytes`. StubKit reads only the requested part of a file. Delays, pace
  /// and ``failing(afterBytes:with:)`` apply to what is sent.
  public func acceptingRanges() -> StubResponse {
    under { $0.acceptsRanges = true }.modified { $0.headers.setDefault("Accept-Ranges", "bytes") }
  }

  /// Returns the response with support for conditional requests: it is sent only to a client that doesn't have it yet
  /// (RFC 9110, section 13).
  ///
  /// ```swift
  /// stub(
  ///   condition: isPath("/users"),
  ///   response: .json([1, 2]).validated(etag: "v1"))
  /// stub(
  ///   condition: isPath("/photo"),
  ///   response: .data(photo).validated(lastModified: modified))
  /// stub(
  ///   condition: isPath("/users/42") && isMethodPUT(),
  ///   response: .empty().validated(etag: "v1"))
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
  public func validated(etag: String? = nil, lastModified: Date? = nil) -> StubResponse {
    var response = under { $0.isValidated = true }
    if let lastModified { response = response.header("Last-Modified", lastModified.httpDate) }
    guard let etag else { return response }
    guard let field = EntityTag.field(etag) else { return response.modified(problem: .invalidEntityTag(etag)) { _ in } }
    return response.header("ETag", field)
  }
}
