import Foundation
import StubKit

/// A value in which two requests differ.
struct Difference: Hashable, Sendable {
  let expected: String?
  let actual: String?

  var lines: [String] { [expected.map { "- \($0)" }, actual.map { "+ \($0)" }].compactMap(\.self) }
}

/// Finds the values in which a request differs from one of a transcript.
struct RequestDifferences {
  let machine: Machine
  /// Hides secrets in a text that is shown.
  let mask: (String) -> String
  /// Returns the words for an expected request, in which a name got its value.
  let origin: (Int) -> String
  private(set) var values: PlaceholderValues
  private(set) var found: [Difference] = []
  private var index = 0

  init(
    _ values: PlaceholderValues, _ machine: Machine, mask: @escaping (String) -> String = { $0 },
    origin: @escaping (Int) -> String = { "request \($0 + 1)" }
  ) {
    (self.values, self.machine, self.mask, self.origin) = (values, machine, mask, origin)
  }

  /// - Parameter index: That of the expected request.
  mutating func compare(_ index: Int, _ expected: TranscribedRequest, _ actual: TranscribedRequest) {
    self.index = index
    compareTargets(expected, actual)
    if expected.timeout != actual.timeout {
      func line(_ timeout: String?) -> String { "\(TranscriptWriter.timeout)\(timeout ?? "60, the usual one")" }
      add(line(expected.timeout), line(actual.timeout))
    }
    if expected.time != actual.time {
      add(expected.time.map { TranscriptWriter.time + $0 }, actual.time.map { TranscriptWriter.time + $0 })
    }
    if expected.isRedirected != actual.isRedirected {
      let line = TranscriptWriter.redirect
      add(expected.isRedirected ? line : nil, actual.isRedirected ? line : "# the client makes it itself")
    }
    compare(expected.items ?? [], actual.items ?? [], "?", "=")
    if (expected.items == nil) != (actual.items == nil), (expected.items ?? actual.items)?.isEmpty == true {
      add(expected.items.map { _ in "?" }, actual.items.map { _ in "?" })
    }
    compare(expected.fields, actual.fields, "", ": ", isHeader: true)
    compare("body", expected.body, actual.body)
  }

  private mutating func add(_ expected: String?, _ actual: String?) {
    found.append(Difference(expected: expected.map(mask), actual: actual.map(mask)))
  }

  // MARK: Texts

  /// Compares a text, and adds a difference with both as they are shown behind a key.
  private mutating func compare(
    _ key: String, _ expected: TranscribedText, _ actual: TranscribedText, show: (TranscribedText) -> String
  ) {
    var note = ""
    if expected.isLiteral {
      if expected == actual { return }
    } else if let sent = expected.values(in: actual.sent, machine) {
      if values.take(expected.placeholders, sent, of: index) { return }
      note = values.conflict(expected.placeholders, sent, origin).map { "   (\($0))" } ?? ""
    }
    let (left, right) = excerpts(mask(show(expected)), mask(show(actual)))
    found.append(Difference(expected: key + left + mask(note), actual: key + right))
  }

  /// Returns two texts, of which long ones are cut around the first character that differs.
  private func excerpts(_ expected: String, _ actual: String) -> (String, String) {
    let (left, right) = (Array(expected.unicodeScalars), Array(actual.unicodeScalars))
    let same = zip(left, right).prefix { $0 == $1 }.count
    guard max(left.count, right.count) > 200 else { return (expected, actual) }
    func cut(_ scalars: [Unicode.Scalar], _ what: String) -> String {
      let start = max(0, same - 12)
      let part = String(String.UnicodeScalarView(scalars.dropFirst(start).prefix(48)))
      return
        "\(scalars.count) characters\(what): \(start > 0 ? "…" : "")\(part)\(scalars.count > start + 48 ? "…" : "")"
    }
    return (cut(left, ""), cut(right, ", the first that differs is \(same + 1)"))
  }

