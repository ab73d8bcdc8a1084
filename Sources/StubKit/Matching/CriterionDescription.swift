import Foundation
import StubKitFormats

extension Criterion: CustomStringConvertible {
  /// The call that creates the criterion, as Swift source.
  var description: String {
    switch self {
    case .method(let method): method.text
    case .scheme(let scheme): call("isScheme", scheme.text)
    case .host(let host): call("isHost", host.text)
    case .hostSuffix(let suffix): call("hostEndsWith", suffix.text)
    case .port(let port): "isPort(\(port))"
    case .absoluteURL(let url): call("isAbsoluteURLString", url.text)
    case .url(let url): call("isURL", url.text)
    case .under(let url): call("isUnder", url.text)
    case .urlPattern(let pattern): "urlMatches(\(pattern.source))"

    case .path(let path): call("isPath", path.text)
    case .pathPrefix(let prefix): call("pathStartsWith", prefix.text)
    case .pathUnder(let path): "(\(call("isPath", path.text)) || \(call("pathStartsWith", path.text + "/")))"
    case .pathSuffix(let suffix): call("pathEndsWith", suffix.text)
    case .pathExtension(let text): call("isExtension", text.text)
    case .pathPattern(let pattern): "pathMatches(\(pattern.source))"
    case .pathTemplate(let template): "isPath(template: \(template.text.debugDescription))"

    case .queryName(let name): call("containsQuery", name)
    case .queryValue(let name, let value): call("containsQuery", name, value)
    case .query(let items): "containsQuery(\(items.swiftLiteral))"
    case .exactQuery(let items), .queryItems(let items): "hasExactQuery(\(items.swiftLiteral))"
    case .queryPattern(let name, let pattern): "queryMatches(\(name.debugDescription), \(pattern.source))"
    case .lacksQuery(let name): call("lacksQuery", name)

    case .header(let name): call("hasHeaderNamed", name)
    case .headerValue(let name, let value): "hasHeaderNamed(\(name.debugDescription), value: \(value.debugDescription))"
    case .headerPattern(let name, let pattern): "headerMatches(\(name.debugDescription), \(pattern.source))"
    case .lacksHeader(let name): call("lacksHeader", name)
    case .cookie(let name): call("hasCookie", name)
    case .cookieValue(let name, let value): "hasCookie(\(name.debugDescription), value: \(value.debugDescription))"
    case .basicAuth(let user, let password):
      "hasBasicAuth(user: \(user.debugDescription), password: \(password.debugDescription))"

    case .body(let data): "hasBody(\(data.swiftSource))"
    case .bodyText(let text): call("bodyContains", text)
    case .json(let value): "hasJSONBody(\(value.swiftLiteral))"
    case .jsonContaining(let value): "hasJSONBody(containing: \(value.swiftLiteral))"
    case .jsonAt(let path, let value): "hasJSON(at: \(path.text.debugDescription), equals: \(value.swiftLiteral))"
    case .form(let items): "hasFormBody(\(items.swiftLiteral))"
    case .formItems(let items):
      "hasFormBody("
        + items.map { "URLQueryItem(name: \($0.name.debugDescription), value: \($0.value?.debugDescription ?? "nil"))" }
        .joined(separator: ", ") + ")"
    case .multipart(let name, let contentType?):
      "hasMultipartPart(named: \(name.debugDescription), contentType: \(contentType.debugDescription))"
    case .multipart(let name, nil): "hasMultipartPart(named: \(name.debugDescription))"
    case .graphQL(let operation): "isGraphQL(operation: \(operation.debugDescription))"

    // Written as if the marks were the values themselves, because that is clearest.
    case .recordedQuery(let recorded): "hasExactQuery(\(recorded.items.swiftLiteral))"
    case .recordedForm(let recorded): "hasFormBody(\(recorded.items.swiftLiteral))"
    case .recordedJSON(let path, let value):
      path.text.isEmpty
        ? "hasJSONBody(\(value.swiftLiteral))"
        : "hasJSON(at: \(path.text.debugDescription), equals: \(value.swiftLiteral))"
    case .recordedText(let text): "hasBody(\(text.data.swiftSource))"

    case .scenario(let demand): "\(demand.track.name).is(\(demand.text))"
    }
  }

  private func call(_ name: String, _ arguments: String...) -> String {
    "\(name)(\(arguments.map(\.debugDescription).joined(separator: ", ")))"
  }
}

extension Data {
  /// A short text as its literal, and any other text as its length.
  var swiftSource: String {
    if count <= 200, let text = String(validUTF8: self) { return "Data(\(text.debugDescription).utf8)" }
    return "<\(count) bytes>"
  }
}
