import Foundation

/// What is wrong with a text of a matcher. Each kind of text has a table below, with a row for each of its faults.
///
/// A text is a mistake if no request can carry it, or if it most likely means something else: there is white space
/// around a name, or another part of the URL in it. In the second case, the sentence says how to write the text where
/// it is meant.
struct Mistake: Sendable {
  struct Row: Sendable {
    let hasFault: @Sendable (String) -> Bool
    /// Returns what is wrong and what to write instead, as the rest of a sentence that begins with the call.
    let rest: @Sendable (Mistake) -> String

    init(_ hasFault: @escaping @Sendable (String) -> Bool, _ rest: @escaping @Sendable (Mistake) -> String) {
      (self.hasFault, self.rest) = (hasFault, rest)
    }
  }

  let text: String
  private let row: Row
  /// The call of the matcher, as Swift source.
  var call = ""

  /// Returns the first fault in a table that the text has.
  static func of(_ rows: [Row], _ text: String) -> Mistake? {
    for row in rows where row.hasFault(text) { return Mistake(text: text, row: row) }
    return nil
  }

  func sentence(in call: String) -> UsageMistake {
    UsageMistake("\(call) \(row.rest(Mistake(text: text, row: row, call: call)))")
  }
}

extension RequestMatcher {
  /// Creates a matcher from a criterion, or one that prints the same and carries what is wrong with a text in it.
  init(_ criterion: some Criterion, unless mistake: Mistake?) {
    self.init(criterion.description, unless: mistake) { criterion }
  }

  /// Creates a matcher of one value in the same way.
  init(_ part: ValueCriterion.Part, _ comparison: ValueCriterion.Comparison, unless mistake: Mistake? = nil) {
    self.init(ValueCriterion(part, comparison), unless: mistake)
  }

  /// Creates a matcher from a criterion, or one that carries what is wrong with the caller's arguments.
  ///
  /// - Parameters:
  ///   - call: The call of the matcher, as Swift source.
  ///   - criterion: A closure that returns the criterion, or throws what is wrong with what it parses.
  init(
    _ call: @autoclosure () -> String, unless mistake: Mistake? = nil,
    _ criterion: () throws(UsageMistake) -> any Criterion
  ) {
    do throws(UsageMistake) {
      if let mistake { throw mistake.sentence(in: call()) }
      self.init(try criterion())
    } catch {
      self.init(mistake: error.sentence, in: call())
    }
  }
}

// What the sentences consist of.
extension Mistake {
  /// The name of the matcher's function.
  var function: String { String(call.prefix { $0 != "(" }) }

  /// Returns the call with another text.
  func with(_ other: String) -> String {
    call.replacing(text.debugDescription, with: other.debugDescription)
  }

  /// Returns the call with another text, unless a table has a fault for that too.
  func with(_ other: String, unless rows: [Row]) -> String? {
    Mistake.of(rows, other) == nil ? with(other) : nil
  }

  /// Returns a pattern for the text as the path that the call compares, decoded.
  ///
  /// - Parameters:
  ///   - isPrefix: Whether the path goes on after it.
  ///   - isSuffix: Whether the path begins before it.
  func pattern(_ path: String, isPrefix: Bool, isSuffix: Bool) -> String {
    let literal = (isSuffix ? path : path.asPath).map { character in
      if "*?+.$|(){}".contains(character) { return "[\(character)]" }
      return #"\[]^"#.contains(character) ? "\\\(character)" : "\(character)"
    }.joined()
    return "pathMatches(\(((isSuffix ? "" : "^") + literal + (isPrefix ? "" : "$")).debugDescription))"
  }

  /// Returns the call without the white space around the text, or with an example in place of nothing else.
  func trimmed(or example: String, isPath: Bool = false) -> String {
    let trimmed = text.withoutOuterSpace
    if trimmed.isEmpty { return with(example) }
    return with(isPath ? trimmed.asPath : trimmed)
  }
}

extension String {
  var hasSpace: Bool { utf8.contains { $0 <= 0x20 || $0 == 0x7F } }
  var hasOuterSpace: Bool { utf8.first?.isWhiteSpace == true || utf8.last?.isWhiteSpace == true }
  var hasBreak: Bool { utf8.contains { $0 == 0x0A || $0 == 0x0D || $0 == 0 } }
  var isURL: Bool { scheme != nil }
  var hasEscape: Bool { percentDecoded != self }

  /// A Boolean value that indicates whether the text can only be percent-encoded. A decoded one that contains an
  /// escape, such as a URL, has other characters that an encoded one hasn't.
  var isEncoded: Bool { has("%") && utf8.allSatisfy(\.isTokenByte) && hasEscape }

