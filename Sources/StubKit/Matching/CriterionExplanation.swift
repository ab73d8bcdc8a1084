import Foundation

extension Criterion {
  /// What the criterion asks for.
  var expectation: String {
    switch self {
    case .method(let method): method.value
    case .scheme(let text), .host(let text), .absoluteURL(let text), .path(let text), .pathExtension(let text):
      text.text.debugDescription
    case .hostSuffix(let text), .pathSuffix(let text): "…\(text.text)".debugDescription
    case .pathPrefix(let text): "\(text.text)…".debugDescription
    case .port(let port): "\(port)"
    case .pathPattern(let pattern), .headerPattern(_, let pattern): "a match of \(pattern.source)"
    case .pathTemplate(let template): template.text.debugDescription
    case .queryName(let name): "an item \(name.debugDescription)"
    case .queryValue(let name, let value): [NamedValue(name: name, value: value)].swiftLiteral
    case .query(let items): items.swiftLiteral
    case .exactQuery(let items): items.isEmpty ? "no query" : "exactly \(items.swiftLiteral)"
    case .lacksQuery(let name): "no item \(name.debugDescription)"
    case .header(let name): "a header \(name)"
    case .headerValue(_, let value), .cookieValue(_, let value): value.debugDescription
    case .lacksHeader(let name): "no header \(name)"
    case .cookie(let name): "a cookie \(name.debugDescription)"
    case .basicAuth(let user, let password): "user \(user.debugDescription) with password \(password.debugDescription)"
    case .body(let data): data.swiftSource
    case .bodyText(let text): "…\(text)…".debugDescription
    case .json(let value): value.swiftLiteral
    case .jsonContaining(let value): "at least \(value.swiftLiteral)"
    case .jsonAt(let path, let value): "\(value.swiftLiteral) at \(path.text.debugDescription)"
    case .form(let items), .formItems(let items): "exactly \(items.swiftLiteral)"
    case .multipart(let name, let type): "a part \(name.debugDescription)" + (type.map { " of type \($0)" } ?? "")
    case .graphQL(let operation): "operation \(operation.debugDescription)"
    }
  }

  /// What the request has in its place; nil if nothing.
  func actual(_ facts: inout RequestFacts) -> String? {
    switch self {
    case .method: return facts.method
    case .scheme: return facts.scheme?.debugDescription
    case .host: return facts.host?.debugDescription
    case .hostSuffix: return facts.host?.debugDescription
    case .port: return facts.port.map { "\($0)" }
    case .absoluteURL: return facts.url.map { _ in facts.absoluteString.debugDescription }
    case .path, .pathPrefix, .pathSuffix, .pathPattern: return facts.url.map { _ in facts.path.debugDescription }
    case .pathTemplate: return facts.url.map { _ in facts.encodedPath.debugDescription }
    case .pathExtension: return facts.pathExtension.isEmpty ? nil : String(facts.pathExtension).debugDescription
    case .queryName, .query, .exactQuery, .lacksQuery, .queryValue:
      return facts.queryItems.isEmpty ? nil : facts.queryItems.swiftLiteral
    case .header(let name), .headerValue(let name, _), .headerPattern(let name, _), .lacksHeader(let name):
      return facts.header(name)?.debugDescription
    case .cookie, .cookieValue: return facts.cookies.isEmpty ? nil : facts.cookies.swiftLiteral
    case .basicAuth: return facts.header("Authorization")?.debugDescription
    default: return actualBody(&facts)
    }
  }

  private func actualBody(_ facts: inout RequestFacts) -> String? {
    if facts.bodyIsUnread { return "a body stream that has not been read" }
    switch self {
    case .json, .jsonContaining: return (facts.json?.swiftLiteral ?? facts.bodyData?.swiftSource)?.shortened
    case .jsonAt(let path, _):
      guard let json = facts.json else { return facts.bodyData?.swiftSource }
      return path.value(in: json)?.swiftLiteral.shortened
    case .form, .formItems: return facts.formFields.isEmpty ? nil : facts.formFields.swiftLiteral
    case .multipart:
      let parts = facts.multipart?.parts.map { "\($0.name?.debugDescription ?? "unnamed") of type \($0.contentType)" }
      return parts.map { $0.joined(separator: ", ") } ?? facts.bodyData?.swiftSource
    case .graphQL:
      let names = facts.graphQLOperations.map(\.debugDescription)
      return names.isEmpty ? nil : names.joined(separator: ", ")
    default: return facts.bodyData?.swiftSource
    }
  }
}

extension String {
  fileprivate var shortened: String { count > 500 ? prefix(500) + "…" : self }
}
