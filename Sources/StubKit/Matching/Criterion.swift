import Foundation
import StubKitFormats

/// One testable fact about a request, as data. It can be printed, compared, indexed and explained.
///
/// Values are canonical, as each case describes, so that an index can hash them like the facts of `RequestFacts`.
enum Criterion: Sendable {
  /// Well-known methods in upper case.
  case method(Written)
  /// In lower case.
  case scheme(Written)
  /// In lower case and Punycode, with IPv6 addresses without brackets.
  case host(Written)
  /// In lower case. Compared with the host in Punycode and in Unicode.
  case hostSuffix(Written)
  case port(Int)
  /// As Foundation prints the parsed URL.
  case absoluteURL(Written)
  case url(URLCondition)
  case under(URLCondition)
  case urlPattern(Pattern)

  /// Percent-decoded, without a trailing slash. The root is "/".
  case path(Written)
  case pathPrefix(Written)
  /// A prefix of whole segments. Empty for the root, which contains every path.
  case pathUnder(Written)
  case pathSuffix(Written)
  case pathExtension(Written)
  case pathPattern(Pattern)
  case pathTemplate(PathTemplate)

  case queryName(String)
  case queryValue(name: String, value: String)
  case query(NamedItems)
  case exactQuery(NamedItems)
  /// Each item as often as here, in any order.
  case queryItems(NamedItems)
  case queryPattern(name: String, Pattern)
  case lacksQuery(String)

  case header(String)
  case headerValue(name: String, value: String)
  case headerPattern(name: String, Pattern)
  case lacksHeader(String)
  case cookie(String)
  case cookieValue(name: String, value: String)
  case basicAuth(user: String, password: String)

  case body(Data)
  case bodyText(String)
  case json(JSONValue)
  case jsonContaining(JSONValue)
  indirect case jsonAt(JSONPath, JSONValue)
  case form(NamedItems)
  case formItems(NamedItems)
  case multipart(name: String, contentType: String?)
  case graphQL(String)

  // Cases for recordings: a redacted value in them matches anything.
  case recordedQuery(RecordedItems)
  case recordedForm(RecordedItems)
  indirect case recordedJSON(JSONPath, JSONValue)
  case recordedText(RecordedText)

  case scenario(ScenarioDemand)

  var stages: Stages {
    switch self {
    case .urlPattern(let pattern), .pathPattern(let pattern), .queryPattern(_, let pattern),
      .headerPattern(_, let pattern):
      pattern.names.isEmpty ? .head : [.head, .captures]
    case .pathTemplate: [.head, .captures]
    case .body, .bodyText, .json, .jsonContaining, .jsonAt, .form, .formItems, .multipart, .graphQL, .recordedForm,
      .recordedJSON, .recordedText:
      .body
    default: .head
    }
  }

  /// A Boolean value that indicates whether the test compares a few bytes and captures nothing. Such tests run first.
  var isCheap: Bool {
    switch self {
    case .method, .scheme, .host, .port, .absoluteURL, .path, .pathPrefix, .pathUnder, .pathSuffix, .pathExtension: true
    case .url(let url), .under(let url): url.isCheap
    default: false
    }
  }
}
