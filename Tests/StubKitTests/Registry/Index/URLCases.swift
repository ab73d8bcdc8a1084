import Foundation
import TestSupport

@testable import StubKit
@testable import StubKitFormats

/// Makes URLs and conditions out of the same few parts, so that they match or nearly do. Many parts are hostile to a
/// comparison of bytes: escapes, plus signs, delimiters in names, characters that equal others, and repetitions.
struct URLCases {
  /// A kind of criterion on the method or the URL.
  enum Kind: CaseIterable {
    case method, scheme, host, hostSuffix, port, url, under
    case path, pathPrefix, pathSuffix, template, openTemplate
    case queryName, queryValue, query, exactQuery, lacksQuery
  }

  var random: SplitMix64
  private var url = ""
  private var segments: [String] = []
  private var items: [String] = []

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  private static let hosts = [
    "a.com", "a.com", "b.a.com", "ba.com", "A.com", "a-b.com", "xn--bcher-kva.com", "u@a.com", "[::1]", "a.com.",
  ]
  private static let ports = ["", "", "", ":", ":80", ":443", ":8080", ":008080", ":99999999999999999999"]
  private static let words = [
    "users", "users", "42", "4", "a.json", "v1", "", "a;b", "K", "aa", "aXbXc", "%75sers", "a%2Fb", "caf\u{E9}",
    "x-y", "users42", "%ZZ", "+",
  ]
  private static let queryItems = [
    "a=1", "a=1", "a", "a=", "=1", "=", "a=1=2", "%61=1", "a=+1", "a=%2B1", "", "b=2", "a=2", "K=k", "a%3D1", "ab=1",
    "b=%ZZ", "b=\u{E9}", "b",
  ]
  private static let names = ["a", "a", "b", "", "K", "\u{212A}", "a=1", "a&b", "%61", "ab", "\u{E9}", "1"]
  private static let values = ["1", "1", "2", "", "+1", " 1", "1=2", "k", "\u{E9}"]

  /// A request that `condition` makes conditions for.
  mutating func request() -> URLRequest {
    while true {
      segments = (0...random.below(3)).map { _ in random.pick(Self.words) }
      items = (0..<random.pick([0, 1, 1, 2, 3])).map { _ in random.pick(Self.queryItems) }
      var text = random.pick(["http", "https", "HTTP", "ftp", "http", "http"]) + "://"
      text += random.pick(Self.hosts) + random.pick(Self.ports)
      text += segments.map { "/" + $0 }.joined() + random.pick(["", "", "", "/", "//"])
      if !items.isEmpty || random.chance(percent: 10) { text += "?" + items.joined(separator: "&") }
      text += random.pick(["", "", "", "", "#", "#a?b=1"])
      guard let url = URL(string: text) else { continue }
      self.url = url.absoluteString
      var request = URLRequest(url: url)
      request.httpMethod = random.pick(["GET", "get", "POST", "PURGE", "GET", "GET"])
      return request
    }
  }

  /// The same request with other spellings of its URL: with letters as escapes, with capitals, and with a user.
  func spellings(of request: URLRequest) -> [URLRequest] {
    guard let text = request.url?.absoluteString, let start = text.range(of: "://") else { return [] }
    let scheme = text[..<start.lowerBound]
    let rest = text[start.upperBound...]
    let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
    let (authority, tail) = (rest[..<end], rest[end...])
    var texts = ["\(scheme.uppercased())://\(authority.uppercased())\(tail)"]
    if !authority.contains("@") { texts.append("\(scheme)://user:pw@\(authority)\(tail)") }
    // An escaped letter must not become part of what was an escape.
    if !tail.contains("%") {
      texts.append("\(scheme)://\(authority)\(tail.replacingOccurrences(of: "a", with: "%61"))")
      texts.append("\(scheme)://\(authority)\(tail.replacingOccurrences(of: "1", with: "%31"))")
    }
    return texts.compactMap { text in
      guard let url = URL(string: text) else { return nil }
      var copy = request
      copy.url = url
      return copy
    }
  }

