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
  /// ``header(_:_:)-(_,String)``.
  ///
  /// Ranges apply to GET, and to a response with the status 200 and a known length. Redirects, errors,
  /// ``stream(_:status:headers:)`` and ``events(_:every:headers:)`` go out as they are, and so does the response to
  /// HEAD. All responses have `Accept-Ranges: bytes`. StubKit reads only the requested part of a file. Delays, pace
  /// and ``failing(afterBytes:with:)`` apply to what is sent.
  public func acceptingRanges() -> StubResponse {
    configured { $0.acceptsRanges = true }.modified { $0.headers.setDefault("Accept-Ranges", "bytes") }
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
    var response = configured { $0.isValidated = true }
    if let lastModified { response = response.header("Last-Modified", lastModified.httpDate) }
    guard let etag else { return response }
    guard let field = EntityTag.field(etag) else { return response.modified(problem: .invalidEntityTag(etag)) { _ in } }
    return response.header("ETag", field)
  }
}

/// The ranges that a `Range` field asks for (RFC 9110, sections 14.1.2 and 14.2).
struct ByteRanges: Equatable {
  /// The largest number of ranges. A field with more is ignored, as servers may do.
  static let limit = 100

  fileprivate enum Part: Equatable {
    case from(Int, through: Int?)
    case last(Int)
  }
  private let parts: [Part]

  /// The ranges that exist in a body.
  enum Resolution: Equatable {
    case whole
    /// The ranges in the order of the field. None overlaps another, and none is empty.
    case parts([Range<Int>])
    case unsatisfiable
  }

  /// Returns `nil` for a field that must be ignored, because its unit is unknown, it is malformed, or it has too many
  /// ranges.
  init?(_ field: String) {
    guard let sign = field.firstIndex(of: "="), field[..<sign].lowercased() == "bytes" else { return nil }
    var parts: [Part] = []
    for element in field[field.index(after: sign)...].split(separator: ",") {
      let element = element.drop(while: \.isBlank).trimmingTrailingBlanks
      if element.isEmpty { continue }
      guard parts.count < Self.limit, let part = Part(element) else { return nil }
      parts.append(part)
    }
    guard !parts.isEmpty else { return nil }
    self.parts = parts
  }

  /// - Parameter length: The number of bytes in the body.
  func resolved(in length: Int) -> Resolution {
    var found: [Range<Int>] = []
    for part in parts {
      switch part {
      case .from(let first, let last):
        if first < length { found.merge(first..<min(last ?? .max, length - 1) + 1) }
      case .last(let count):
        // A Content-Range can't express the last bytes of an empty body.
        if count > 0, length == 0 { return .whole }
        if count > 0 { found.merge(max(0, length - count)..<length) }
      }
    }
    return found.isEmpty ? .unsatisfiable : .parts(found)
  }
}

extension ByteRanges.Part {
  fileprivate init?(_ text: Substring) {
    let ends = text.split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2 else { return nil }
    switch (ends[0].isEmpty, ends[1].isEmpty) {
    case (true, true): return nil
    case (true, false):
      guard let count = ends[1].position else { return nil }
      self = .last(count)
    case (false, true):
      guard let first = ends[0].position else { return nil }
      self = .from(first, through: nil)
    case (false, false):
      guard let first = ends[0].position, let last = ends[1].position else { return nil }
      // Numbers that are too large for `Int` both count as its largest value.
      guard first <= last else { return nil }
      self = .from(first, through: last)
    }
  }
}

extension [Range<Int>] {
  /// Adds a range. It merges with ranges that it overlaps, in the place of the first of them.
  fileprivate mutating func merge(_ range: Range<Int>) {
    let overlapping = filter { $0.overlaps(range) }
    guard let first = overlapping.first, let place = firstIndex(of: first) else { return append(range) }
    removeAll { $0.overlaps(range) }
    let all = overlapping + [range]
    insert(all.map(\.lowerBound).min()!..<all.map(\.upperBound).max()!, at: place)
  }
}

extension Substring {
  /// Decimal digits. A number that is too large counts as the largest one.
  fileprivate var position: Int? {
    guard utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) else { return nil }
    return Int(self) ?? .max
  }

  fileprivate var trimmingTrailingBlanks: Substring {
    var text = self
    while text.last?.isBlank == true { text.removeLast() }
    return text
  }
}

extension Character {
  fileprivate var isBlank: Bool { self == " " || self == "\t" }
}
