import Foundation
import StubKit

/// The evidence that a second run gives about the values of a transcript.
struct RunEvidence {
  private let comparison: TranscriptComparison
  private let earlier: RunNote
  /// Values that an earlier run has had, too.
  private(set) var fixed: Set<ExactString> = []
  /// The digests of values that an earlier run has had, but between which no time has passed.
  private(set) var undecided: [String: TimeInterval] = [:]
  /// Whether the requests differ in nothing but values, so that these differ from run to run.
  private var hasSameForm: Bool
  private var leaves: [Int: (expected: RequestLeaves, actual: RequestLeaves)] = [:]
  /// The places where a request of an address differs, so that all others of the address may, too.
  private var varyingPlaces: [ExactString: Set<Place>] = [:]
  /// The values of the placeholders that stay.
  private var keptValues = PlaceholderValues()

  init(_ comparison: TranscriptComparison, _ earlier: RunNote) {
    let comparison = earlier.writtenOnce != nil && !comparison.isEqual ? comparison.byAddress : comparison
    (self.comparison, self.earlier) = (comparison, earlier)
    hasSameForm = comparison.missing.isEmpty && comparison.surplus.isEmpty && comparison.misplaced == nil
    for pair in comparison.pairs {
      let both = (
        RequestLeaves([pair.expected], of: comparison.expected), RequestLeaves([pair.actual], of: comparison.actual)
      )
      leaves[pair.actual] = both
      if !pair.isEqual, !Self.haveSameForm(both.0, both.1) { hasSameForm = false }
      // A value that a run has decided about stays a value.
      for leaf in both.0.leaves where leaf.text.isLiteral && !leaf.isMark {
        let sent = Array(leaf.text.sent.utf8)
        for value in leaf.text.varyingValues(.plain, comparison.machine) {
          fixed.insert(ExactString(String(utf8: sent[value.range])))
        }
      }
      decide(both.0, both.1, madeAt: comparison.actual[pair.actual].madeAt.value)
      let places = zip(both.0.leaves, both.1.leaves).filter { left, right in
        left.text.isLiteral && left.text != right.text
      }
      varyingPlaces[address(pair), default: []].formUnion(places.map(\.0.place))
    }
  }

  /// The pairs of requests that belong together.
  var pairs: [(expected: Int, actual: Int, isEqual: Bool)] { comparison.pairs }

  private func address(_ pair: (expected: Int, actual: Int, isEqual: Bool)) -> ExactString {
    ExactString(comparison.expected[pair.expected].target)
  }

  private mutating func decide(_ expected: RequestLeaves, _ actual: RequestLeaves, madeAt: TimeInterval) {
    for slot in expected.slots {
      let leaf = expected.leaves[slot]
      guard let sent = actual[leaf.place], let values = leaf.values(in: sent, comparison.machine) else { continue }
      for (placeholder, value) in zip(leaf.text.placeholders, values) {
        guard let time = earlier.digests[value.digest] else { continue }
        if madeAt - time >= placeholder.kind.timeToRepeat {
          fixed.insert(ExactString(value))
        } else {
          undecided[value.digest] = time
        }
      }
    }
  }

  private static func haveSameForm(_ expected: RequestLeaves, _ actual: RequestLeaves) -> Bool {
    expected.leaves.count == actual.leaves.count
      && zip(expected.leaves, actual.leaves).allSatisfy { left, right in
        left.place == right.place && left.isQuoted == right.isQuoted
          && (!left.isMark || left.text == right.text)
      }
  }

  /// The note of the transcript after this run.
  func note(_ machine: Machine) -> RunNote {
    var note = RunNote()
    note.digests = undecided
    guard let time = earlier.writtenOnce else {
      // A change on purpose is new.
      note.writtenOnce = comparison.isEqual ? nil : machine.now
      return note
    }
    let hasTimePassed = comparison.actual.allSatisfy { $0.madeAt.value - time >= PlaceholderKind.random.timeToRepeat }
    note.writtenOnce = !hasSameForm ? machine.now : hasTimePassed ? nil : time
    return note
  }

  /// The texts of a pair that stay as they are in the transcript, but for values that don't change.
  mutating func kept(_ pair: (expected: Int, actual: Int, isEqual: Bool)) -> [Place: TranscribedText] {
    guard let (expected, actual) = leaves[pair.actual] else { return [:] }
    var kept: [Place: TranscribedText] = [:]
    for slot in expected.slots {
      let leaf = expected.leaves[slot]
      guard let sent = actual[leaf.place], let values = leaf.values(in: sent, comparison.machine),
        keptValues.take(leaf.text.placeholders, values, of: pair.expected)
      else { continue }
      var rest = values[...]
      let pieces = leaf.text.pieces.map { piece -> TranscribedText.Piece in
        guard case .placeholder = piece, let value = rest.popFirst(), fixed.contains(ExactString(value)) else {
          return piece
        }
        return .literal(ExactString(value))
      }
      // A body or an object is as it was sent, if it doesn't change.
      if sent.container == nil || pieces == leaf.text.pieces { kept[leaf.place] = TranscribedText(pieces: pieces) }
    }
    return kept
  }

  // MARK: Values that differ

