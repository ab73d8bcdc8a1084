import Foundation
import StubKitFormats

/// The requests of an archive by what distinguishes them, so that the condition of each is found without reading all.
struct RequestsOfArchive {
  /// The bodies of the requests with one method and URL.
  private var bodies: [String: Set<Data?>] = [:]
  /// The paths of the requests that have a query.
  private var pathsWithQuery: Set<String> = []

  init(_ requests: some Sequence<URLRequest>) {
    for request in requests {
      bodies[Self.key(request), default: []].insert(request.httpBody)
      if request.url?.query?.isEmpty == false { pathsWithQuery.insert(request.url?.path ?? "") }
    }
  }

  private static func key(_ request: URLRequest) -> String {
    "\(request.httpMethod ?? "GET") \(request.url?.absoluteString ?? "")"
  }

  func hasSeveralBodies(_ request: URLRequest) -> Bool { bodies[Self.key(request)]?.count ?? 0 > 1 }

  func hasQuery(at path: String) -> Bool { pathsWithQuery.contains(path) }
}

/// The condition for a recorded request, as Swift code.
struct SourceOfCondition {
  /// The conditions that are joined with `&&`.
  let parts: [String]
  /// Whether a GET of the URL without a body meets the condition.
  let isPlainGet: Bool

  /// - Parameter others: All requests of the archive. The condition contains what distinguishes them.
  init(_ request: URLRequest, among others: RequestsOfArchive) {
    let method = request.httpMethod ?? "GET"
    let body = others.hasSeveralBodies(request) ? Self.body(of: request) : nil
    parts = [Self.method(method)] + Self.place(request, among: others) + (body.map { [$0] } ?? [])
    isPlainGet = method == "GET" && body == nil && request.url?.absoluteString.isRedacted == false
  }

  private static func method(_ method: String) -> String {
    let hasFunction = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"].contains(method)
    // isMethod takes no method in lower case.
    if method != method.uppercased() { return "{ $0.httpMethod == \(method.debugDescription) }" }
    return hasFunction ? "isMethod\(method)()" : "isMethod(\(method.debugDescription))"
  }

  private static func place(_ request: URLRequest, among others: RequestsOfArchive) -> [String] {
    guard let url = request.url, var components = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
      return []
    }
    (components.user, components.password, components.fragment) = (nil, nil, nil)
    let items = NamedValue.query(components.percentEncodedQuery ?? "")
    let isRedacted = items.contains { $0.value?.isRedacted == true }
    if isRedacted { components.percentEncodedQuery = nil }
    var address = components.url?.absoluteString ?? url.absoluteString
    // A condition without a query would match any query.
    if items.isEmpty, !address.hasSuffix("?"), others.hasQuery(at: url.path) { address += "?" }
    // Any segment stands in the place of a redacted one.
    guard !components.path.isRedacted else {
      let pattern = components.path.betweenPlaceholders.map(NSRegularExpression.escapedPattern(for:)).joined(
        separator: "[^/]+")
      return ["isHost(\((components.host ?? "").debugDescription))", "pathMatches(\("^\(pattern)$".debugDescription))"]
        + Self.query(items)
    }
    let place = "isURL(\(address.debugDescription))"
    return isRedacted ? [place] + query(items) : [place]
  }

  private static func query(_ items: NamedItems) -> [String] {
    items.map { item in
      item.value?.isRedacted == true
        ? "containsQuery(\(item.name.debugDescription))"
        : item.value.map { $0.percentDecoded == $0 } ?? true
          ? "containsQuery([\(item.name.debugDescription): \(item.value?.debugDescription ?? "nil")])"
          : "queryMatches(\(item.name.debugDescription), \("^\(NSRegularExpression.escapedPattern(for: item.value ?? ""))$".debugDescription))"
    }
  }

  private static func body(of request: URLRequest) -> String? {
    guard let body = request.httpBody, !body.isEmpty else { return "hasBody(Data())" }
    if let json = JSONLiteral(body) { return json.text.isRedacted ? nil : "hasJSONBody(\(json.text))" }
    guard let text = String(validUTF8: body) else {
      return "hasBody(Data(base64Encoded: \(body.base64EncodedString().debugDescription))!)"
    }
    return text.isRedacted ? nil : "hasBody(Data(\(text.debugDescription).utf8))"
  }
}
