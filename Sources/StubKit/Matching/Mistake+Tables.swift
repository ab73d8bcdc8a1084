import Foundation

// The tables, by the kind of text.

extension [Mistake.Row] {
  /// What a string interpolation makes of a value that may be `nil`.
  private static let optional: Self = [
    .init({ $0.has("(") && $0.contains("Optional(") }) { _ in
      "has the text of an optional value, Optional(…): unwrap the value. Where a request has it literally, test it in a "
        + "closure."
    }
  ]

  static let method: Self = [
    .init(\.isEmpty) { "matches nothing: write a method, as in \($0.with("GET")), or leave \($0.function) out." },
    .init({ $0.has("*") || $0.has("|") || !$0.utf8.allSatisfy(\.isTokenByte) }) {
      "is not a method: write its letters alone, without white space, as in \($0.with("GET"))."
    },
    .init({ $0.lowercased() == "any" }) { "is not a method: leave \($0.function) out, or write stub(.any, …)." },
    .init({ HTTPMethod.canonical($0) != $0.uppercased() }) {
      "is not in upper case, and URLSession sends it as it is: write \($0.with($0.text.uppercased())). For a client that "
        + "really sends it, write { $0.httpMethod == \($0.text.debugDescription) }."
    },
  ]

  /// RFC 3986, section 3.1.
  static let scheme: Self = [
    .init({ $0.utf8.first?.isLetter != true || !$0.utf8.allSatisfy { $0.isAlphanumeric || "+-.".utf8.contains($0) } }) {
      "matches nothing: write the scheme alone, as in \($0.with("https"))."
    },
    .init({ ["ws", "wss", "ftp", "data"].contains($0.lowercased()) }) { _ in
      "matches nothing: StubKit doesn't take requests with this scheme."
    },
  ]

  static let port: Self = [
    .init({ Int($0).map((0...65535).contains) != true }) { _ in "matches nothing: a port is a number from 0 to 65535." }
  ]

  static let host: Self =
    hostSuffix + [
      .init({ $0.utf8.first == UInt8(ascii: ".") }) {
        "has a leading dot, which no host has: write hostEndsWith(\($0.text.debugDescription))."
      }
    ]

  static let hostSuffix: Self = [
    .init(\.isEmpty) { "is empty: write the host, as in \($0.with("api.example.com")), or leave \($0.function) out." },
    .init({ $0.hasAny(of: "/?#@") || $0.hasPort }) { _ in
      "has more than a host: write the host alone, and add isScheme(…), isPort(…) or isPath(…) for the rest."
    },
    .init({ $0.has("*") }) {
      let isSuffix = $0.text.starts(withBytesOf: "*.")
      return "has a *, which stands for no other text: write "
        + "hostEndsWith(\(isSuffix ? String($0.text.dropFirst()).debugDescription : "…"))."
    },
    // Brackets enclose an IPv6 address, and are nowhere else.
    .init({ ($0.has(":") ? HostName.canonical($0) : $0).hasAny(of: "{}<>()[]|\\^$") }) { _ in
      "has a placeholder or a pattern, which no host has: write hostEndsWith(…), or urlMatches(…) with a named group."
    },
    .init(\.hasSpace) {
      let trimmed = $0.text.withoutOuterSpace
      return "has white space, which no host has: write "
        + "\(trimmed.isEmpty || trimmed.hasSpace ? "the host alone, as in \($0.with("api.example.com"))" : $0.with(trimmed))."
    },
    .init({ !$0.has(":") && $0.has("%") }) {
      let host = $0.with($0.text.percentDecoded, unless: hostSuffix) ?? $0.with("api.example.com")
      return "has a percent escape or a %, which no host has: write the host alone, as in \(host)."
    },
  ]

