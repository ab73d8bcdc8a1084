import Foundation
import StubKit
import StubKitArchive

/// Replays a redacted archive against itself before it is written: it must be readable, and each request must find its entry,
/// with its placeholders and as it was sent.
package struct RedactionProof {
  /// The first entry that isn't found, by its number, and a sentence about it.
  package private(set) var problem: (entry: Int, sentence: String)?
  /// What was replaced in that entry, and how to keep each value.
  package private(set) var advice = ""

  /// Replays with the parts of requests that are compared unless a recording says otherwise.
  package init(
    of redacted: HTTPArchive, against original: HTTPArchive, _ redactions: [Redaction], _ report: RedactionReport,
    _ comparison: ReplayComparison = ReplayComparison(.default)
  ) {
    let read: HTTPArchive
    do { read = try HTTPArchive(redacted.data) } catch {
      problem = (0, "the archive can't be read after its secrets are replaced: \(error.sentence)")
      return
    }
    guard read.entries.count == redacted.entries.count else {
      problem = (0, "\(redacted.entries.count) entries are written and \(read.entries.count) are read again.")
      return
    }
    // A rule of the user can leave out entries.
    guard redacted.entries.count == original.entries.count else { return }
    let (before, after) = (ReplayIndex(original, comparison), ReplayIndex(read, comparison))
    // A rule of the user can change requests on purpose.
    let isSentAsRecorded = !redactions.contains(where: \.isCustom)
    for (position, entry) in original.entries.enumerated() {
      // What isn't found as it was sent is nothing that redaction has lost.
      guard before.sequence(of: entry.request)?.contains(position) == true else { continue }
      let line = "\(entry.request.httpMethod ?? "GET") \(read.entries[position].request.url?.path ?? "")"
      for (request, kind) in [
        (read.entries[position].request, "with its placeholders"), (entry.request, "as it was sent"),
      ] {
        let isFound = after.sequence(of: request)?.contains(position) == true
        if isFound || request == entry.request && !isSentAsRecorded { continue }
        problem = (position + 1, "entry \(position + 1), \(line), doesn't find itself on replay \(kind).")
        let items = report.items.filter { $0.entry == position + 1 }
        advice =
          (["Keep the value that tells the request from others. Replaced there:"]
          + items.map { item in
            let (rule, name) = (item.reason.rule, item.reason.name)
            return "\(item.place) (\(rule))" + (name.isEmpty ? "" : ": .keep(\(name.debugDescription))")
          }).joined(separator: "\n")
        return
      }
    }
  }
}
