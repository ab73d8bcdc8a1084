import Foundation

/// What is wrong with a text of a matcher. Each kind of text has a table below, with a row for each of its faults.
///
/// A row is there for a slip that people make, and its comment says where it was met. A text that is only odd is none:
/// a report shows it beside what the request has.
struct Mistake {
  struct Row {
    let hasFault: @Sendable (String) -> Bool
    /// Returns what is wrong and what to write instead, as the rest of a sentence that begins with the call.
    let rest: @Sendable (Mistake) -> String

    init(_ hasFault: @escaping @Sendable (String) -> Bool, _ rest: @escaping @Sendable (Mistake) -> String) {
      self.hasFault = hasFault
      self.rest = rest
    }
  }

  let text: String
  fileprivate let row: Row
  /// The call of the matcher, as Swift source.
  var call = ""

  func sentence(in call: String) -> UsageMistake {
    UsageMistake("\(call) \(row.rest(Mistake(text: text, row: row, call: call)))")
  }

  /// Returns the call with another text.
  func with(_ other: String) -> String {
    call.replacing(text.debugDescription, with: other.debugDescription)
  }
}

extension RequestMatcher {
  /// Creates a matcher from a criterion, or one that prints the same and carries what is wrong with a text in it.
  init(_ criterion: some Criterion, unless mistake: Mistake?) {
    self.init(criterion.description, unless: mistake) { criterion }
  }

  /// Creates a matcher of one value.
  package init(_ part: RequestPart, _ comparison: ValueComparison) {
    self.init(ValueCriterion(part, comparison))
  }