  /// The path of a URL, percent-encoded.
  static let encodedPath: Self = [
    .init({ $0.wildcard() != nil }) {
      "has \($0.text.wildcard() ?? ""), which stands for no other text: write {name} for any segment and {path...} for the "
        + "rest of a path, as in \($0.call.replacing($0.text, with: $0.text.asTemplate)). Where the path has it literally, "
        + "write pathMatches(…)."
    }
  ]

  /// A decoded path, or a part of one.
  ///
  /// - Parameters:
  ///   - isPrefix: Whether the last segment can be the beginning of one.
  ///   - isSuffix: Whether the first segment can be the end of one.
  private static func pathText(isPrefix: Bool = false, isSuffix: Bool = false) -> Self {
    let literally: @Sendable (Mistake) -> String = { mistake in
      "Where the path has it literally, write "
        + "\(mistake.pattern(mistake.text, isPrefix: isPrefix, isSuffix: isSuffix))."
    }
    /// A template of the whole path.
    let template: @Sendable (Mistake) -> String = { mistake in
      let path = mistake.text.asTemplate
      var whole = isSuffix ? "/files" + path : path
      if isPrefix { whole += path.utf8.last == UInt8(ascii: "}") ? "/{path...}" : "{path...}" }
      return "isPath(template: \(whole.debugDescription))"
    }
    return [
      .init({ (isPrefix || isSuffix) && $0.isEmpty }) {
        "is empty, and matches every path: leave \($0.function) out, or write isPath(\"/\") for the root."
      },
      .init(\.isURL) { "is a URL: write \($0.text.matcherOfURL), or the path alone." },
      .init({ isSuffix && $0.utf8.first == UInt8(ascii: "*") && !$0.dropFirst().has("*") && $0.utf8.count > 1 }) {
        "has a *, which stands for no other text: write \($0.with(String($0.text.dropFirst())))."
      },
      .init({ $0.wildcard(isSuffix: isSuffix) != nil }) {
        "has \($0.text.wildcard(isSuffix: isSuffix) ?? ""), which stands for no other text: write {name} for any segment and "
          + "{path...} for the rest of a path, as in \(template($0)). \(literally($0))"
      },
      .init({ $0.has("?") }) { _ in "has a query: write the path alone, and add containsQuery(…) for the query." },
      .init({ $0.has("#") }) { _ in "has a fragment: write the path alone, or isAbsoluteURLString(…)." },
      .init(\.hasEscape) {
        let decoded = $0.text.percentDecoded
        let rows = pathText(isPrefix: isPrefix, isSuffix: isSuffix)
        let call =
          $0.with(isSuffix ? decoded : decoded.asPath, unless: rows)
          ?? $0.pattern(decoded, isPrefix: isPrefix, isSuffix: isSuffix)
        return "has a percent escape, but takes the decoded path: write \(call). \(literally($0))"
      },
      .init(\.hasPlaceholder) {
        "has a placeholder, but isn't a template: write \(template($0)). \(literally($0))"
      },
      .init({ text in
        guard text.has(".") else { return false }
        // What can be a part of a segment isn't one of these.
        let segments = text.pieces(at: "/").dropFirst(isSuffix ? 1 : 0).dropLast(isPrefix ? 1 : 0)
        return segments.contains(where: \.isDotSegment)
      }) {
        let resolved = $0.text.withoutDotSegments
        return "has a segment . or .., which is resolved before a path is compared: write "
          + "\($0.with(isSuffix ? resolved : resolved.asPath)). Where the path has it percent-encoded, write pathMatches(…)."
      },
      .init({ !isSuffix && $0.utf8.first?.isWhiteSpace == true || !isPrefix && $0.utf8.last?.isWhiteSpace == true }) {
        "has white space around it: write \($0.trimmed(or: "/users", isPath: !isSuffix)). \(literally($0))"
      },
    ]
  }

