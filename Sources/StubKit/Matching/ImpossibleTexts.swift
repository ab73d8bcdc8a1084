import Foundation

/// Texts that no request carries, or only one that nobody sends. A condition with such a text matches nothing, and a
/// verification that nothing met it would hold for ever. Each kind of text has a table, as in ``Mistake``.
extension [Mistake.Row] {
  /// RFC 9110, section 9.1.
  static let impossibleMethod: Self = [
    .init({ $0.hasNoToken || $0.has("*") || $0.has("|") }) {
      "is not a method: write its letters alone, as in \($0.with("GET")), or leave it out for any."
    },
    .init({ $0.lowercased() == "any" }) { _ in "is not a method: leave it out, or write stub(.any, …)." },
  ]

  /// RFC 3986, section 3.1.
  static let impossibleScheme: Self = [
    .init({ $0.utf8.first?.isLetter != true || !$0.utf8.allSatisfy { $0.isAlphanumeric || "+-.".utf8.contains($0) } }) {
      "matches nothing: write the scheme alone, as in \($0.with("https"))."
    },
    .init({ ["ws", "wss", "ftp", "data"].contains($0.lowercased()) }) {
      "matches nothing, because StubKit doesn't take requests with this scheme: write \($0.with("https")), or leave it out."
    },
  ]

  static let impossiblePort: Self = [
    .init({ Int($0).map((0...65_535).contains) != true }) { _ in
      "matches nothing: write a port, which is a number from 0 to 65535."
    }
  ]

  static let impossibleHostSuffix: Self = [
    .init(\.isEmpty) { "is empty: write the host, as in \($0.with("api.example.com")), or leave it out." },
    .init({ text in text.utf8.contains { $0 <= 0x20 || $0 == 0x7F } }) {
      "has white space, which no host has: write the host alone, as in "
        + "\($0.text.withoutOuterSpace.fault(impossibleHostSuffix) == nil ? $0.with($0.text.withoutOuterSpace) : $0.with("api.example.com"))."
    },
    // An IPv6 address can have brackets, and a zone after a %.
    .init({ $0.hasAny(of: "{}<>()|\\^$") || ($0.has(":") ? $0.canonicalHost : $0).hasAny(of: "[]") }) { _ in
      "has a placeholder or a pattern, which no host has: write hostEndsWith(…), or urlMatches(…) with a named group."
    },
    .init({ !$0.has(":") && $0.has("%") }) {
      "has a %, which no host has: write the host alone, as in \($0.with("api.example.com"))."
    },
  ]

  static let impossibleHost: Self =
    impossibleHostSuffix + [
      .init({ $0.utf8.first == .dot }) {
        "has a leading dot, which no host has: write hostEndsWith(\($0.text.debugDescription))."
      }
    ]

  /// - Parameters:
  ///   - isPrefix: Whether it is the beginning of a path, whose last segment can go on.
  ///   - isSuffix: Whether it is the end of one, before whose first segment there can be more.
  private static func impossiblePathText(isPrefix: Bool = false, isSuffix: Bool = false) -> Self {
    [
      .init({ $0.has("#") && $0.scheme == nil }) { _ in
        "has a fragment: write the path alone. No server gets a fragment. Where the path has a # literally, write "
          + "pathMatches(…)."
      },
      .init({ text in
        guard text.has("."), text.scheme == nil else { return false }
        let segments = text.pieces(at: "/").dropFirst(isSuffix ? 1 : 0).dropLast(isPrefix ? 1 : 0)
        return segments.contains(where: \.isDotSegment)
      }) {
        let resolved = $0.text.withoutDotSegments
        return "has a segment . or .., which is resolved before a path is compared: write "
          + "\($0.with(isSuffix ? resolved : resolved.asPath))."
      },
      .init({ !isSuffix && $0.utf8.first?.isWhiteSpace == true || !isPrefix && $0.utf8.last?.isWhiteSpace == true }) {
        let trimmed = $0.text.withoutOuterSpace
        return
          "has white space around it: write \($0.with(isSuffix ? trimmed : trimmed.asPath)). Where the path has it "
          + "literally, write pathMatches(…)."
      },
    ]
  }

