/// A path with places for text: `/users/{id:[0-9]+}/posts/{post}`, `/files/{name}.json`, `/static/{path...}`.
///
/// It is compared with the encoded path, segment by segment, and each segment is decoded by itself, so that `%2F` stays
/// inside one. A place takes at least one character and never a whole segment boundary, but for the last one of a template that
/// takes the rest of the path.
struct PathTemplate: Sendable {
  enum Segment: Sendable {
    /// Decoded text.
    case literal(String)
    /// Text before the first place, and each place with the text that follows it.
    case capturing(prefix: String, places: [Place])
    /// Places of which at least one has a regular expression.
    case expression(TemplateExpression)
    /// The last one: what is left of the path, one or more segments.
    case rest(name: String)
  }

  struct Place: Sendable {
    let name: String
    /// What the text in it has to match as a whole; nil for any text.
    var pattern: String?
    let suffix: String
  }

  let text: String
  let segments: [Segment]

  /// Traps on a template that is none, with a sentence that says what to write.
  init(_ text: String) {
    var parser = PathTemplateParser(text)
    parser.parse()
    self.text = text
    segments = parser.segments
  }

  /// Whether a path may have more segments than the template.
  var isOpen: Bool { if case .rest? = segments.last { true } else { false } }

  /// Whether the percent-encoded path fits, and what stood in the places.
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

  /// Whether there are as many segments, and the literal ones are the same: what is quick to tell.
  private func fitsLiterals(_ parts: [Substring]) -> Bool {
    guard parts.count == segments.count || isOpen && parts.count > segments.count else { return false }
    for (segment, part) in zip(segments, parts) {
      if case .literal(let literal) = segment, part.segmentDecoded != literal { return false }
    }
    return true
  }

  /// Which segment does not fit its regular expression, if nothing else is wrong with the path.
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

  /// Segments between slashes; a leading slash gives an empty first one, trailing slashes do not count.
  static func split(_ path: String) -> [Substring] {
    path.withoutTrailingSlashes.pieces(at: "/")
  }
}

extension PathTemplate.Segment {
  /// - Parameter part: A segment of the path, encoded, that fits where there is a literal.
  fileprivate func fits(_ part: Substring, _ captures: inout Captures) -> Bool {
    switch self {
    case .literal, .rest: true
    case .capturing(let prefix, let places): Self.fit(part.segmentDecoded, prefix, places, &captures)
    case .expression(let expression): expression.fits(part.segmentDecoded, &captures)
    }
  }

  /// Of several places each takes as little as it can.
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

  /// Where the text after a place stands, after at least one character for the place.
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
  /// A path's segment, decoded by itself.
  var segmentDecoded: Substring { has("%") ? Substring(String(self).percentDecoded) : self }
}

extension String {
  var withoutTrailingSlashes: Substring {
    var path = self[...]
    while path.utf8.last == UInt8(ascii: "/") { path = path[..<path.utf8.index(before: path.endIndex)] }
    return path
  }
}
