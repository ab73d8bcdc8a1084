import Foundation

/// The name under which a summary counts a request: its method and its URL, where one name is for many requests.
///
/// `GET https://api.example.com/users/{id}` has the template or the pattern of the stub as it is written. Otherwise,
/// numbers and identifiers in the path are `{id}`. The query isn't part of it.
struct EndpointName {
  let text: String

  /// The part of a stub's condition that is for many paths.
  enum Pattern: Equatable {
    /// A template of a path.
    case template(String)
    /// A condition with a regular expression, as Swift source.
    case condition(String)
  }

  init(_ request: URLRequest, _ pattern: Pattern?) {
    let parts = request.url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true) }
    let host = parts?.host.map { "\(parts?.scheme ?? "")://\($0)\(parts?.port.map { ":\($0)" } ?? "")" } ?? ""
    let rest =
      switch pattern {
      case .template(let template): template
      case .condition(let condition): " \(condition)"
      case nil: Self.shape(of: parts?.path ?? "/")
      }
    text = "\(request.httpMethod ?? "GET") \(host)\(rest.isEmpty ? "/" : rest)".middle(200).onOneLine
  }

  /// Returns a path with `{id}` in place of numbers and identifiers.
  static func shape(of path: String) -> String {
    path.split(separator: "/", omittingEmptySubsequences: false).map { segment in
      // An extension stays: 42.json.
      let dot = segment.lastIndex(of: ".").flatMap { segment[$0...].count <= 6 && $0 > segment.startIndex ? $0 : nil }
      let name = segment[..<(dot ?? segment.endIndex)]
      return isIdentifier(name) ? "{id}\(dot.map { segment[$0...] } ?? "")" : String(segment)
    }.joined(separator: "/")
  }

  /// Numbers, dates, UUIDs, hashes, and texts in which digits and letters are mixed as no word has them.
  private static func isIdentifier(_ text: Substring) -> Bool {
    let digits = text.utf8.count(where: \.isDigit)
    guard digits > 0 else { return false }
    let letters = text.utf8.count { ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7A }
    // 42, 2026-01-31, 12:30
    if letters == 0 { return true }
    let isHexadecimal = text.utf8.allSatisfy { $0 == 0x2D || $0.isDigit || 0x61...0x66 ~= $0 | 0x20 }
    if isHexadecimal, text.utf8.count >= 8 { return true }
    // cus_9s6XKzkNRiz8i3, 01ARZ3NDEKTSV4RRFFQ69G5FAV, and no oauth2 or version-2
    return text.utf8.count >= 12 && digits >= 2 && !text.hasSuffixOfDigits
  }
}

extension Substring {
  /// Whether its only digits are at its end, as in `release-candidate-12`.
  fileprivate var hasSuffixOfDigits: Bool {
    guard let first = utf8.firstIndex(where: \.isDigit) else { return false }
    return utf8[first...].allSatisfy(\.isDigit)
  }
}

extension RequestMatcher {
  /// The part of the condition that is for many paths, or `nil` if there is none that every request meets.
  var endpointPattern: EndpointName.Pattern? {
    switch node {
    case .group(isEither: false, let members, _):
      members.lazy.compactMap { RequestMatcher($0).endpointPattern }.first
    case .criterion(let criterion):
      if let template = criterion as? TemplateCriterion {
        .template(template.text)
      } else if let value = criterion as? ValueCriterion, value.part == .path || value.part == .url, value.isPattern {
        .condition(value.description)
      } else {
        nil
      }
    case .group, .not, .closure: nil
    }
  }
}

extension ValueCriterion {
  fileprivate var isPattern: Bool {
    switch comparison {
    case .matches, .contains: true
    default: false
    }
  }
}