  /// A path in a relative URL has none.
  private static let slash: Self = [
    .init({ $0.utf8.first == UInt8(ascii: "^") }) {
      let rest = $0.text.unicodeScalars.dropFirst()
      let needsSlash = rest.first?.properties.isAlphabetic == true
      return "is the beginning of a regular expression: write "
        + "pathMatches(\((needsSlash ? "^/\(Substring(rest))" : $0.text).debugDescription))."
    },
    .init({ $0.hostInPath != nil }) {
      let (host, path) = $0.text.hostInPath ?? ("", "")
      return
        "has no slash in front: write isHost(\(host.debugDescription)) && \($0.with(path)), or \($0.with("/" + $0.text)) "
        + "where it is a path."
    },
    .init({ !$0.isEmpty && $0.utf8.first != UInt8(ascii: "/") }) {
      "has no slash in front: write \($0.with("/" + $0.text)). For the path of a relative URL, write pathMatches(…)."
    },
  ]

  static let path: Self = optional + pathText() + slash
  static let pathPrefix: Self = optional + pathText(isPrefix: true) + slash

  static let pathSuffix: Self =
    pathText(isSuffix: true) + [
      .init({ $0 == "/" }) { _ in
        "matches the root alone, because a trailing slash doesn't count: write isPath(\"/\") for the root, or leave it out."
      }
    ]

  /// A regular expression for a path.
  static let pathPattern: Self = [
    .init({ $0.hasSuffix("/$") && !isOfRoot($0) && !$0.has("|") && !$0.has("?") && !$0.has("*") }) {
      let start = ["^", "\\A"].first(where: $0.text.hasPrefix)
      let path = $0.text.dropFirst(start?.count ?? 0).dropLast()
      let url = (start == nil ? "^[^?#]*" : "^[^/]*//[^/]*") + path + "([?#]|$)"
      // The text of a URL is percent-encoded.
      let isWritten = path.utf8.allSatisfy { 0x21..<0x7F ~= $0 }
      return "matches at most the root, because a trailing slash is no part of a path: "
        + (isWritten ? "write urlMatches(\(String(url).debugDescription)), or " : "") + "leave the slash out."
    }
  ]

  /// Whether a regular expression that ends with a slash is one for the root, such as `^/$`.
  private static func isOfRoot(_ pattern: String) -> Bool {
    pattern.dropLast(2).replacing("\\A", with: "^").filter { !"\\()".contains($0) } == "^"
  }

  /// The template itself reads the rest.
  static let template: Self =
    [
      .init(\.isURL) { "is a URL: write \($0.text.matcherOfURL)." },
      .init(\.hasOuterSpace) {
        "has white space around it: write \($0.trimmed(or: "/users/{id}", isPath: true)), or {name: } for a space in a path."
      },
    ] + slash

  /// The extension of a path with a space in it is none.
  static let pathExtension: Self = [
    .init({ $0.utf8.first == UInt8(ascii: ".") }) {
      "has a leading dot: write \($0.with(String($0.text.drop { $0 == "." })))."
    },
    .init({ text in
      text.hasAny(of: "./ ?#{") || text.hasOuterSpace || text.wildcard() != nil
    }) { _ in
      "is not a valid path extension: write what follows the last dot, or pathEndsWith(…)."
    },
    .init(\.hasEscape) { "has a percent escape: write \($0.with($0.text.percentDecoded))." },
  ]