  private mutating func compareTargets(_ expected: TranscribedRequest, _ actual: TranscribedRequest) {
    func target(_ request: TranscribedRequest) -> String {
      var request = request
      request.items = nil
      return request.target
    }
    var (placeholders, sent, isAlike): ([Placeholder], [String], Bool) = ([], [], false)
    if expected.method.isSame(as: actual.method), expected.url.count == actual.url.count {
      isAlike = true
      for (left, right) in zip(expected.url, actual.url) {
        guard let found = left.values(in: right.sent, machine) else {
          isAlike = false
          break
        }
        placeholders += left.placeholders
        sent += found
      }
    }
    if isAlike, values.take(placeholders, sent, of: index) { return }
    let note = isAlike ? values.conflict(placeholders, sent, origin).map { "   (\($0))" } ?? "" : ""
    add(target(expected) + note, target(actual))
  }

  private mutating func compare(
    _ expected: [TranscribedRequest.Field], _ actual: [TranscribedRequest.Field], _ before: String, _ between: String,
    isHeader: Bool = false
  ) {
    func key(_ field: TranscribedRequest.Field) -> ExactString? {
      isHeader ? field.name.map { ExactString($0.string.lowercased()) } : field.name
    }
    func label(_ field: TranscribedRequest.Field) -> String { before + (field.name.map { $0.string + between } ?? "") }
    let (left, right) = (Dictionary(grouping: expected, by: key), Dictionary(grouping: actual, by: key))
    for name in (expected + actual).map(key).unique {
      let (ours, theirs) = (left[name] ?? [], right[name] ?? [])
      for number in 0..<max(ours.count, theirs.count) {
        if number < ours.count, number < theirs.count {
          compare(label(ours[number]), ours[number].value, theirs[number].value) { $0.source() }
        } else {
          func line(_ field: TranscribedRequest.Field) -> String {
            label(field) + mask(field.value.source()).middle(200)
          }
          add(number < ours.count ? line(ours[number]) : nil, number < theirs.count ? line(theirs[number]) : nil)
        }
      }
    }
  }

  // MARK: Bodies

  private mutating func compare(_ key: String, _ expected: TranscribedRequest.Body, _ actual: TranscribedRequest.Body) {
    if case .text(let lines) = expected, lines.count == 1, let placeholder = lines[0].onlyPlaceholder, !actual.isEmpty {
      let isAny = placeholder.kind == .text || placeholder.kind == .secret
      if isAny, values.take([placeholder], [TextContainer.body(actual).source], of: index) { return }
    }
    switch (expected, actual) {
    case (.none, .none): return
    case (.json(let left), .json(let right)): compare(key, left, right)
    case (.form(let left), .form(let right)): compare(left, right, "\(key): ", "=")
    case (.bytes(let left), .bytes(let right)):
      if left == right { return }
      let place = right.sent.value.flatMap(left.firstDifference).map { ", \($0)" } ?? ""
      add("\(key): \(left.summary)", "\(key): \(right.summary)\(place)")
    case (.text(let left), .text(let right)):
      compareAll(left, right, { "\(key)\(max(left.count, right.count) > 1 ? ", line \($0 + 1)" : ""): " }) {
        $0.compare($1, $2, $3) { $0.source() }
      } show: {
        $0.source()
      }
    case (.multipart(let left), .multipart(let right)): compare(key, left, right)
    default: add(expected.excerpt.map { "\(key): \($0)" }, actual.excerpt.map { "\(key): \($0)" })
    }
  }