  /// A condition of one to three criteria, of the kinds that it returns.
  mutating func condition() -> (RequestMatcher, [Kind]) {
    var kinds: [Kind] = []
    var matchers: [RequestMatcher] = []
    for _ in 0...random.pick([0, 0, 1, 2]) {
      let kind = random.pick(Kind.allCases)
      kinds.append(kind)
      matchers.append(matcher(kind))
    }
    return (matchers.dropFirst().reduce(matchers[0]) { $0 && $1 }, kinds)
  }

  private mutating func matcher(_ kind: Kind) -> RequestMatcher {
    let item = namedItem()
    return switch kind {
    case .method: isMethod(random.pick(["GET", "post", "GET"]))
    case .scheme: isScheme(random.pick(["http", "http", "HTTPS", "ftp"]))
    case .host: isHost(random.pick(["a.com", "A.com", "b.a.com", "a-b.com", "b\u{FC}cher.com", "xn--bcher-kva.com"]))
    case .hostSuffix:
      hostEndsWith(random.pick(["a.com", ".com", ".a.com", "com.", "\u{212A}.com", "cher.com", "-kva.com"]))
    case .port: isPort(random.pick([80, 443, 8080]))
    case .url: isURL(absolute(random.chance(percent: 70) ? url : url + random.pick(["&a=1", "?a=1", "/", "#x"])))
    case .under:
      isUnder(absolute(String(url.prefix(while: { $0 != "?" && $0 != "#" }).dropLast(random.below(4)))))
    case .path: isPath(path)
    case .pathPrefix: pathStartsWith(String(path.prefix(1 + random.below(9))))
    case .pathSuffix: pathEndsWith(String(path.suffix(1 + random.below(9))))
    case .template: isPath(template: template())
    case .openTemplate:
      isPath(
        template: "/"
          + (template().split(separator: "/").dropLast(random.below(3)) + ["{all...}"]).joined(separator: "/"))
    case .queryName: containsQuery(item.name)
    case .queryValue: containsQuery(item.name, item.value ?? "")
    case .query: containsQuery(namedItems())
    case .exactQuery: hasExactQuery(namedItems())
    case .lacksQuery: lacksQuery(item.name)
    }
  }

  private func absolute(_ text: String) -> URL {
    let fallback = URL(string: "http://a.com/users")!
    guard let url = URL(string: text) else { return fallback }
    let facts = RequestFacts(URLRequest(url: url))
    return facts.scheme == nil || facts.host == nil ? fallback : url
  }

  /// The path of the URL, or one like it.
  private var path: String {
    mutating get {
      let words = random.chance(percent: 70) ? segments : segments.map { _ in random.pick(Self.words) }
      return "/" + words.joined(separator: "/").withoutTrailingSlashes
    }
  }

  /// The items of the URL, less or more.
  private mutating func namedItems() -> [String: String?] {
    var named: [String: String?] = [:]
    for item in items where random.chance(percent: 80) {
      named.updateValue(item.asItem.value, forKey: item.asItem.name)
    }
    if random.chance(percent: 25) {
      let item = namedItem()
      named.updateValue(item.value, forKey: item.name)
    }
    return named
  }

  private mutating func namedItem() -> NamedValue {
    if random.chance(percent: 50), let item = items.randomElement(using: &random) { return item.asItem }
    let value: String? = random.chance(percent: 20) ? nil : random.pick(Self.values)
    return NamedValue(name: random.pick(Self.names), value: value)
  }

  /// Each segment of the path as it is, or as a placeholder with some text of it around.
  private mutating func template() -> String {
    var number = 0
    let pieces = segments.map { segment in
      number += 1
      let place = "{x\(number)}"
      switch random.below(8) {
      case 0, 1: return segment
      case 2: return String(segment.unicodeScalars.prefix(1)) + place
      case 3: return place + String(segment.unicodeScalars.suffix(1))
      case 4:
        let start = segment.isEmpty ? "." : String(segment.unicodeScalars.prefix(1))
        return place + random.pick([".", "X", "K", "\u{212A}", "aX", start, start]) + "{y\(number)}"
      case 5: return "\u{212A}" + place
      case 6 where random.chance(percent: 30): return "{x\(number):[0-9]+}"
      default: return place
      }
    }
    return "/" + pieces.joined(separator: "/")
  }
}

extension String {
  /// The name and the value, as they are written.
  fileprivate var asItem: NamedValue {
    let parts = split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    return NamedValue(name: parts[0], value: parts.count > 1 ? parts[1] : nil)
  }
}