  /// The text of a URL whose path can be a template.
  static let urlTemplate: Self =
    optional + [
      .init({ $0.urlAfterScheme != nil }) {
        "has two schemes: write \($0.with(String($0.text.urlAfterScheme ?? "")))."
      },
      .init({ $0.has("?") && $0.inURL.query.starts(with: "??") }) { _ in
        "has two question marks: write one. Where the query has a second one literally, write urlMatches(…)."
      },
      .init(\.hasOuterSpace) {
        "has white space around it: write \($0.trimmed(or: "https://api.example.com/users")), and %20 for a space in a URL."
      },
      .init({ $0.hasAny(of: "*{") && String($0.inURL.host).hasAny(of: "*{") }) { _ in
        "has a placeholder before its path: write hostEndsWith(…) for the host, or urlMatches(…) with a named group."
      },
      // What follows a brace in JSON is no letter.
      .init({
        $0.has("{") && $0.has("?")
          && $0.inURL.query.pieces(at: "{").dropFirst().contains { $0.utf8.first?.isLetter == true }
      }) {
        _ in
        "has a placeholder in its query: write containsQuery(…) for any value of an item, or queryMatches(…) with a named "
          + "group. Write a literal brace as %7B."
      },
      .init({
        $0.scheme?.rest.has(":") == true && $0.inURL.host.has(":")
          && URL(string: $0)?.port.map((0...65535).contains) == false
      }) { _ in
        "has a port that is out of range: write a number from 0 to 65535."
      },
    ]

  /// The text of a URL that `URL(string:)` reads.
  static let url: Self =
    urlTemplate + [
      .init({ $0.has("{") && $0.inURL.path.has("{") }) { _ in
        "has a brace in its path, but isn't a template. Write isPath(template: …) for the path, and isUnder(…) for what "
          + "comes before it. Write a literal brace as %7B."
      },
      .init({
        ($0.has("*") || ($0.scheme?.rest ?? $0[...]).has(":")) && String($0.inURL.path).wildcard() != nil
      }) {
        "has \(String($0.text.inURL.path).wildcard() ?? ""), which stands for no other text: write isPath(template: …) for "
          + "the path, and isUnder(…) for what comes before it. Where the URL has it literally, write urlMatches(…)."
      },
    ]

  static let absoluteURL: Self =
    url + [
      .init({ URL(string: $0)?.scheme == nil }) {
        "has no scheme: write a whole URL, as in \($0.with("https://api.example.com/users")), or isPath(…) for the path alone."
      }
    ]

  /// RFC 9110, section 5.1.
  static let headerName: Self = [
    .init(\.isEmpty) { "has an empty name: write the header's name, as in \($0.with("Accept"))." },
    .init({ $0.has("*") || !$0.utf8.allSatisfy(\.isTokenByte) }) { _ in
      "is not a valid header name: write the name alone, without a colon, white space, a * or a value."
    },
  ]

  /// RFC 9110, section 5.5.
  static let headerValue: Self =
    optional + [
      .init({ $0.hasSuffix(" *") && !$0.has(",") && !$0.has(";") }) { _ in
        "has a *, which stands for no other text: write headerMatches(…), or hasBearerToken() for any token."
      },
      .init(\.hasBreak) { _ in "has a line break or a NUL, which no header has: write the value on one line." },
      .init(\.hasOuterSpace) {
        "has white space around the value, which is no part of it: write \($0.with($0.text.withoutOuterSpace))."
      },
    ]

  /// RFC 6265, section 4.2.1.
  static let cookieName: Self = [
    .init({ $0.isEmpty || $0.has("=") || $0.has(";") || $0.hasBreak || $0.hasOuterSpace }) { _ in
      "is not a valid cookie name: write the name and the value separately, as in hasCookie(\"a\", \"b\")."
    }
  ]
  static let cookieValue: Self = [
    .init({ $0.has(";") || $0.hasBreak || $0.hasOuterSpace }) { _ in
      "is not a valid cookie value: write one without white space around it and without a semicolon."
    }
  ]

  /// RFC 7617, section 2.
  static let user: Self = [
    .init({ $0.has(":") }) { _ in
      "has a colon in the user name, where RFC 7617 ends the name. Write what follows the colon in password:."
    }
  ]

  /// RFC 6750, section 2.1.
  static let bearerToken: Self = [
    .init(\.isEmpty) { _ in "is empty: write the token, or hasBearerToken() for any." },
    .init(\.hasSpace) {
      let word = $0.text.withoutOuterSpace.pieces(at: " ").last.map(String.init) ?? ""
      return "has white space: write the token alone, as in \($0.with(word.isEmpty || word.hasSpace ? "abc" : word))."
    },
  ]