  private mutating func compare(_ key: String, _ expected: TranscribedJSON, _ actual: TranscribedJSON) {
    switch (expected, actual) {
    case (.word(let text), _) where text.onlyPlaceholder != nil:
      let isNumeric = text.onlyPlaceholder!.kind.isNumeric
      let sent: TranscribedText? =
        switch actual {
        case .string(let sent): isNumeric ? nil : sent
        case .word(let sent): sent
        case .array, .object: text.onlyPlaceholder!.kind == .text ? TranscribedText(actual.line) : nil
        }
      guard let sent else { return add("\(key): \(text.source())", "\(key): \(mask(actual.line).middle(200))") }
      compare("\(key): ", text, sent) { $0 == text ? text.source() : actual.line }
    case (.string(let left), .string(let right)):
      compare("\(key): ", left, right) { TranscribedJSON.string($0).line }
    case (.word(let left), .word(let right)) where left == right: return
    case (.object(let left), .object(let right)):
      let (ours, theirs) = (Dictionary(grouping: left, by: \.key), Dictionary(grouping: right, by: \.key))
      for name in Set(ours.keys).union(theirs.keys).sorted() {
        let inner = key + name.string.asStep
        compareAll((ours[name] ?? []).map(\.value), (theirs[name] ?? []).map(\.value), { _ in "\(inner): " }) {
          $0.compare($1.isEmpty ? "" : String($1.dropLast(2)), $2, $3)
        } show: {
          $0.line
        }
      }
    case (.array(let left), .array(let right)):
      compareAll(left, right, { "\(key)[\($0)]: " }) {
        $0.compare($1.isEmpty ? "" : String($1.dropLast(2)), $2, $3)
      } show: {
        $0.line
      }
    default: add("\(key): \(expected.line.middle(200))", "\(key): \(mask(actual.line).middle(200))")
    }
  }

  private mutating func compare(
    _ key: String, _ expected: [TranscribedRequest.Part], _ actual: [TranscribedRequest.Part]
  ) {
    let count = found.count
    var rest = actual
    for (number, part) in expected.enumerated() {
      let name = "part \(part.name ?? "\(number + 1)")"
      guard let place = rest.firstIndex(where: { $0.name == part.name }) else {
        add("\(name): \(part.body.excerpt ?? "")", nil)
        continue
      }
      let other = rest.remove(at: place)
      compare(part.fields, other.fields, "\(name), ", ": ", isHeader: true)
      compare(name, part.body, other.body)
    }
    for part in rest { add(nil, "part \(part.name ?? "without a name"): \(part.body.excerpt ?? "")") }
    // Both have the same parts, and can have them in another order.
    let (names, others) = (expected.map { $0.name ?? "" }, actual.map { $0.name ?? "" })
    if found.count == count, names != others { add("parts: \(names.listed)", "parts: \(others.listed)") }
  }

  /// Compares elements one by one, but for those at which both lists begin, and those at which both end if one is
  /// longer.
  private mutating func compareAll<Element>(
    _ expected: [Element], _ actual: [Element], _ key: (Int) -> String,
    _ compare: (inout Self, String, Element, Element) -> Void, show: (Element) -> String
  ) {
    // Texts take their values as a whole or not at all, so nothing is to be undone.
    func fits(_ left: Element, _ right: Element) -> Bool {
      let count = found.count
      compare(&self, "", left, right)
      defer { found.removeLast(found.count - count) }
      return found.count == count
    }
    var (start, end, otherEnd) = (0, expected.count, actual.count)
    while start < min(end, otherEnd), fits(expected[start], actual[start]) { start += 1 }
    while end != otherEnd, min(end, otherEnd) > start, fits(expected[end - 1], actual[otherEnd - 1]) {
      (end, otherEnd) = (end - 1, otherEnd - 1)
    }
    for index in start..<max(start, end, otherEnd) {
      if index < end, index < otherEnd {
        compare(&self, key(index), expected[index], actual[index])
      } else {
        func line(_ element: Element) -> String { key(index) + mask(show(element)).middle(200) }
        add(index < end ? line(expected[index]) : nil, index < otherEnd ? line(actual[index]) : nil)
      }
      // A list in which everything differs is long.
      if found.count > 40 { return }
    }
  }
}

extension String {
  /// The text as a step to a member of an object.
  fileprivate var asStep: String {
    utf8.allSatisfy { $0.isInName || $0 >= 0x80 } && !isEmpty ? ".\(self)" : "[\(asJSONSource)]"
  }
}

extension TranscribedRequest.Body {
  /// The body in one line, shortened, or `nil` if there is none.
  fileprivate var excerpt: String? {
    switch self {
    case .none: nil
    case .json(let value): value.line.middle(200)
    case .bytes(let bytes): bytes.summary
    default: TranscriptWriter.lines(of: self, type: nil).joined(separator: "⏎").middle(200)
    }
  }
}
