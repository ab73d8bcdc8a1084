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

  init(_ comparison: TranscriptComparison, _ earlier: RunNote) {
    (self.comparison, self.earlier) = (comparison, earlier)
    hasSameForm = comparison.missing.isEmpty && comparison.surplus.isEmpty && comparison.misplaced == nil
    for pair in comparison.pairs {
      let both = (
        RequestLeaves([pair.expected], of: comparison.expected), RequestLeaves([pair.actual], of: comparison.actual)
      )
      leaves[pair.actual] = both
      if !pair.isEqual, !Self.haveSameForm(both.0, both.1) { hasSameForm = false }
      // What a run has decided to be a value stays one.
      for leaf in both.0.leaves where leaf.text.isLiteral && !leaf.isMark {
        let sent = Array(leaf.text.sent.utf8)
        for value in leaf.text.varyingValues(.plain, comparison.machine) {
          fixed.insert(ExactString(String(utf8: sent[value.range])))
        }
      }
      decide(both.0, both.1, madeAt: comparison.actual[pair.actual].madeAt.value)
    }
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

  /// What the transcript says about its runs after this one.
  func note(_ machine: Machine) -> RunNote {
    var note = RunNote()
    note.digests = undecided
    guard let time = earlier.writtenOnce else {
      // What has changed on purpose is new.
      note.writtenOnce = comparison.isEqual ? nil : machine.now
      return note
    }
    let hasTimePassed = comparison.actual.allSatisfy { $0.madeAt.value - time >= PlaceholderKind.random.timeToRepeat }
    note.writtenOnce = !hasSameForm ? machine.now : hasTimePassed ? nil : time
    return note
  }

  /// The texts of a pair that stay as they are in the transcript, but for values that don't change.
  func kept(_ pair: (expected: Int, actual: Int, isEqual: Bool)) -> [Place: TranscribedText] {
    guard let (expected, actual) = leaves[pair.actual] else { return [:] }
    var kept: [Place: TranscribedText] = [:]
    for slot in expected.slots {
      let leaf = expected.leaves[slot]
      guard let sent = actual[leaf.place], let values = leaf.values(in: sent, comparison.machine) else { continue }
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
    guard earlier.writtenOnce != nil, hasSameForm, !pair.isEqual, let (expected, actual) = leaves[pair.actual] else {
      return nil
    }
    var texts: [Place: TranscribedText] = [:]
    for (left, right) in zip(expected.leaves, actual.leaves) where !left.isMark && left.text != right.text {
      if left.text.isLiteral {
        texts[left.place] = merged(left.text.sent, right.text.sent, isWord: left.isNumber && right.isNumber, &names)
      } else if left.values(in: right, comparison.machine) == nil {
        texts[left.place] = relaxed(left.text, right.text.sent)
      }
    }
    return texts
  }

  /// Returns a text with a placeholder for the words in which two texts differ.
  private func merged(
    _ earlier: String, _ sent: String, isWord: Bool, _ names: inout PlaceholderNames
  ) -> TranscribedText {
    let (left, right) = (Array(earlier.utf8), Array(sent.utf8))
    var start = zip(left, right).prefix { $0 == $1 }.count
    var end = zip(left.reversed(), right.reversed()).prefix { $0 == $1 }.count
    end = min(end, min(left.count, right.count) - start)
    // Whole words, so that the next value can begin and end otherwise.
    while start > 0, left[start - 1].isInName || left[start - 1] >= 0x80 { start -= 1 }
    while end > 0, left[left.count - end].isInName || left[left.count - end] >= 0x80 { end -= 1 }
    if isWord || start + end >= min(left.count, right.count) { (start, end) = (0, 0) }
    let values = [left[start..<(left.count - end)], right[start..<(right.count - end)]].map { String(utf8: $0) }
    let kind = PlaceholderKind.common(of: values, isNumber: isWord)
    // Short values can be equal by chance, also in two runs, so that only long ones have one name.
    let isLinked = values.allSatisfy { $0.utf8.count >= 8 }
    let placeholder =
      isLinked ? names.placeholder(kind, for: values.joined(separator: "\n")) : Placeholder(nil, kind)
    return TranscribedText(
      pieces: [
        .literal(ExactString(String(utf8: right[..<start]))), .placeholder(placeholder),
        .literal(ExactString(String(utf8: right[(right.count - end)...]))),
      ])
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
      let values = changed({ Placeholder(nil, $1.kind.hasShape ? $1.kind : .text) }).values(in: sent, comparison.machine)
    else { return nil }
    return changed { number, placeholder in
      if placeholder.kind.hasShape || placeholder.kind.accepts(values[number]) { return placeholder }
      let kind: PlaceholderKind = placeholder.kind == .hex && PlaceholderKind.random.accepts(values[number]) ? .random : .text
      return Placeholder(placeholder.name, kind)
    }
  }
}

extension RequestLeaves.Leaf {
  /// Whether the leaf is a number or a word of JSON.
  fileprivate var isNumber: Bool { !isQuoted && PlaceholderKind.number.accepts(text.sent) }
}

extension PlaceholderKind {
  fileprivate func accepts(_ value: String) -> Bool {
    var value = value
    return value.withUTF8 { !$0.isEmpty && accepts($0, Machine()) }
  }

  /// The kind of values that differ from run to run. Only long values show one: of short ones, two can look alike.
  fileprivate static func common(of values: [String], isNumber: Bool) -> PlaceholderKind {
    if isNumber { return .number }
    guard values.allSatisfy({ $0.utf8.count >= 8 }), values.contains(where: { $0.utf8.contains(where: \.isDigit) }) else {
      return .text
    }
    return [.number, .hex, .random].first { kind in values.allSatisfy(kind.accepts) } ?? .text
  }
}