  /// The name of an item in a form that takes several items. An empty name is that of `?=1`.
  static let itemKey: Self =
    [
      .init({ $0.utf8.first == UInt8(ascii: "?") || $0.utf8.first == UInt8(ascii: "#") }) {
        "has a \($0.text.prefix(1)) in front of a name: write \($0.with(String($0.text.drop { "?#".contains($0) }))). Where "
          + "the name has it literally, test it in a closure."
      },
      .init(\.hasOuterSpace) {
        "has white space around a name: write \($0.trimmed(or: "page")). Where the name has it literally, test it in a "
          + "closure."
      },
    ]
    + itemValue

  /// The name of an item that must not be there.
  static let absentItem: Self =
    [
      .init({ $0.has("=") || $0.has("&") }) {
        let name = $0.text.prefix { $0 != "=" && $0 != "&" }
        return "has more than a name: write \($0.with(String(name))), or !containsQuery(…) for a name with a value."
      }
    ] + itemKey

  static let itemName: Self =
    [
      .init({ $0.has("=") || $0.has("&") }) {
        let pair = $0.text.pieces(at: "&")[0].cut(at: "=")
        var name = String((pair?.before ?? "").drop { "?#".contains($0) }).withoutOuterSpace.percentDecoded
        var value = String(pair?.after ?? "").percentDecoded
        if name.isEmpty || Mistake.of(itemName, name) != nil { (name, value) = ("page", "2") }
        let function = $0.function == "lacksQuery" ? "!containsQuery" : "containsQuery"
        return
          "has more than a name: write the name alone, and a value as in \(function)(\(name.debugDescription), "
          + "\(value.debugDescription)). Where the name has it literally, write \(function)([\($0.text.debugDescription): …])."
      }
    ] + itemKey

  static let itemValue: Self =
    optional + [
      .init(\.isEncoded) {
        let call = $0.with($0.text.percentDecoded, unless: itemKey).map { "write \($0). " } ?? ""
        return "has the percent escape of \($0.text.percentDecoded.debugDescription), but takes decoded texts: \(call)"
          + "Where the % itself is escaped, test it in a closure."
      }
    ]

  /// GraphQL specification, section 2.1.9. Letters beyond ASCII are in no name, and do no harm.
  static let operation: Self = [
    .init({ $0.utf8.first?.beginsName != true || !$0.utf8.allSatisfy { $0.beginsName || $0.isDigit } }) {
      let name = GraphQLOperation.names(inDocument: $0.text).first ?? "GetUser"
      return "is not the name of an operation: write the name alone, as in \($0.with(name))."
    }
  ]

  /// A name in Content-Disposition.
  static let partName: Self = [
    .init(\.isEmpty) { "has an empty name: write the name of the part, as in \($0.with("avatar"))." },
    .init(\.hasOuterSpace) {
      "has white space around a name: write \($0.trimmed(or: "avatar")), or test the body in a closure."
    },
  ]

  static let contentType: Self = [
    .init({ !$0.has("/") }) { "is not a content type: write the type and the subtype, as in \($0.with("image/png"))." },
    .init({ $0.has("*") }) { _ in
      "has a *, which no content type of a part has: write the whole type, or leave contentType: out for any."
    },
  ]

  static let bodyText: Self = [
    .init(\.isEmpty) {
      "is empty, and matches every request: leave \($0.function) out, or write hasBody(Data()) for no body."
    }
  ]

  static let jsonPath: Self = [
    .init({ $0.utf8.first != UInt8(ascii: "/") && $0.hasOuterSpace }) {
      "has white space around the path: write \($0.trimmed(or: "user.name")), or quote a key that has it, as in "
        + "[\" name\"]."
    }
  ]
}
