import Testing

extension Test.Case {
  /// The descriptions of the arguments, or `nil` if the test has none, or if Swift Testing doesn't show them.
  ///
  /// They are no public API, so they are found by reflection.
  var argumentTexts: [String]? {
    var values: [Any] = []
    func visit(_ value: Any, _ depth: Int) {
      for child in Mirror(reflecting: value).children where values.isEmpty {
        if child.label == "arguments" || child.label == "parameterized" || depth == 0 {
          let elements = Mirror(reflecting: child.value).children
          let found = elements.compactMap { element in
            Mirror(reflecting: element.value).children.first { $0.label == "value" }?.value
          }
          if !found.isEmpty { values = found } else if depth < 3 { visit(child.value, depth + 1) }
        }
      }
    }
    visit(self, 0)
    return values.isEmpty ? nil : values.map(Self.text)
  }

  /// A text without quotation marks, or the case of an enumeration without its dot.
  private static func text(_ value: Any) -> String {
    if let text = value as? String { return text }
    let text = String(describingForTest: value)
    return text.hasPrefix(".") ? String(text.dropFirst()) : text
  }
}