  /// What is no path at all, before ``slash`` says that it has no slash in front.
  private static let impossibleStart: Self = [
    .init({ $0.utf8.first == UInt8(ascii: "^") }) {
      "is the beginning of a regular expression: write pathMatches(\($0.text.debugDescription))."
    },
    .init({ $0.hostInPath != nil }) {
      let (host, path) = $0.text.hostInPath ?? ("", "")
      return
        "has no slash in front: write isHost(\(host.debugDescription)) && \($0.with(path)), or \($0.with("/" + $0.text)) "
        + "where it is a path."
    },
  ]

  static let impossiblePath: Self = impossiblePathText() + impossibleStart
  static let impossiblePathPrefix: Self = impossiblePathText(isPrefix: true) + impossibleStart
  static let impossiblePathSuffix: Self =
    impossiblePathText(isSuffix: true) + [
      .init({ $0 == "/" }) { _ in
        "matches the root alone, because a trailing slash doesn't count: write isPath(\"/\") for the root, or leave it out."
      }
    ]
  /// The template itself reads the rest.
  static let impossibleTemplate: Self =
    [
      .init(\.hasOuterSpace) {
        "has white space around it: write \($0.with($0.text.withoutOuterSpace.asPath)), or {name: } for a space in a path."
      }
    ] + impossibleStart

  static let impossibleExtension: Self = [
    .init({ $0.hasAny(of: "./ ?#{*") || $0.hasOuterSpace || $0.percentDecoded != $0 }) {
      "is not the extension of a path: write what follows its last dot, as in \($0.with("png")), or pathEndsWith(…)."
    }
  ]

  static let impossibleURL: Self = [
    .init({ text in ["http://", "https://"].contains { text.scheme?.rest.starts(withBytesOf: $0) == true } }) {
      "has two schemes: write \($0.with(String($0.text.scheme?.rest ?? "")))."
    },
    // The expression of a placeholder can have them, too.
    .init({ !$0.has("{") && ($0.cut(at: "#")?.before ?? $0[...]).cut(at: "?")?.after.utf8.first == .question }) { _ in
      "has two question marks: write one. Where the query has a second one literally, write urlMatches(…)."
    },
    .init({ $0.hasOuterSpace && !$0.withoutOuterSpace.isEmpty }) {
      "has white space around it: write \($0.with($0.text.withoutOuterSpace)), and %20 for a space in a URL."
    },
    .init({ $0.scheme?.rest.has(":") == true && URL(string: $0)?.port.map((0...65_535).contains) == false }) { _ in
      "has a port that is out of range: write a number from 0 to 65535."
    },
  ]

  /// RFC 9110, section 5.1.
  static let impossibleHeaderName: Self = [
    .init({ $0.hasNoToken || $0.has("*") }) {
      "is not the name of a header: write the name alone, without a colon or a value, as in \($0.with("Accept"))."
    }
  ]

  /// RFC 9110, section 5.5.
  static let impossibleHeaderValue: Self = [
    .init(\.hasBreak) { _ in "has a line break or a NUL, which no header has: write the value on one line." },
    .init(\.hasOuterSpace) {
      "has white space around the value, which is no part of it: write \($0.with($0.text.withoutOuterSpace))."
    },
    .init({ $0.hasSuffix(" *") && !$0.hasAny(of: ",;") }) { _ in
      "has a *, which stands for no other text: write headerMatches(…), or hasBearerToken() for any token."
    },
  ]

  /// RFC 6265, section 4.2.1.
  static let impossibleCookieName: Self = [
    .init({ $0.isEmpty || $0.hasAny(of: "=;") || $0.hasBreak || $0.hasOuterSpace }) { _ in
      "is not the name of a cookie: write the name and the value separately, as in hasCookie(\"a\", \"b\")."
    }
  ]
  static let impossibleCookieValue: Self = [
    .init({ $0.has(";") || $0.hasBreak || $0.hasOuterSpace }) { _ in
      "is not the value of a cookie: write one without white space around it and without a semicolon."
    }
  ]

