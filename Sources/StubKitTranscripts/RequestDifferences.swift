import Foundation
import StubKit

/// A value in which a request differs.
struct Difference {
  /// What the value is, whatever it says.
  let key: String
  let expected: String?
  let actual: String?

  var lines: [String] { (expected.map { ["- \($0)"] } ?? []) + (actual.map { ["+ \($0)"] } ?? []) }
  var withoutActual: Difference {
    Difference(key: key, expected: expected, actual: actual.map { _ in "\(key): another value" })
  }
}

/// Compares one request with another, value by value, and takes what placeholders stand for.
struct RequestDifferences {
  /// What the placeholders stand for so far.
  var values = PlaceholderValues()
  private var patterns: [String: ValuePattern] = [:]

  /// Returns whether a text fits an expected one, and takes the values of its placeholders.
  mutating func fits(_ expected: String, _ actual: String) -> Bool {
    guard expected.hasBraces else { return expected.isSame(as: actual) }
    guard let found = pattern(expected)?.values(in: actual.unescapingBraces) else { return false }
    return values.bind(found)
  }

  private mutating func pattern(_ text: String) -> ValuePattern? {
    if let known = patterns[text] { return known }
    let pattern = try? ValuePattern(text)
    patterns[text] = pattern
    return pattern
  }

  /// What keeps a value from its placeholders, if only other values do. Usually empty.
  mutating func note(_ expected: String, _ actual: String) -> String {
    guard expected.hasBraces, let found = pattern(expected)?.values(in: actual.unescapingBraces) else { return "" }
    return "   (\(values.conflict(found)))"
  }

  mutating func difference(_ key: String, _ expected: String, _ actual: String) -> [Difference] {
    if fits(expected, actual) { return [] }
    return [
      Difference(key: key, expected: "\(key): \(expected)\(note(expected, actual))", actual: "\(key): \(actual)")
    ]
  }

  /// Returns the values in which a request differs from an expected one.
  mutating func differences(_ expected: TranscribedRequest, _ actual: TranscribedRequest) -> [Difference] {
    var expected = expected
    if actual.isRedirected, !expected.isRedirected {
      expected.isRedirected = true
      expected.normalize(without: [])
    }
    var found: [Difference] = []
    let isSameURL = expected.method == actual.method && fits(expected.url, actual.url)
    if !isSameURL {
      found.append(
        Difference(
          key: "URL", expected: "\(expected.method) \(expected.url)\(note(expected.url, actual.url))",
          actual: "\(actual.method) \(actual.url)"))
    }
    found += differences("?", expected.items, actual.items)
    if expected.timeout != actual.timeout {
      let texts = [expected, actual].map { "\(TranscriptText.timeout)\($0.timeout ?? "60, the usual one")" }
      found.append(Difference(key: "timeout", expected: texts[0], actual: texts[1]))
    }
    found += differences("", expected.fields, actual.fields)
    return found + differences("body", expected.body, actual.body)
  }

  /// Returns whether the URLs of two requests fit, whatever the placeholders stand for.
  static func fitURL(_ expected: TranscribedRequest, _ actual: TranscribedRequest) -> Bool {
    var (left, right) = (TranscribedRequest(), TranscribedRequest())
    (left.url, left.items, right.url, right.items) = (expected.url, expected.items, actual.url, actual.items)
    var differences = RequestDifferences()
    return differences.differences(left, right).isEmpty
  }

  /// Compares the items of a query or of a form, in any order.
  mutating func differences(_ prefix: String, _ expected: [String]?, _ actual: [String]?) -> [Difference] {
    guard expected != nil || actual != nil else { return [] }
    guard let expected, let actual else {
      return [
        Difference(
          key: prefix, expected: expected.map { "\(prefix)\($0.joined(separator: "&"))" },
          actual: actual.map { "\(prefix)\($0.joined(separator: "&"))" })
      ]
    }
    var (rest, open): ([String], [String]) = (actual, [])
    for item in expected {
      if let place = rest.firstIndex(where: { $0.isSame(as: item) }) {
        rest.remove(at: place)
      } else {
        open.append(item)
      }
    }
    var found: [Difference] = []
    for item in open {
      if item.hasBraces, let place = rest.firstIndex(where: { fits(item, $0) }) {
        rest.remove(at: place)
        continue
      }
      let name = item.pieces(at: "=")[0]
      let place = rest.firstIndex { $0.pieces(at: "=")[0] == name }
      let other = place.map { rest.remove(at: $0) }
      let note = other.map { self.note(item, $0) } ?? ""
      found.append(
        Difference(key: "\(prefix)\(name)", expected: "\(prefix)\(item)\(note)", actual: other.map { "\(prefix)\($0)" })
      )
    }
    return found
      + rest.map { Difference(key: "\(prefix)\($0.pieces(at: "=")[0])", expected: nil, actual: "\(prefix)\($0)") }
  }

  mutating func differences(
    _ prefix: String, _ expected: [TranscribedRequest.Field], _ actual: [TranscribedRequest.Field]
  ) -> [Difference] {
    var (found, rest): ([Difference], [TranscribedRequest.Field]) = ([], actual)
    for field in expected {
      let key = "\(prefix)\(field.name)"
      if let place = rest.firstIndex(where: { $0.name.isHeaderName(field.name) }) {
        found += difference(key, field.value, rest.remove(at: place).value)
      } else {
        found.append(Difference(key: key, expected: "\(prefix)\(field.line)", actual: nil))
      }
    }
    return found + rest.map { Difference(key: "\(prefix)\($0.name)", expected: nil, actual: "\(prefix)\($0.line)") }
  }
}
