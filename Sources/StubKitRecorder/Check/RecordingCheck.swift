import Foundation
import StubKit
import StubKitArchive

/// The comparison of a recording with what the network answers now.
struct RecordingCheck {
  /// What has changed, as lines that name file, entry and place, and then the requests that no entry has.
  let differences: [String]
  /// A line that lists the entries that no request asked for. Empty if there are none.
  let unasked: [String]

  /// - Parameters:
  ///   - live: The exchanges with the network, in their order.
  ///   - archive: The recording.
  init(of live: [HTTPArchive.Entry], against archive: HTTPArchive, _ recording: Recording) {
    // Each request is asked for before it is redacted, as in a replay, but what is printed has no secrets.
    let comparison = recording.comparison
    let index = ReplayIndex(archive, comparison)
    // How often the entries of a request have answered, by the first of them.
    var uses: [Int: Int] = [:]
    let redacted = HTTPArchive(entries: live).redactedAndReported(recording.redacting).archive.entries
    var (lines, missing): ([String], [String]) = ([], [])
    var rest = Set(archive.entries.indices)
    for (entry, shown) in zip(live, redacted) {
      guard let sequence = index.sequence(of: entry.request) else {
        missing.append(shown.request.line)
        continue
      }
      // The last entry repeats.
      let answering = sequence[min(uses[sequence[0], default: 0], sequence.count - 1)]
      uses[sequence[0], default: 0] += 1
      rest.remove(answering)
      let name = HTTPArchive.name(ofEntry: answering + 1, in: archive.fileName)
      lines += archive.entries[answering].differences(to: shown, comparison.ignored).map { "\(name): \($0)" }
    }
    let file = archive.fileName ?? "The archive"
    let list = missing.unique.listed
    differences = lines.unique + (list.isEmpty ? [] : ["\(file) has no entry for \(list)."])
    let positions = rest.sorted().map { "\($0 + 1)" }.listed
    let numbers = "\(rest.count == 1 ? "entry" : "entries") \(positions)"
    unasked = rest.isEmpty ? [] : ["\(file): no request asked for \(numbers)."]
  }
}