  var withoutOuterSpace: String { trimmingCharacters(in: CharacterSet(charactersIn: " \t\n\u{B}\u{C}\r")) }

  /// Returns the segment of a path that has what other libraries and servers write for any text: a `*`, or `:id`.
  ///
  /// - Parameter isSuffix: Whether the first segment can be the end of one, which can begin with a colon.
  func wildcard(isSuffix: Bool = false) -> Substring? {
    guard has("*") || has(":") else { return nil }
    return pieces(at: "/").enumerated().first { place, segment in
      segment.has("*")
        || (place > 0 || !isSuffix) && segment.utf8.first == UInt8(ascii: ":")
          && segment.unicodeScalars.dropFirst().first?.properties.isAlphabetic == true
    }?.element
  }

  /// The text with a slash in front.
  var asPath: String { utf8.first == UInt8(ascii: "/") ? self : "/" + self }

  /// The path as a template, with a placeholder in place of each `*` and of each segment that begins like `:id`. Each
  /// placeholder has a name of its own.
  var asTemplate: String {
    var names: Set<String> = []
    func name(_ wanted: Substring) -> String {
      var (name, number) = (wanted.isEmpty ? "name" : String(wanted), 1)
      while names.contains(name) {
        number += 1
        name = (wanted.isEmpty ? "name" : String(wanted)) + "\(number)"
      }
      names.insert(name)
      return name
    }
    let pieces = pieces(at: "/")
    let segments = pieces.enumerated().map { place, segment -> String in
      if segment == "**", place == pieces.count - 1 { return "{path...}" }
      if segment.has("*") {
        let parts = segment.pieces(at: "*")
        let placeholder = "{\(name(""))}"
        return parts.count == 2 ? parts.joined(separator: placeholder) : placeholder
      }
      if segment.utf8.first == UInt8(ascii: ":"), segment.utf8.count > 1 {
        let word = segment.dropFirst().prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        let rest = segment.dropFirst(1 + word.count)
        return "{\(name(word))}" + (rest.utf8.first == UInt8(ascii: "(") ? "" : rest)
      }
      return String(segment).replacing(#/{([^{}:]*)(:[^{}]*)?}/#) { match -> String in
        if match.1.hasSuffix("...") { return String(match.0) }
        return "{\(name(match.1))\(match.2 ?? "")}"
      }
    }
    return segments.joined(separator: "/").asPath
  }

  /// A Boolean value that indicates whether a segment of a path has a placeholder, as in `{id}` and `{name}.json`.
  var hasPlaceholder: Bool {
    has("{") && pieces(at: "/").contains { $0.cut(at: "{")?.after.has("}") == true }
  }

  /// The URL after the scheme, if another scheme follows.
  var urlAfterScheme: Substring? {
    guard let rest = scheme?.rest, let name = rest.scheme?.name else { return nil }
    return name == "http" || name == "https" ? rest : nil
  }

  /// The text of a URL in parts: the host, the path, and the query with its question mark.
  var inURL: (host: Substring, path: Substring, query: Substring) {
    let parts = partsOfURL
    let authority = parts.origin.scheme?.rest ?? ""
    return (authority.pieces(at: "@").last ?? "", parts.path, parts.rest.cut(at: "#")?.before ?? parts.rest)
  }

  /// The matcher for the text of a URL, as Swift source.
  var matcherOfURL: String {
    let (origin, path, rest) = partsOfURL
    guard String(path).hasPlaceholder || String(path).wildcard() != nil else { return "isURL(\(debugDescription))" }
    let query = rest.utf8.first == UInt8(ascii: "?") ? " && containsQuery(…)" : ""
    return
      "isUnder(\(String(origin).debugDescription)) && isPath(template: \(String(path).asTemplate.debugDescription))"
      + query
  }

  /// The host at the beginning of a text without a scheme, and the path after it.
  var hostInPath: (host: String, path: String)? {
    guard let (host, path) = cut(at: "/"), host.has("."), let last = host.pieces(at: ".").last,
      last.utf8.count > 1, last.utf8.allSatisfy(\.isLetter)
    else { return nil }
    return (String(host), "/" + path)
  }

  /// A Boolean value that indicates whether something that is no IPv6 address ends with a port.
  var hasPort: Bool {
    guard has(":") else { return false }
    return utf8.first == UInt8(ascii: "[") ? utf8.last != UInt8(ascii: "]") : pieces(at: ":").count <= 2
  }
}
