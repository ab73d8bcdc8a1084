import Foundation

extension StubResponse {
  /// The same response, of which a request gets the part that its `Range` asks for (RFC 9110, 14).
  ///
  /// ```swift
  /// stub(condition: isPath("/film"), response: fixture(filePath: "Fixtures/film.mp4").acceptingRanges())
  /// stub(condition: isPath("/film"), response: .data(film).header("ETag", "\"1\"").acceptingRanges())
  /// ```
  ///
  /// | request | answer |
  /// | --- | --- |
  /// | `Range: bytes=0-99`, `bytes=100-`, `bytes=-50` | 206 with `Content-Range: bytes 0-99/2000` and that part |
  /// | `Range: bytes=0-99,200-299` | 206 with both, as `multipart/byteranges` |
  /// | a range that begins behind the end | 416 with `Content-Range: bytes */2000`, no body |
  /// | `If-Range` with another tag or date | 200 with everything |
  /// | no `Range`, a malformed one, one of another unit | 200 with everything |
  ///
  /// A range that goes beyond the end is cut off there, and ranges that overlap go out as one. More than 100 ranges are ignored.
  /// `If-Range` is compared with the response's own `ETag` (strongly: a weak tag never matches) or `Last-Modified` (exactly), wherever
  /// they come from: ``validated(etag:lastModified:)`` or ``header(_:_:)``.
  ///
  /// Only GET has ranges, and only a response whose status is 200 and whose length is known: a redirect, an error, ``stream(_:status:headers:)``
  /// and ``events(_:every:headers:)`` go out as they are, and so does the answer to HEAD. All answers have `Accept-Ranges: bytes`.
  /// A part of a file is read without the rest. Delays, pace and ``failing(afterBytes:with:)`` apply to what is sent.
  public func acceptingRanges() -> StubResponse {
    under { $0.acceptsRanges = true }.modified { $0.headers.setDefault("Accept-Ranges", "bytes") }
  }

  /// The same response, sent only to a client that does not have it yet (RFC 9110, 13).
  ///
  /// ```swift
  /// stub(condition: isPath("/users"), response: .json([1, 2]).validated(etag: "v1"))
  /// stub(condition: isPath("/photo"), response: .data(photo).validated(lastModified: Date(timeIntervalSince1970: 0)))
  /// stub(condition: isPath("/users/42") && isMethodPUT(), response: .empty().validated(etag: "v1"))
  /// ```
  ///
  /// | request | answer |
  /// | --- | --- |
  /// | GET or HEAD, `If-None-Match` names the tag or is `*` | 304 without a body |
  /// | GET or HEAD, `If-Modified-Since` is not before the date | 304 without a body |
  /// | another method, `If-None-Match` names the tag or is `*` | 412 without a body |
  /// | `If-Match` does not name the tag | 412 without a body |
  /// | `If-Unmodified-Since` is before the date | 412 without a body |
  ///
  /// The tag and the date go out as `ETag` and `Last-Modified`; those that the response has already hold where none is given here.
  /// `If-None-Match` compares weakly, `If-Match` strongly. A tag takes precedence over a date: `If-Modified-Since` is ignored beside
  /// `If-None-Match`, and `If-Unmodified-Since` beside `If-Match`. What is no date is ignored.
  ///
  /// The conditions apply to a response of a status from 200 to 299. They come before a `Range`: see ``acceptingRanges()``.
  ///
  /// - Parameters:
  ///   - etag: The entity tag, with or without its quotation marks; `W/` before it makes it a weak one. Defaults to none. One with a
  ///     space or a quotation mark in it fails the request.
  ///   - lastModified: When the resource was last modified, in whole seconds. Defaults to none.
  public func validated(etag: String? = nil, lastModified: Date? = nil) -> StubResponse {
    var response = under { $0.isValidated = true }
    if let lastModified { response = response.header("Last-Modified", lastModified.httpDate) }
    guard let etag else { return response }
    guard let field = EntityTag.field(etag) else { return response.modified(problem: .invalidEntityTag(etag)) { _ in } }
    return response.header("ETag", field)
  }
}
