import Foundation
import StubKitFormats

/// A segment of a path template with placeholders, some of which have a regular expression, such as
/// `{id:[0-9]+}.json`.
struct TemplateExpression: Sendable {
  /// The segment as it was written.
  let source: String
  private let prefix: String
  private let suffix: String
  /// The regular expression for the whole segment.
  private let pattern: Pattern
  private let groups: [(name: String, number: Int)]

  /// Returns the parser's message if the pattern is invalid.
  static func problem(with pattern: String) -> String? {
    do {
      _ = try NSRegularExpression(pattern: pattern)
      return nil
    } catch { return error.localizedDescription }
  }

  /// - Parameter places: One or more placeholders, whose patterns have been checked.
  init(_ source: String, _ prefix: String, _ places: [PathTemplate.Place]) throws(UsageMistake) {
    var expression = ""
    var groups: [(name: String, number: Int)] = []
    // A single placeholder is the whole match, so that the groups in its expression keep their numbers.
    var number = places.count == 1 ? 0 : 1
    for (index, place) in places.enumerated() {
      let pattern = place.pattern ?? #"[\s\S]+?"#
      expression += places.count == 1 ? "(?:\(pattern))" : "(\(pattern))"
      if index < places.count - 1 { expression += NSRegularExpression.escapedPattern(for: place.suffix) }
      groups.append((place.name, number))
      number += 1 + ((try? NSRegularExpression(pattern: pattern))?.numberOfCaptureGroups ?? 0)
    }
    self.source = source
    self.prefix = prefix
    suffix = places.last?.suffix ?? ""
    self.groups = groups
    pattern = try Pattern(parsing: #"\A(?:"# + expression + #")\z"#, options: [], in: "isPath(template:)")
  }

  /// The names of the groups in the expressions themselves.
  var groupNames: [String] { pattern.names }

  /// Returns whether the decoded segment matches, and captures the text of its placeholders.
  func fits(_ part: Substring, _ captures: inout Captures) -> Bool {
    guard let start = part.end(ofPrefix: prefix), let end = part[start...].start(ofSuffix: suffix) else { return false }
    let text = String(part[start..<end])
    let mark = captures.mark
    guard let match = pattern.firstMatch(in: text, &captures) else { return false }
    for (name, number) in groups {
      guard let range = Range(match.range(at: number), in: text), !range.isEmpty else {
        captures.reset(to: mark)
        return false
      }
      captures.add(name, String(text[range]))
    }
    return true
  }
}
