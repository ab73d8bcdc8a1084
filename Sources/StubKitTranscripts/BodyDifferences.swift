import Foundation
import StubKit

extension RequestDifferences {
  mutating func differences(
    _ key: String, _ expected: TranscribedBody, _ actual: TranscribedBody
  ) -> [Difference] {
    switch (expected, actual) {
    case (.none, .none): return []
    case (.json(let left), .json(let right)): return differences(key, left, right)
    case (.form(let left), .form(let right)): return differences("\(key): ", left, right)
    case (.bytes(let left), .bytes(let right)): return difference(key, left, right)
    case (.text(let left), .text(let right)): return textDifferences(key, left, right)
    case (.multipart(let left, let problems), .multipart(let right, let others)):
      return differences(left, right) + problemDifferences(key, problems, others)
    default:
      let lines = actual.lines(boundary: nil).lines
      // A placeholder can be any body.
      if case .text(let text) = expected, text.hasBraces, actual.isSome, fits(text, lines) { return [] }
      return [
        Difference(
          key: key, expected: expected.isSome ? "\(key): \(expected.excerpt)" : nil,
          actual: actual.isSome ? "\(key): \(actual.excerpt)" : nil)
      ]
    }
  }

  private mutating func textDifferences(_ key: String, _ expected: String, _ actual: String) -> [Difference] {
    if fits(expected, actual) { return [] }
    let (left, right) = (expected.pieces(at: "\n"), actual.pieces(at: "\n"))
    guard max(left.count, right.count) > 1 else {
      return [
        Difference(
          key: key, expected: "\(key): \(expected.middle(400))\(note(expected, actual))",
          actual: "\(key): \(actual.middle(400))")
      ]
    }
    let number = zip(left, right).prefix { $0 == $1 }.count
    func line(_ lines: [Substring]) -> String? {
      lines.indices.contains(number) ? "\(key), line \(number + 1): \(String(lines[number]).middle(400))" : nil
    }
    return [Difference(key: key, expected: line(left), actual: line(right))]
  }

  private func problemDifferences(_ key: String, _ expected: [String], _ actual: [String]) -> [Difference] {
    let (left, right) = (expected.filter { !actual.contains($0) }, actual.filter { !expected.contains($0) })
    return left.map { Difference(key: "\(key) #", expected: "\(key): # \($0)", actual: nil) }
      + right.map { Difference(key: "\(key) #", expected: nil, actual: "\(key): # \($0)") }
  }

  mutating func differences(
    _ expected: [TranscribedBody.Part], _ actual: [TranscribedBody.Part]
  ) -> [Difference] {
    var found: [Difference] = []
    var rest = actual
    for part in expected {
      let key = "part \(part.name)"
      guard let place = rest.firstIndex(where: { $0.name == part.name }) else {
        found.append(Difference(key: key, expected: "\(key): \(part.body.excerpt)", actual: nil))
        continue
      }
      let other = rest.remove(at: place)
      found += differences("\(key), ", part.fields, other.fields) + differences(key, part.body, other.body)
      found += problemDifferences(key, part.problems, other.problems)
    }
    for part in rest {
      let key = "part \(part.name)"
      found.append(Difference(key: key, expected: nil, actual: "\(key): \(part.body.excerpt)"))
    }
    // Both have the same parts, and can have them in another order.
    let (names, otherNames) = (expected.map(\.name), actual.map(\.name))
    guard found.isEmpty, names != otherNames else { return found }
    return [Difference(key: "parts", expected: "parts: \(names.listed)", actual: "parts: \(otherNames.listed)")]
  }

  mutating func differences(_ path: String, _ expected: StubJSON, _ actual: StubJSON) -> [Difference] {
    switch (expected, actual) {
    case (.string(let text), _) where text.hasPrefix(TranscribedBody.bare):
      let pattern = String(text.dropFirst())
      let value = if case .string(let other) = actual { other } else { actual.description }
      if fits(pattern, value) { return [] }
      return [
        Difference(
          key: path, expected: "\(path): \(pattern)\(note(pattern, value))",
          actual: "\(path): \(actual.transcriptText.middle(400))")
      ]
    case (.string(let text), .string(let other)) where fits(text, other): return []
    case (.object(let members), .object(let others)):
      return Set(members.keys).union(others.keys).sorted().flatMap { key -> [Difference] in
        let inner = "\(path)\(key.asStep)"
        switch (members.value(of: key), others.value(of: key)) {
        case (let left?, let right?): return differences(inner, left, right)
        case (let left, let right): return [difference(inner, left, right)]
        }
      }
    case (.array(let elements), .array(let others)):
      // The elements at which both arrays begin are left out. If one has more, so are those at which both end.
      let start = zip(elements, others).prefix { $0 == $1 }.count
      var (end, otherEnd) = (elements.count, others.count)
      if end != otherEnd {
        while min(end, otherEnd) > start, elements[end - 1] == others[otherEnd - 1] {
          end -= 1
          otherEnd -= 1
        }
      }
      return (start..<max(end, otherEnd)).flatMap { index -> [Difference] in
        let inner = "\(path)[\(index)]"
        if index < end, index < otherEnd { return differences(inner, elements[index], others[index]) }
        // A literal nil would be a null of JSON.
        let left = index < end ? elements[index] : Optional<StubJSON>.none
        let right = index < otherEnd ? others[index] : Optional<StubJSON>.none
        return [difference(inner, left, right)]
      }
    case _ where expected == actual: return []
    default:
      var note = ""
      if case (.string(let text), .string(let other)) = (expected, actual) { note = self.note(text, other) }
      return [
        Difference(
          key: path, expected: "\(path): \(expected.transcriptText.middle(400))\(note)",
          actual: "\(path): \(actual.transcriptText.middle(400))")
      ]
    }
  }

  private func difference(_ path: String, _ expected: StubJSON?, _ actual: StubJSON?) -> Difference {
    func line(_ value: StubJSON) -> String { "\(path): \(value.transcriptText.middle(400))" }
    return Difference(key: path, expected: expected.map(line), actual: actual.map(line))
  }
}

extension String {
  /// The text as a step to a member of an object.
  fileprivate var asStep: String {
    utf8.allSatisfy { $0.isAlphanumeric || $0 == UInt8(ascii: "_") || $0 >= 0x80 } && !isEmpty
      ? ".\(self)" : "[\(quotedAsJSON)]"
  }
}

extension TranscribedBody {
  /// The body in one line, shortened.
  fileprivate var excerpt: String {
    if case .json(let value) = self { return value.transcriptText.middle(400) }
    return lines(boundary: nil).joined(separator: "⏎").middle(400)
  }
}
