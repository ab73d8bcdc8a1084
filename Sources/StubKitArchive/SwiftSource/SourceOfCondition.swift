import Foundation
import StubKitFormats

/// The condition for a recorded request, as Swift code.
struct SourceOfCondition {
  let text: String
  /// Whether a GET of the URL without a body meets the condition.
  let isPlainGet: Bool

  /// - Parameter others: All requests of the archive. The condition contains what distinguishes them.
  init(_ request: URLRequest, among others: [URLRequest]) {
    let method = request.httpMethod ?? "GET"
    var parts = [Self.method(method)] + Self.place(request, among: others)
    let bodies = Set(others.filter { $0.url == request.url && $0.httpMethod == request.httpMethod }.map(\.httpBody))
    let body = bodies.count > 1 ? Self.body(of: request) : nil
    if let body { parts.append(body) }
    text = parts.joined(separator: " && ")
    isPlainGet = method == "GET" && body == nil && request.url?.absoluteString.isRedacted == false
  }

  private static func method(_ method: String) -> String {
    let hasFunction = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"].contains(method)
    return hasFunction ? "isMethod\(method)()" : "isMethod(\(method.debugDescription))"
  }

  private static func place(_ request: URLRequest, among others: [URLRequest]) -> [String] {
    guard let url = request.url, var components = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
      return []
    }
    (components.user, components.password, components.fragment) = (nil, nil, nil)
    let items = NamedValue.query(components.percentEncodedQuery ?? "")
    let isRedacted = items.contains { $0.value?.isRedacted == true }
    if isRedacted { components.percentEncodedQuery = nil }
    var address = components.url?.absoluteString ?? url.absoluteString
    // A condition without a query would match any query.
    if items.isEmpty, !address.hasSuffix("?"),
      others.contains(where: { $0.url?.query?.isEmpty == false && $0.url?.path == url.path })
    {
      address += "?"
    }
    let place = "isURL(\(address.debugDescription))"
    guard isRedacted else { return [place] }
    return [place]
      + items.map { item in
        item.value?.isRedacted == true
          ? "containsQuery(\(item.name.debugDescription))"
          : "containsQuery([\(item.name.debugDescription): \(item.value?.debugDescription ?? "nil")])"
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
