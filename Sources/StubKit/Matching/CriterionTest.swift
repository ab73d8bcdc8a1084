import Foundation
import StubKitFormats

extension Criterion {
  /// Returns whether the request passes. A body that nobody has read doesn't pass: evaluation asks for it first.
  func test(_ facts: inout RequestFacts, _ captures: inout Captures) -> Bool {
    switch self {
    case .method(let method): facts.method == method.value
    case .scheme(let scheme): facts.hasScheme(scheme.value)
    case .host(let host): facts.hasHost(host.value)
    case .hostSuffix(let suffix): facts.hostEnds(with: suffix.value)
    case .port(let port): facts.port == port
    case .absoluteURL(let url): facts.url != nil && facts.absoluteString == url.value
    case .url(let url), .under(let url): url.test(&facts)
    case .urlPattern(let pattern): facts.url != nil && pattern.test(facts.absoluteString, &captures)

    case .path(let path): facts.hasPath(path.value)
    case .pathPrefix(let prefix): facts.url != nil && facts.path.begins(with: prefix.value)
    case .pathUnder(let path): facts.url != nil && HTTPPath.isPath(facts.path, under: path.value)
    case .pathSuffix(let suffix): facts.url != nil && facts.path.ends(with: suffix.value)
    case .pathExtension(let text): facts.url != nil && facts.pathExtension == text.value
    case .pathPattern(let pattern): facts.url != nil && pattern.test(facts.path, &captures)
    case .pathTemplate(let template): facts.url != nil && template.test(facts.encodedPath, &captures)

    case .queryName(let name): facts.queryItems.contains(name: name)
    case .queryValue(let name, let value): facts.queryItems.contains(NamedValue(name: name, value: value))
    case .query(let items): items.allSatisfy(facts.queryItems.contains)
    case .exactQuery(let items): facts.url != nil && facts.queryItems.isExactly(items)
    case .queryItems(let items): facts.url != nil && facts.queryItems.isCounted(items)
    case .queryPattern(let name, let pattern):
      facts.queryItems.named(name).contains { $0.value.map { pattern.test($0, &captures) } ?? false }
    case .lacksQuery(let name): !facts.queryItems.contains(name: name)

    case .header(let name): facts.header(name) != nil
    case .headerValue(let name, let value): facts.header(name) == value
    case .headerPattern(let name, let pattern): facts.header(name).map { pattern.test($0, &captures) } ?? false
    case .lacksHeader(let name): facts.header(name) == nil
    case .cookie(let name): facts.cookies.contains(name: name)
    case .cookieValue(let name, let value): facts.cookies.contains(NamedValue(name: name, value: value))
    case .basicAuth(let user, let password): facts.basicAuth == BasicAuth(user: user, password: password)

    case .body(let data): (facts.bodyData ?? Data()) == data
    case .bodyText(let text): facts.bodyData.contains(utf8Of: text)
    case .json(let value): facts.json == value
    case .jsonContaining(let part): facts.json?.contains(part) ?? false
    case .jsonAt(let path, let value): facts.json.flatMap(path.value(in:)) == value
    case .form(let items): facts.formFields.isExactly(items)
    case .formItems(let items): facts.formFields.isCounted(items)
    case .multipart(let name, let contentType):
      facts.multipart?.parts.contains { $0.name == name && $0.hasContentType(contentType) } ?? false
    case .graphQL(let operation): facts.graphQLOperations.contains(operation)

    case .recordedQuery(let items): facts.url != nil && items.isMet(by: facts.queryItems)
    case .recordedForm(let items): items.isMet(by: facts.formFields)
    case .recordedJSON(let path, let value):
      facts.json.flatMap(path.value(in:))?.meets(recorded: value) ?? false
    case .recordedText(let text): text.isMet(by: facts.bodyData ?? Data())

    case .scenario(let demand): facts.scenarios.state(of: demand.track) == demand.state
    }
  }
}

extension Data? {
  fileprivate func contains(utf8Of text: String) -> Bool {
    if text.isEmpty { return true }
    return self?.range(of: Data(text.utf8)) != nil
  }
}
