import Foundation
import StubKit

extension TranscriptComparison {
  /// What differs, the difference by value first, in at most about 60 lines.
  ///
  /// - Parameter place: The transcript, as the end of a sentence.
  func report(_ place: String) -> [String] {
    if isOrderOnly { return orderReport(place) }
    let count = max(expected.count, actual.count)
    let different = unequal.count + missing.count + surplus.count
    var lines = ["The requests differ from \(place) in \(different) of \(max(count, different)):"]
    for (index, other) in unequal where lines.count < 60 {
      let differences = differences(index, actual[other])
      // What is equal can differ where it is shown, because it is a secret.
      let keys = Set(differences.map(\.key))
      let shownOnes = self.differences(index, shown[other]).filter { keys.contains($0.key) }
      lines.append("  \(shown[other].target)")
      lines += (shownOnes.isEmpty ? differences.map(\.withoutActual) : shownOnes).flatMap(\.lines).cut(to: 20)
    }
    for index in missing where lines.count < 70 { lines.append("- \(expected[index].target)   was not made") }
    for index in surplus where lines.count < 80 {
      lines.append(
        "+ \(shown[index].target)   is a request too many\(order == .any ? "" : ", the \(index + 1). of \(actual.count)")"
      )
    }
    let same = pairs.count - unequal.count
    if same > 0 { lines.append("  … \(same) as expected") }
    return lines
  }

  /// Returns the values in which a request differs, and leaves to the placeholders what they stand for.
  private func differences(_ index: Int, _ other: TranscribedRequest) -> [Difference] {
    var requests = requests
    return requests.differences(expected[index], other)
  }

  private func orderReport(_ place: String) -> [String] {
    var lines = ["Only the order of the requests differs from \(place):"]
    let partners = Dictionary(pairs.map { ($0.expected, $0.actual) }) { first, _ in first }
    let (ours, theirs): ([Int], [Int])
    if order == .asMade {
      (ours, theirs) = (Array(expected.indices), Array(actual.indices))
    } else {
      let byLane = (Self.byLane(expectedLanes), Self.byLane(actualLanes))
      let lane = byLane.0.sorted { $0.value[0] < $1.value[0] }.first { lane, indices in
        indices.compactMap { partners[$0] } != (byLane.1[lane] ?? [])
      }
      (ours, theirs) = (lane?.value ?? [], lane.flatMap { byLane.1[$0.key] } ?? [])
    }
    let position = zip(ours, theirs).enumerated().first { _, pair in partners[pair.0] != pair.1 }
    if let (number, (index, other)) = position {
      let what = order == .asMade ? "request \(number + 1)" : "the \(number + 1). request of this method and URL"
      lines.append("  \(shown[other].target)   is \(what)")
      let found = differences(index, shown[other]).flatMap(\.lines).cut(to: 12)
      lines += found.isEmpty ? ["- \(expected[index].target)"] : found
    }
    lines.append(
      order == .asMade
        ? "If their order is free but for those of one method and URL, leave out order: .asMade."
        : "If their order is free, because they are made at the same time, write order: .any.")
    return lines
  }
}

extension [String] {
  fileprivate func cut(to count: Int) -> [String] {
    self.count > count ? prefix(count - 1) + ["  … \(self.count - count + 1) more lines"] : self
  }
}
