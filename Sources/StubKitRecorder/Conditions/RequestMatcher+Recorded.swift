import StubKit
import StubKitArchive
import StubKitFormats

/// The conditions of recorded requests. What was redacted in them matches any value of its kind, but not an empty one.
extension RequestMatcher {
  static func recordedScheme(_ scheme: String) -> RequestMatcher {
    RequestMatcher(ValueCriterion(.scheme, .equals(MatchText(scheme))))
  }

  static func recordedHost(_ host: String) -> RequestMatcher {
    RequestMatcher(ValueCriterion(.host, .equals(MatchText(host))))
  }

  static func recordedHost(endingWith suffix: String) -> RequestMatcher {
    RequestMatcher(ValueCriterion(.host, .ends(with: MatchText(suffix))))
  }

  static func recordedPath(_ path: String) -> RequestMatcher {
    RequestMatcher(ValueCriterion(.path, .equals(MatchText(path))))
  }

  static func recordedPath(_ pattern: Pattern) -> RequestMatcher {
    RequestMatcher(ValueCriterion(.path, .matches(pattern)))
  }

  /// Each item as often as here, in any order.
  static func recordedItems(_ source: ItemsCriterion.Source, _ items: NamedItems) -> RequestMatcher {
    items.contains(where: \.isRedacted)
      ? RequestMatcher(RecordedItemsCriterion(source, RecordedItems(items)))
      : RequestMatcher(ItemsCriterion(source, exactly: items))
  }

  /// - Parameter path: Where the value is in the body, or empty for the whole body.
  static func recordedJSON(at path: String, _ value: JSONValue) -> RequestMatcher {
    if value.redactedCount > 0 { return RequestMatcher(RecordedJSONCriterion(path: JSONPath(path), value: value)) }
    return path.isEmpty ? hasJSONBody(value) : hasJSON(at: path, equals: value)
  }

  static func recordedText(_ text: RecordedText) -> RequestMatcher { RequestMatcher(RecordedTextCriterion(text: text)) }
}
