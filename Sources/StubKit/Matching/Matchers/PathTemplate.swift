import StubKitFormats

/// A path with placeholders: `/users/{id:[0-9]+}/posts/{post}`, `/files/{name}.json`, `/static/{path...}`.
///
/// It is compared with the encoded path, segment by segment. Each segment is decoded by itself, so `%2F` stays inside
/// one. A placeholder matches at least one character and never crosses a slash, except for a last one that matches
/// the rest of the path.
final class PathTemplate: Sendable {
  enum Segment: Sendable {
    /// Decoded text.
    case literal(String)
    /// The text before the first placeholder, and each placeholder with the text that follows it.
    case capturing(prefix: String, places: [Place])
    /// Placeholders, at least one of which has a regular expression.
    case expression(TemplateExpression)
    /// The last segment, which matches the rest of the path: one or more segments.
    case rest(name: String)
  }

  struct Place: Sendable {
    let name: String
    /// The regular expression that the text must match as a whole, or `nil` for any text.
    var pattern: String?
    let suffix: String
  }

  let text: String
  let segments: [Segment]

  init(_ text: String) throws(UsageMistake) {
    var parser = PathTemplateParser(text)
    try parser.parse()
    self.text = text
    segments = parser.segments
  }

  /// A Boolean value that indicates whether a path can have more segments than the template.
  var isOpen: Bool { if case .rest? = segments.last { true } else { false } }

  /// Returns whether the percent-encoded path matches, and captures the text of the placeholders.
  func test(_ encodedPath: String, _ captures: inout Captures) -> Bool {
    let parts = Self.split(encodedPath)
    guard fitsLiterals(parts) else { return false }
    let mark = captures.mark
    for (segment, part) in zip(segments, parts) where !segment.fits(part, &captures) {
      captures.reset(to: mark)
      return false
    }
    if case .rest(let name)? = segments.last {
      captures.add(name, parts[(segments.count - 1)...].map { $0.segmentDecoded }.joined(separator: "/"))
    }
    return true
  }

  /// Returns whether the number of segments and the literal segments are the same. This is quick to check.
  private func fitsLiterals(_ parts: [Substring]) -> Bool {
    guard parts.count == segments.count || isOpen && parts.count > segments.count else { return false }
    for (segment, part) in zip(segments, parts) {
      if case .literal(let literal) = segment, part.segmentDecoded != literal { return false }
    }
    return true
  }

  /// Returns which segment doesn't match its regular expression, if nothing else is wrong with the path.
  func problem(with encodedPath: String) -> String? {
    let parts = Self.split(encodedPath)
    guard fitsLiterals(parts) else { return nil }
    var captures = Captures()
    for case (.expression(let expression), let part) in zip(segments, parts) {
      let part = part.segmentDecoded
      if !expression.fits(part, &captures) { return "\(Excerpt.plain(String(part))) does not fit \(expression.source)" }
    }
    return nil
  }

  /// Returns the segments between slashes. A leading slash yields an empty first segment, and trailing slashes don't
  /// count.
  static func split(_ path: String) -> [Substring] {
    path.withoutTrailingSlashes.pieces(at: "/")
  }
}

extension PathTemplate.Segment {
  /// - Parameter part: An encoded segment of the path that matches where the template has a literal.
  fileprivate func fits(_ part: Substring, _ captures: inout Captures) -> Bool {
    switch self {
    case .literal, .rest: true
    case .capturing(let prefix, let places): Self.fit(part.segmentDecoded, prefix, places, &captures)
    case .expression(let expression): expression.fits(part.segmentDecoded, &captures)
    }
  }

  /// Each of several placeholders matches as little as possible.
  private static func fit(
    _ part: Substring, _ prefix: String, _ places: [PathTemplate.Place], _ captures: inout Captures
  ) -> Bool {
    guard let start = part.end(ofPrefix: prefix) else { return false }
    var rest = part[start...]
    for (index, place) in places.enumerated() {
      guard let suffix = range(of: place, isLast: index == places.count - 1, in: rest) else { return false }
      captures.add(place.name, String(rest[..<suffix.lowerBound]))
      rest = rest[suffix.upperBound...]
    }
    return true
  }

  /// Returns the range of the text after a placeholder, which matches at least one character.
  private static func range(
    of place: PathTemplate.Place, isLast: Bool, in rest: Substring
  ) -> Range<String.Index>? {
    guard !rest.isEmpty else { return nil }
    if isLast {
      guard let start = rest.start(ofSuffix: place.suffix), start > rest.startIndex else { return nil }
      return start..<rest.endIndex
    }
    return rest.firstRange(ofText: place.suffix, from: rest.unicodeScalars.index(after: rest.startIndex))
  }
}

extension Substring {
  /// The segment of a path, decoded by itself.
  var segmentDecoded: Substring { has("%") ? Substring(String(self).percentDecoded) : self }
}

extension String {
  var withoutTrailingSlashes: Substring {
    var path = self[...]
    while path.utf8.last == UInt8(ascii: "/") { path = path[..<path.utf8.index(before: path.endIndex)] }
    return path
  }
}
