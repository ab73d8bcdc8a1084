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
  static func recordedItems(
    _ source: ItemsCriterion.Source, _ items: NamedItems, ignoring ignored: Set<String>
  ) -> RequestMatcher {
    items.contains(where: \.isRedacted) || !ignored.isEmpty
      ? RequestMatcher(RecordedItemsCriterion(source, RecordedItems(items), ignoring: ignored))
      : RequestMatcher(ItemsCriterion(source, exactly: items))
  }

  /// - Parameter path: Where the value is in the body, or empty for the whole body.
  static func recordedJSON(at path: String, _ value: JSONValue, _ ignored: IgnoredParts) -> RequestMatcher {
    if value.redactedCount > 0 || ignored.hasJSON {
      return RequestMatcher(RecordedJSONCriterion(path: JSONPath(path), value: value, ignored))
    }
    return path.isEmpty ? hasJSONBody(value) : hasJSON(at: path, equals: value)
  }
}