  /// RFC 7617, section 2.
  static let impossibleUser: Self = [
    .init({ $0.has(":") }) { _ in
      "has a colon in the user name, where RFC 7617 ends the name. Write what follows the colon in password:."
    }
  ]

  /// RFC 6750, section 2.1.
  static let impossibleToken: Self = [
    .init(\.isEmpty) { _ in "is empty: write the token, or hasBearerToken() for any." },
    .init({ text in text.utf8.contains { $0 <= 0x20 || $0 == 0x7F } }) {
      let word = $0.text.withoutOuterSpace.pieces(at: " ").last.map(String.init) ?? ""
      return "has white space: write the token alone, as in "
        + "\($0.with(word.fault(impossibleToken) == nil ? word : "abc"))."
    },
  ]

  /// The name of an item of a query or a form. An empty name is that of `?=1`.
  static let impossibleItemName: Self = [
    .init({ $0.utf8.first == .question || $0.utf8.first == .pound }) {
      let name = String($0.text.drop { "?#".contains($0) })
      return
        "has a \($0.text.prefix(1)) in front of the name: write \($0.with(name.isEmpty ? "page" : name)). Where the "
        + "name has it literally, test it in a closure."
    },
    .init(\.hasOuterSpace) {
      let name = $0.text.withoutOuterSpace
      return "has white space around the name: write \($0.with(name.isEmpty ? "page" : name)). Where the name has it "
        + "literally, test it in a closure."
    },
  ]

  /// GraphQL specification, section 2.1.9. Letters beyond ASCII are in no name, and do no harm.
  static let impossibleOperation: Self = [
    .init({ $0.isEmpty || !$0.utf8.allSatisfy { $0.isAlphanumeric || $0 == UInt8(ascii: "_") || $0 >= 0x80 } }) {
      let name = GraphQLOperation.names(inDocument: $0.text).first ?? "GetUser"
      return "is not the name of an operation: write the name alone, as in \($0.with(name))."
    }
  ]

  /// A name in Content-Disposition.
  static let impossiblePartName: Self = [
    .init(\.isEmpty) { "has an empty name: write the name of the part, as in \($0.with("avatar"))." },
    .init(\.hasOuterSpace) {
      let name = $0.text.withoutOuterSpace
      return "has white space around the name: write \($0.with(name.isEmpty ? "avatar" : name)), or test the body in a "
        + "closure."
    },
  ]
  static let impossibleContentType: Self = [
    .init({ !$0.has("/") || $0.has("*") }) {
      "is not a content type: write the type and the subtype, as in \($0.with("image/png")), or leave contentType: out for "
        + "any."
    }
  ]

  static let impossibleJSONPath: Self = [
    .init({ $0.utf8.first != .slash && $0.hasOuterSpace }) {
      let path = $0.text.withoutOuterSpace
      return
        "has white space around the path: write \($0.with(path.isEmpty ? "user.name" : path)), or quote a key that has "
        + "it, as in [\" name\"]."
    }
  ]
}

extension String {
  fileprivate var hasNoToken: Bool { isEmpty || !utf8.allSatisfy(\.isTokenByte) }
  fileprivate var hasOuterSpace: Bool { utf8.first?.isWhiteSpace == true || utf8.last?.isWhiteSpace == true }
  fileprivate var hasBreak: Bool { utf8.contains { $0 == 0x0A || $0 == 0x0D || $0 == 0 } }
  fileprivate var withoutOuterSpace: String { trimmingCharacters(in: CharacterSet(charactersIn: " \t\n\u{B}\u{C}\r")) }

  /// The host with which a path begins that was cut from a URL, and the rest.
  fileprivate var hostInPath: (host: String, path: String)? {
    guard let (host, path) = cut(at: "/"), host.has("."), let last = host.pieces(at: ".").last,
      last.utf8.count > 1, last.utf8.allSatisfy(\.isLetter)
    else { return nil }
    return (String(host), "/" + path)
  }
}
