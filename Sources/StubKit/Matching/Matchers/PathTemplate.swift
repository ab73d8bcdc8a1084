import Foundation

/// A path with places for text: `/users/{id}/posts/{post}`, `/files/{name}.json`.
///
/// It is compared with the encoded path, segment by segment, and each segment is decoded by itself, so that `%2F` stays
/// inside one. A place takes at least one character and never a whole segment boundary; of several in one segment each
/// takes as little as it can.
struct PathTemplate: Sendable {
  enum Segment: Sendable, Hashable {
    /// Decoded text.
    case literal(String)
    /// Text before the first place, and each place with the text that follows it.
    case capturing(prefix: String, places: [Place])
  }

  struct Place: Sendable, Hashable {
    let name: String
    let suffix: String
  }

  let text: String
  let segments: [Segment]

  /// Traps on a template that is none, with a sentence that says what to write.
  init(_ text: String) {
    require(
      !text.has("?") && !text.has("#"),
      "The template \"\(text)\" has a ? or #: a template is a path only. Add containsQuery(…) for the query.")
    self.text = text
    var names: Set<String> = []
    segments = Self.split(text).map { Self.segment(String($0), of: text, names: &names) }
  }

  /// Whether the percent-encoded path fits, and what stood in the places.
  func test(_ encodedPath: String, _ captures: inout Captures) -> Bool {
    let parts = Self.split(encodedPath)
    guard parts.count == segments.count else { return false }
    let mark = captures.mark
    for (segment, part) in zip(segments, parts) {
      let part = part.utf8.contains(UInt8(ascii: "%")) ? Substring(String(part).percentDecoded) : part
      let fits =
        switch segment {
        case .literal(let literal): part == literal
        case .capturing(let prefix, let places): Self.fit(part, prefix, places, &captures)
        }
      if !fits {
        captures.reset(to: mark)
        return false
      }
    }
    return true
  }

  /// Segments between slashes; a leading slash gives an empty first one, trailing slashes do not count.
  static func split(_ path: String) -> [Substring] {
    var end = path.utf8.endIndex
    while end > path.startIndex, path.utf8[path.utf8.index(before: end)] == UInt8(ascii: "/") {
      end = path.utf8.index(before: end)
    }
    return path.utf8[..<end].split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map(Substring.init)
  }

  private static func fit(
    _ part: Substring, _ prefix: String, _ places: [Place], _ captures: inout Captures
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
  private static func range(of place: Place, isLast: Bool, in rest: Substring) -> Range<String.Index>? {
    guard !rest.isEmpty else { return nil }
    if isLast {
      guard let start = rest.start(ofSuffix: place.suffix), start > rest.startIndex else { return nil }
      return start..<rest.endIndex
    }
    return rest.firstRange(ofText: place.suffix, from: rest.unicodeScalars.index(after: rest.startIndex))
  }

  private static func segment(_ segment: String, of template: String, names: inout Set<String>) -> Segment {
    var rest = Substring(segment)
    let prefix = literal(&rest, of: template)
    var places: [Place] = []
    while rest.take("{") {
      guard let (place, after) = rest.cut(at: "}") else {
        mistake(
          "The template \"\(template)\" has a { without a }: write a place as {name}, in one segment.")
      }
      let name = String(place)
      require(!name.has("{"), "The template \"\(template)\" has a { inside { }: write a place as {name}.")
      require(!name.isEmpty, "The template \"\(template)\" has a place without a name: write {name}, not {}.")
      require(
        names.insert(name).inserted,
        "The template \"\(template)\" has {\(name)} twice: give each place a name of its own.")
      rest = after
      let suffix = literal(&rest, of: template)
      require(
        rest.isEmpty || !suffix.isEmpty,
        "The template \"\(template)\" has two places side by side after {\(name)}: put some text between them.")
      places.append(Place(name: name, suffix: suffix))
    }
    return places.isEmpty ? .literal(prefix) : .capturing(prefix: prefix, places: places)
  }

  /// Takes the text up to the next place.
  private static func literal(_ rest: inout Substring, of template: String) -> String {
    let text = rest.take(upTo: "{")
    require(
      !text.has("}"), "The template \"\(template)\" has a } without a {: write a place as {name}, in one segment.")
    return String(text)
  }
}