  /// Creates a matcher of one value in the same way.
  init(_ part: RequestPart, _ comparison: ValueComparison, unless mistake: Mistake?) {
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

extension [Mistake.Row] {
  /// Swift's fix-it for an optional in a string, `String(describing:)`, makes this text.
  private static let optional: Self = [
    .init({ $0.has("(") && $0.contains("Optional(") }) { _ in
      "has the text of an optional value, Optional(…): unwrap the value. Where a request has it literally, test it in a "
        + "closure."
    }
  ]

  /// An empty text, from the environment for example. Every path has it, so a stub would answer them all.
  private static let empty: Self = [.init(\.isEmpty) { _ in "is empty: write a text, or leave the matcher out." }]

  static let bodyText = empty

  /// `patch`: stoplightio/elements, issue 1606.
  static let method: Self = [
    .init({ $0.canonicalMethod != $0.uppercased() }) {
      "is not in upper case, and URLSession sends it as it is: write \($0.with($0.text.uppercased())). For a client that "
        + "really sends it, write { $0.httpMethod == \($0.text.debugDescription) }."
    }
  ]

  /// `https://`: OHHTTPStubs, issue 247 and pull request 248.
  static let scheme: Self = [
    .init({ $0.hasAny(of: ":/") }) { "matches nothing: write the scheme alone, as in \($0.with("https"))." }
  ]

  static let host: Self = [
    // A URL: OHHTTPStubs, issue 247.
    .init({ $0.hasAny(of: "/?#@") || $0.hasPort }) { _ in
      "has more than a host: write the host alone, and add isScheme(…), isPort(…) or isPath(…) for the rest."
    },
    // `*.example.com`: expressjs/vhost, as in certificates.
    .init({ $0.has("*") }) {
      let isSuffix = $0.text.starts(withBytesOf: "*.")
      return "has a *, which stands for no other text: write \($0.text.hostSuffixCall)."
    },
  ]

  /// A path that is a URL: OHHTTPStubs, issue 148.
  private static let notURL: Self = [
    .init({ $0.scheme != nil }) { _ in
      "is a URL: write the path alone, and hasBaseURL(…) for what comes before it, or isURL(…) for the whole."
    }
  ]

  /// A decoded path, or a part of one.
  ///
  /// - Parameters:
  ///   - isWhole: Whether it is a whole path.
  ///   - isSuffix: Whether the first segment can be the end of one.
  private static func pathText(isWhole: Bool = false, isSuffix: Bool = false) -> Self {
    optional + notURL + [
      // `*`: OHHTTPStubs, issues 125 and 235. `:id`: nuysoft/Mock, issue 358. `{id}`: Mockingjay, issue 47.
      .init({ $0.wildcard(isSuffix: isSuffix) != nil }) {
        let template = isWhole ? $0.text.asTemplate(isEncoded: false) : nil
        let call = "isPath(template: \((template ?? "/files/{name}").debugDescription))"
        return ($0.text.wildcard(isSuffix: isSuffix) ?? "").mistakeOfWildcard(call)
      },
      // A query: OHHTTPStubs, issue 255.
      .init({ $0.has("?") }) { _ in "has a query: write the path alone, and add containsQuery(…) for the query." },
      // The reverse of nock's issue 594 and microcks' issue 127.
      .init({ $0.decodedPath != $0 }) {
        let decoded = $0.text.decodedPath
        let isPlain = decoded.fault(pathText(isSuffix: isSuffix)) == nil
        let call = isPlain ? $0.with(isSuffix ? decoded : decoded.asPath) : "pathMatches(…)"
        return "has a percent escape, but takes the decoded path: write \(call). Where the path has it literally, "
          + "write pathMatches(…)."
      },
    ]
  }

  /// OHHTTPStubs, issue 223. A path in a relative URL has none.
  private static func slash(isTemplate: Bool = false) -> Self {
    [
      .init({ !$0.isEmpty && $0.utf8.first != .slash }) {
        let path = $0.text.asPath
        let isCure = !isTemplate || (try? PathTemplateParser(path, isEncoded: false)) != nil
        return "has no slash in front: write \(isCure ? $0.with(path) : "one"). For the path of a relative URL, write "
          + "pathMatches(…)."
      }
    ]
  }

  static let path: Self = pathText(isWhole: true) + slash()
  static let pathPrefix: Self = empty + pathText() + slash()
  static let pathSuffix: Self = empty + pathText(isSuffix: true)
  /// The template itself reads the rest.
  static let template: Self = notURL + slash(isTemplate: true)

  /// A regular expression for a path that ends with a slash, as Django's do.
  static let pathPattern: Self = [
    .init({ $0.hasSuffix("/$") && !isOfRoot($0) && !$0.has("|") && !$0.has("?") && !$0.has("*") }) { _ in
      "matches at most the root, because a trailing slash is no part of a path: leave it out, or write urlMatches(…)."
    }
  ]

  /// Whether a regular expression that ends with a slash is one for the root, such as `^/$`.
  private static func isOfRoot(_ pattern: String) -> Bool {
    pattern.dropLast(2).replacing("\\A", with: "^").filter { !"\\()".contains($0) } == "^"
  }

  /// The text of a URL whose path can be a template.
  static let urlTemplate: Self =
    optional + [
      // As in a host alone, above.
      .init({ $0.hasAny(of: "*{") && $0.hostOfURL.hasAny(of: "*{") }) {
        let cure = $0.call.hasPrefix("stub(") ? "the path alone, and where:" : "isPath(…) for the path, and"
        return "has \($0.text.hostOfURL) as its host, in which nothing stands for other text: write \(cure) "
          + "\(String($0.text.hostOfURL).hostSuffixCall) for the host, or urlMatches(…)."
      },
      // Mockingjay, issue 47. What follows a brace in JSON is no letter.
      .init({
        $0.has("{") && $0.has("?")
          && $0.queryOfURL.pieces(at: "{").dropFirst().contains { $0.utf8.first?.isLetter == true }
      }) { _ in
        "has a placeholder in its query: write containsQuery(…) for any value of an item, or queryMatches(…) with a named "
          + "group. Write a literal brace as %7B."
      },
    ]

  /// The text of a URL that `URL(string:)` reads. As in a path, above.
  static let url: Self =
    urlTemplate + [
      .init({
        ($0.hasAny(of: "*{") || ($0.scheme?.rest ?? $0[...]).has(":")) && $0.pathOfURL.wildcard() != nil
      }) {
        "has \($0.text.pathOfURL.wildcard() ?? ""), which stands for no other text: write isPath(template: …) for the path, "
          + "and hasBaseURL(…) for what comes before it. Where the URL has it literally, write urlMatches(…)."
      }
    ]

  /// Mockingjay, issue 47.
  static let absoluteURL: Self =
    url + [
      .init({ URL(string: $0)?.scheme == nil }) {
        "has no scheme: write a whole URL, as in \($0.with("https://api.example.com/users")), or isPath(…) for the path alone."
      }
    ]

  static let headerValue = optional

  /// The name or the value of an item: WireMock, issues 515 and 637.
  static let item: Self =
    optional + [
      .init({ $0.has("%") && $0.utf8.allSatisfy(\.isTokenByte) && $0.percentDecoded != $0 }) {
        let decoded = $0.text.percentDecoded
        let cure = decoded.fault(item) == nil ? "write \($0.with(decoded)). " : ""
        return "has the percent escape of \(decoded.debugDescription), but takes decoded texts: \(cure)"
          + "Where the % itself is escaped, test it in a closure."
      }
    ]

  /// A name that is the only one: OHHTTPStubs, issue 255.
  static let itemName: Self =
    [
      .init({ $0.has("=") || $0.has("&") }) {
        let pair = $0.text.drop { $0 == "?" }.pieces(at: "&")[0].cut(at: "=")
        var name = String(pair?.before ?? "").percentDecoded
        var value = String(pair?.after ?? "").percentDecoded
        if name.isEmpty || (name.fault(itemName) ?? value.fault(item)) != nil { (name, value) = ("page", "2") }
        return
          "has more than a name: write the name alone, and a value as in containsQuery(\(name.debugDescription), "
          + "\(value.debugDescription)). Where the name has it literally, "
          + ($0.text.fault(item) == nil
            ? "write containsQuery([\($0.text.debugDescription): …])." : "test it in a closure.")
      }
    ] + item
}

extension String {
  /// Returns the first fault in a table that the text has.
  func fault(_ rows: [Mistake.Row]) -> Mistake? {
    for row in rows where row.hasFault(self) { return Mistake(text: self, row: row) }
    return nil
  }

  /// Returns the segment of a path that has what other libraries and servers write for any text: a `*`, `:id` or
  /// `{id}`.
  ///
  /// - Parameters:
  ///   - isOfTemplate: Whether `{id}` is none.
  ///   - isSuffix: Whether the first segment can be the end of one, which can begin with a colon.
  func wildcard(isOfTemplate: Bool = false, isSuffix: Bool = false) -> Substring? {
    guard hasAny(of: "*:{") else { return nil }
    return pieces(at: "/").enumerated().first { place, segment in
      segment.has("*") || !isOfTemplate && segment.cut(at: "{")?.after.has("}") == true
        || (place > 0 || !isSuffix) && segment.utf8.first == .colon
          && segment.unicodeScalars.dropFirst().first?.properties.isAlphabetic == true
    }?.element
  }

  /// The text with a slash in front.
  var asPath: String { utf8.first == .slash ? self : "/" + self }

  /// Returns the path as a template, with a placeholder of its own name in place of each `*`, and of each segment such
  /// as `:id`. `nil` if it has something else that a template doesn't take.
  ///
  /// - Parameter isEncoded: Whether the path is one in a URL.
  func asTemplate(isEncoded: Bool) -> String? {
    var names: Set<String> = []
    func placeholder(_ wanted: some StringProtocol) -> String {
      var name = String(wanted)
      var number = 1
      while !names.insert(name).inserted {
        number += 1
        name = "\(wanted)\(number)"
      }
      return "{\(name)}"
    }
    let segments = asPath.pieces(at: "/")
    let template = segments.enumerated().map { place, segment in
      if segment == "**", place == segments.count - 1 { return "{path...}" }
      if segment.utf8.first == .colon, let word = segment.dropFirst().prefixMatch(of: /\w+/)?.0 {
        // Express has an expression in parentheses there.
        let rest = segment.dropFirst(1 + word.count)
        return placeholder(word) + (rest.utf8.first == UInt8(ascii: "(") ? "" : rest)
      }
      guard !segment.has("{") else {
        for name in segment.matches(of: /{([^{}:]+)/) { names.insert(String(name.1)) }
        return String(segment)
      }
      return String(segment.replacing(/\*+/) { _ in placeholder("name") })
    }.joined(separator: "/")
    return (try? PathTemplateParser(template, isEncoded: isEncoded)) == nil ? nil : template
  }

  fileprivate var pathOfURL: String { String(partsOfURL.path) }

  /// The host of a URL, with its port.
  fileprivate var hostOfURL: Substring { partsOfURL.origin.scheme?.rest.pieces(at: "@").last ?? "" }

  /// The call for what follows the first label of a host, if that is a placeholder and the rest is none.
  fileprivate var hostSuffixCall: String {
    let suffix = cut(at: ".").map { ".\($0.after.prefix { $0 != ":" })" } ?? ""
    let isCure =
      hasAny(of: "*{") && suffix.utf8.count > 1 && !suffix.hasAny(of: "*{")
      && pieces(at: ".")[0].utf8.first.map { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "{") } == true
    return "hostEndsWith(\(isCure ? suffix.debugDescription : "…"))"
  }

  fileprivate var queryOfURL: Substring {
    let rest = partsOfURL.rest
    return rest.cut(at: "#")?.before ?? rest
  }

  /// A Boolean value that indicates whether something that is no IPv6 address ends with a port.
  fileprivate var hasPort: Bool {
    guard has(":") else { return false }
    return utf8.first == UInt8(ascii: "[") ? utf8.last != .closingBracket : pieces(at: ":").count <= 2
  }
}

extension Substring {
  /// Returns what is wrong with a wildcard, and what to write in place of it.
  ///
  /// - Parameter call: What that is, as in a call.
  func mistakeOfWildcard(_ call: String) -> String {
    "has \(self), which stands for no other text: write {name} for any segment and {path...} for the rest of a path, as "
      + "in \(call). Where the path has it literally, write pathMatches(…)."
  }
}
