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
    // The stubs find the entry that would have answered. Each request is asked for before it is redacted, as in a
    // replay, but what is printed has no secrets.
    let registry = StubRegistry()
    let comparison = recording.comparison
    let stubs = archive.replay(comparison, in: registry)
    let positions = Dictionary(uniqueKeysWithValues: zip(stubs.map(\.id), archive.entries.indices))
    var turns: [Int: ReplayTurns] = [:]
    for sequence in ReplayPlan(archive.entries, comparison).sequences {
      let shared = ReplayTurns(sequence)
      for position in sequence { turns[position] = shared }
    }
    let redacted = HTTPArchive(entries: live).redacted(recording.redacting).entries
    var (lines, missing, asked): ([String], [String], Set<Int>) = ([], [], [])
    for (entry, shown) in zip(live, redacted) {
      guard let stub = registry.stub(matching: entry.request), let position = positions[stub.id],
        let answering = turns[position]?.next()
      else {
        missing.append(shown.request.methodAndURL)
        continue
      }
      asked.insert(answering)
      let name = HTTPArchive.name(ofEntry: answering + 1, in: archive.fileName)
      lines += archive.entries[answering].differences(to: shown, comparison.ignored).map { "\(name): \($0)" }
    }
    let file = archive.fileName ?? "The archive"
    var seen: Set<String> = []
    lines = lines.filter { seen.insert($0).inserted }
    if !missing.isEmpty {
      let list = missing.filter { seen.insert($0).inserted }
      lines.append("\(file) has no entry for \(list.joined(separator: ", ")).")
    }
    differences = lines
    let rest = archive.entries.indices.filter { !asked.contains($0) }.map { String($0 + 1) }
    unasked =
      rest.isEmpty
      ? [] : ["\(file): no request asked for \(rest.count == 1 ? "entry" : "entries") \(rest.joined(separator: ", "))."]
  }
}

/// The entries of one request, which answer in turn. The last one repeats.
private final class ReplayTurns {
  private let positions: [Int]
  private var used = 0

  init(_ positions: [Int]) { self.positions = positions }

  func next() -> Int {
    defer { used += 1 }
    return positions[min(used, positions.count - 1)]
  }
}

extension URLRequest {
  /// The method and the URL.
  fileprivate var methodAndURL: String { "\(httpMethod ?? "GET") \(url?.absoluteString ?? "")" }
}