  /// Returns the texts of a pair that differ, with placeholders, or `nil` if the client may have changed on purpose.
  func varying(
    _ pair: (expected: Int, actual: Int, isEqual: Bool), _ names: inout PlaceholderNames
  ) -> [Place: TranscribedText]? {
    guard earlier.writtenOnce != nil, hasSameForm, let (expected, actual) = leaves[pair.actual] else {
      return nil
    }
    var texts: [Place: TranscribedText] = [:]
    let places = varyingPlaces[address(pair)] ?? []
    for (left, right) in zip(expected.leaves, actual.leaves) where !left.isMark {
      if left.text.isLiteral {
        guard places.contains(left.place) else { continue }
        let pieces = merged(left.text.sent, right.text.sent, left.role, &names)
        texts[left.place] = TranscribedText(pieces: pieces)
      } else if left.values(in: right, comparison.machine) == nil {
        texts[left.place] = relaxed(left.text, right.text.sent) ?? merged(left.text, right.text, left.role, &names)
      }
    }
    return texts
  }

  /// Returns a text with placeholders in its literals where they differ, or `nil` if the placeholders differ.
  private func merged(
    _ earlier: TranscribedText, _ sent: TranscribedText, _ role: TextRole, _ names: inout PlaceholderNames
  ) -> TranscribedText? {
    let (bytes, found) = (Array(sent.sent.utf8), sent.varyingValues(role, comparison.machine))
    var (literals, end): ([String], Int) = ([], 0)
    for value in found {
      literals.append(String(utf8: bytes[end..<value.range.lowerBound]))
      end = value.range.upperBound
    }
    literals.append(String(utf8: bytes[end...]))
    guard earlier.placeholders.map(\.kind) == found.map(\.kind) else { return nil }
    // A literal can be empty at both ends only.
    var pieces: [TranscribedText.Piece] = []
    var rest = literals[...]
    var isAfterPlaceholder = true
    for piece in earlier.pieces {
      switch piece {
      case .placeholder:
        if isAfterPlaceholder, rest.popFirst() != "" { return nil }
        pieces.append(piece)
        isAfterPlaceholder = true
      case .literal(let text):
        guard let literal = rest.popFirst() else { return nil }
        pieces += merged(text.string, literal, role, &names)
        isAfterPlaceholder = false
      }
    }
    if isAfterPlaceholder, rest.popFirst() != "" { return nil }
    return rest.isEmpty ? TranscribedText(pieces: pieces) : nil
  }

  /// Returns a text with a placeholder for the words in which two texts differ, or for the whole text if they are equal
  /// by chance.
  private func merged(
    _ earlier: String, _ sent: String, _ role: TextRole, _ names: inout PlaceholderNames
  ) -> [TranscribedText.Piece] {
    let (left, right) = (Array(earlier.utf8), Array(sent.utf8))
    var start = zip(left, right).prefix { $0 == $1 }.count
    var end = min(
      zip(left.reversed(), right.reversed()).prefix { $0 == $1 }.count, min(left.count, right.count) - start)
    // Whole words, so that the next value can begin and end otherwise.
    while start > 0, left[start - 1].isInWord { start -= 1 }
    while end > 0, left[left.count - end].isInWord { end -= 1 }
    if role == .word || start + end >= min(left.count, right.count) { (start, end) = (0, 0) }
    let values = [left[start..<(left.count - end)], right[start..<(right.count - end)]].map { String(utf8: $0) }
    let kind = PlaceholderKind.common(of: values, role)
    // Short values can be equal by chance, also in two runs, so that only long ones have one name.
    let isLinked = values.allSatisfy { $0.utf8.count >= 8 }
    let placeholder =
      isLinked ? names.placeholder(kind, for: values.joined(separator: "\n")) : Placeholder(nil, kind)
    return [
      .literal(ExactString(String(utf8: right[..<start]))), .placeholder(placeholder),
      .literal(ExactString(String(utf8: right[(right.count - end)...]))),
    ]
  }

  /// Returns a text whose placeholders allow values of another kind, too, or `nil` if its literals differ.
  private func relaxed(_ text: TranscribedText, _ sent: String) -> TranscribedText? {
    func changed(_ change: (Int, Placeholder) -> Placeholder) -> TranscribedText {
      var number = -1
      return TranscribedText(
        pieces: text.pieces.map { piece in
          guard case .placeholder(let placeholder) = piece else { return piece }
          number += 1
          return .placeholder(change(number, placeholder))
        })
    }
    guard !text.placeholders.contains(where: \.kind.isTime),
      let values = changed({ Placeholder(nil, $1.kind.hasShape ? $1.kind : .text) }).values(
        in: sent, comparison.machine)
    else { return nil }
    return changed { number, placeholder in
      if placeholder.kind.hasShape || placeholder.kind.accepts(values[number]) { return placeholder }
      let kind: PlaceholderKind =
        placeholder.kind == .hex && PlaceholderKind.random.accepts(values[number]) ? .random : .text
      return Placeholder(placeholder.name, kind)
    }
  }
}

extension UInt8 {
  fileprivate var isInWord: Bool { isInName || self >= 0x80 }
}

extension PlaceholderKind {
  fileprivate func accepts(_ value: String) -> Bool {
    var value = value
    return value.withUTF8 { !$0.isEmpty && accepts($0, .any) }
  }

  /// The kind of values that differ from run to run. Only long values show one: of short ones, two can look alike.
  fileprivate static func common(of values: [String], _ role: TextRole) -> PlaceholderKind {
    if role == .word { return values.allSatisfy(PlaceholderKind.number.accepts) ? .number : .text }
    guard values.allSatisfy({ $0.utf8.count >= 8 }), values.contains(where: { $0.utf8.contains(where: \.isDigit) })
    else {
      return .text
    }
    return [.number, .hex, .random].first { kind in values.allSatisfy(kind.accepts) } ?? .text
  }
}
