import Foundation
import StubKitFormats

/// The conditions of recorded requests. What was redacted in them matches any value.
extension RequestMatcher {
  package static func scheme(_ scheme: String) -> RequestMatcher { RequestMatcher(.scheme(Written(scheme))) }

  package static func host(_ host: String) -> RequestMatcher { RequestMatcher(.host(Written(host))) }

  package static func hostSuffix(_ suffix: String) -> RequestMatcher { RequestMatcher(.hostSuffix(Written(suffix))) }

  package static func path(_ path: String) -> RequestMatcher { RequestMatcher(.path(Written(path))) }

  package static func path(_ pattern: Pattern) -> RequestMatcher { RequestMatcher(.pathPattern(pattern)) }

  /// Each item as often as here, in any order.
  package static func recordedQuery(_ items: NamedItems) -> RequestMatcher {
    RequestMatcher(items.contains(where: \.isRedacted) ? .recordedQuery(RecordedItems(items)) : .queryItems(items))
  }

  /// Each field as often as here, in any order.
  package static func recordedForm(_ fields: NamedItems) -> RequestMatcher {
    RequestMatcher(fields.contains(where: \.isRedacted) ? .recordedForm(RecordedItems(fields)) : .formItems(fields))
  }

  /// - Parameter path: Where the value is in the body, or empty for the whole body.
  package static func recordedJSON(at path: String, _ value: JSONValue) -> RequestMatcher {
    let place = JSONPath(path)
    if value.hasRedactedPart { return RequestMatcher(.recordedJSON(place, value)) }
    return RequestMatcher(path.isEmpty ? .json(value) : .jsonAt(place, value))
  }

  package static func recordedText(_ text: RecordedText) -> RequestMatcher { RequestMatcher(.recordedText(text)) }
}
