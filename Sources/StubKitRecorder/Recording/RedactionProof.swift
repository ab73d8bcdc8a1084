import Foundation
import StubKit
import StubKitArchive

/// Replays a redacted archive against itself before it is written: it must be readable, and each request must find its
/// entry, with its placeholders and as it was sent.
package struct RedactionProof {
  /// An entry that isn't found.
  package struct Problem: Sendable {
    /// The number of the entry, or 0 if nobody knows which entry it is.
    package let entry: Int
    package let sentence: String
    /// What was replaced in that entry, and how to keep each value.
    package var advice = ""
  }
  package private(set) var problems: [Problem] = []
  /// The first of them, and its advice.
  package var problem: Problem? { problems.first }
  package var advice: String { problem?.advice ?? "" }

  /// Replays with the parts of requests that are compared unless a recording says otherwise.
  ///
  /// - Parameters:
  ///   - text: What will be written, or `nil` for the text of the redacted archive.
  ///   - file: The file that will be written, or `nil` if that is unknown.
  package init(
    of redacted: HTTPArchive, as text: Data? = nil, in file: URL? = nil, against original: HTTPArchive,
    _ redactions: [Redaction], _ report: Replacements, _ comparison: ReplayComparison = ReplayComparison(.default)
  ) {
    let read: HTTPArchive
    let text = text ?? redacted.data
    do { read = try file.map { try HTTPArchive(text, in: $0) } ?? HTTPArchive(text) } catch {
      let sentence = "the archive can't be read after its secrets are replaced: \(error.sentence)"
      problems = [Problem(entry: 0, sentence: sentence)]
      return
    }
    guard read.entries.count == redacted.entries.count else {
      let sentence = "\(redacted.entries.count) entries are written and \(read.entries.count) are read again."
      problems = [Problem(entry: 0, sentence: sentence)]
      return
    }
    // A rule of the user can leave out entries.
    guard redacted.entries.count == original.entries.count else { return }
    let (before, after) = (ReplayIndex(original, comparison), ReplayIndex(read, comparison))
    // A rule of the user can change requests on purpose.
    let isSentAsRecorded = RedactionRules(redactions).changes.isEmpty
    var items: [Int: [Replacements.Item]]?
    for (position, entry) in original.entries.enumerated() {
      // What isn't found as it was sent is nothing that redaction has lost.
      guard before.finds(position, by: entry.request) else { continue }
      let recorded = read.entries[position].request
      for (request, kind) in [(recorded, "with its placeholders"), (entry.request, "as it was sent")] {
        if after.finds(position, by: request) || request == entry.request && !isSentAsRecorded { continue }
        items = items ?? report.itemsOfRequests
        problems.append(
          Problem(
            entry: position + 1,
            sentence: "entry \(position + 1), \(recorded.line), doesn't find itself on replay \(kind).",
            advice: Self.advice(items?[position + 1] ?? [])))
        break
      }
    }
  }

  /// What was replaced in a request, and the line that keeps what tells it from others.
  private static func advice(_ items: [Replacements.Item]) -> String {
    let names = items.map(\.reason.name).filter { !$0.isEmpty }.unique
    let rules = names.map { ".keep(\($0.debugDescription))" }.listed
    var cure = "Leave out the rule that replaces what tells the request from others."
    if !names.isEmpty { cure = "Keep what tells the request from others:\n    redacting: .standard + [\(rules)]" }
    return (["Replaced there:"] + items.map(\.line) + [cure])
      .lines
  }
}
