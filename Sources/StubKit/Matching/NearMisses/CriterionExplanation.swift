import Foundation
import StubKitFormats

extension Criterion {
  /// The part that the criterion compares.
  var subject: String {
    switch self {
    case .method: "method"
    case .scheme: "scheme"
    case .host, .hostSuffix: "host"
    case .port: "port"
    case .absoluteURL, .url, .under, .urlPattern: "URL"
    case .path, .pathPrefix, .pathUnder, .pathSuffix, .pathPattern, .pathTemplate: "path"
    case .pathExtension: "path extension"
    case .queryName(let name), .queryValue(let name, _), .queryPattern(let name, _), .lacksQuery(let name):
      "query item \(Excerpt.plain(name))"
    case .query, .exactQuery, .queryItems, .recordedQuery: "query"
    case .header(let name), .headerValue(let name, _), .headerPattern(let name, _), .lacksHeader(let name):
      "header \(Excerpt.plain(name))"
    case .cookie(let name), .cookieValue(let name, _): "cookie \(Excerpt.plain(name))"
    case .basicAuth: "header Authorization"
    case .body, .bodyText, .json, .jsonContaining, .recordedText: "body"
    case .jsonAt(let path, _), .recordedJSON(let path, _): path.text.isEmpty ? "body" : "body at \(path.text)"
    case .form, .formItems, .recordedForm: "form"
    case .multipart(let name, _): "body part \(Excerpt.plain(name))"
    case .graphQL: "GraphQL operation"
    case .scenario(let demand): demand.track.name
    }
  }

  /// The value that the criterion requires.
  var expectation: String {
    switch self {
    case .method(let method): Excerpt.plain(method.value)
    case .scheme(let text), .host(let text), .absoluteURL(let text), .path(let text), .pathExtension(let text):
      Excerpt.plain(text.text)
    case .hostSuffix(let text), .pathSuffix(let text): Excerpt.plain("…\(text.text)")
    case .url(let url): Excerpt.plain(url.text)
    case .under(let url): Excerpt.plain("\(url.text.withoutTrailingSlashes)/…")
    case .pathPrefix(let text): Excerpt.plain("\(text.text)…")
    case .pathUnder(let text): Excerpt.plain("\(text.text)/…")
    case .port(let port): "\(port)"
    case .urlPattern(let pattern), .pathPattern(let pattern), .queryPattern(_, let pattern),
      .headerPattern(_, let pattern):
      "a match of \(pattern.source)"
    case .pathTemplate(let template): Excerpt.plain(template.text)
    case .queryName, .header, .cookie: "any value"
    case .lacksQuery, .lacksHeader: "none"
    case .queryValue(_, let value), .headerValue(_, let value), .cookieValue(_, let value): value.debugDescription
    case .query(let items): items.swiftLiteral
    case .exactQuery(let items), .queryItems(let items), .form(let items), .formItems(let items):
      items.isEmpty ? "no items" : "exactly \(items.swiftLiteral)"
    case .recordedQuery(let recorded), .recordedForm(let recorded): "exactly \(recorded.items.swiftLiteral)"
    case .basicAuth(let user, let password): "user \(user.debugDescription) with password \(password.debugDescription)"
    case .body(let data): data.excerpt
    case .recordedText(let text): text.data.excerpt
    case .bodyText(let text): "text that contains \(text.debugDescription)"
    case .json(let value), .jsonAt(_, let value), .recordedJSON(_, let value): "\(value)"
    case .jsonContaining(let value): "at least \(value)"
    case .multipart(_, let type): type ?? "any type"
    case .graphQL(let operation): Excerpt.plain(operation)
    case .scenario(let demand): demand.text
    }
  }

  /// Returns the value in the request, or `nil` if there is none.
  func actual(_ facts: inout RequestFacts) -> String? {
    switch self {
    case .method: return Excerpt.plain(facts.method)
    case .scheme: return facts.scheme.map(Excerpt.plain)
    case .host, .hostSuffix: return facts.host.map(Excerpt.plain)
    case .port: return facts.port.map { "\($0)" }
    case .absoluteURL, .url, .under, .urlPattern: return facts.url.map { _ in Excerpt.plain(facts.absoluteString) }
    case .path, .pathPrefix, .pathUnder, .pathSuffix, .pathPattern:
      return facts.url.map { _ in Excerpt.plain(facts.path) }
    case .pathTemplate: return facts.url.map { _ in Excerpt.plain(facts.encodedPath) }
    case .pathExtension: return facts.pathExtension.isEmpty ? nil : Excerpt.plain(String(facts.pathExtension))
    case .queryName(let name), .queryValue(let name, _), .queryPattern(let name, _), .lacksQuery(let name):
      return facts.queryItems.values(of: name)
    case .query, .exactQuery, .queryItems, .recordedQuery:
      return facts.queryItems.isEmpty ? nil : facts.queryItems.swiftLiteral
    case .header(let name), .headerValue(let name, _), .headerPattern(let name, _), .lacksHeader(let name):
      return facts.header(name)?.debugDescription
    case .cookie(let name), .cookieValue(let name, _): return facts.cookies.values(of: name)
    case .basicAuth:
      if let auth = facts.basicAuth {
        return "user \(auth.user.debugDescription) with password \(auth.password.debugDescription)"
      }
      return facts.header("Authorization")?.debugDescription
    case .scenario(let demand): return demand.track.text(of: facts.scenarios.state(of: demand.track))
    default: return actualBody(&facts)
    }
  }

  private func actualBody(_ facts: inout RequestFacts) -> String? {
    switch self {
    case .json, .jsonContaining: return facts.json.map { "\($0)" } ?? facts.bodyData?.excerpt
    case .jsonAt(let path, _), .recordedJSON(let path, _): return facts.json.flatMap(path.value(in:)).map { "\($0)" }
    case .form, .formItems, .recordedForm: return facts.formFields.isEmpty ? nil : facts.formFields.swiftLiteral
    case .multipart(let name, _):
      let types = facts.multipart?.parts.filter { $0.name == name }.map(\.contentType) ?? []
      return types.isEmpty ? nil : types.joined(separator: ", ")
    case .graphQL:
      let names = facts.graphQLOperations.map(Excerpt.plain)
      return names.isEmpty ? nil : names.joined(separator: ", ")
    default: return facts.bodyData?.excerpt
    }
  }
}

extension NamedItems {
  /// Returns the values of all items with a name: `"1"`, or `"1" and no value`. Returns `nil` if there is none.
  func values(of name: String) -> String? { named(name).valuesText }
}

extension [NamedValue] {
  var valuesText: String? {
    isEmpty ? nil : map { $0.value?.debugDescription ?? "no value" }.joined(separator: " and ")
  }
}

extension Data {
  /// A text as its literal. Anything else, and very long text, as its length.
  var excerpt: String {
    if count <= 4_000, let text = String(validUTF8: self) { return text.debugDescription }
    return count == 1 ? "1 byte" : "\(count) bytes"
  }
}
