import Foundation
import StubKit

/// Requests as bars on one axis of time, as a browser's developer tools draw them.
struct Waterfall {
  private static let width = 44
  private let entries: [RecordedRequest]
  private let start: Date
  /// In seconds, from the first request's begin to the last one's end.
  private let length: Double

  init(_ entries: [RecordedRequest]) {
    self.entries = entries
    let start = entries.map(\.startedAt).min() ?? Date()
    self.start = start
    length = entries.map { $0.startedAt.timeIntervalSince(start) + $0.seconds }.max() ?? 0
  }

  /// One for each request: its stub, its bar, its duration.
  var lines: [String] {
    entries.map { entry in
      let first = column(entry.startedAt.timeIntervalSince(start))
      let end = column(entry.startedAt.timeIntervalSince(start) + entry.seconds)
      // Also a request that took no time is to be seen.
      let bar = String(repeating: " ", count: first) + String(repeating: "▆", count: max(1, end - first))
      return Terminal.column(entry.stub?.name ?? "–", 9) + Terminal.column(bar, Self.width + 2)
        + (entry.duration?.inWords ?? "–")
    }
  }

  private func column(_ seconds: Double) -> Int {
    length > 0 ? Int((seconds / length * Double(Self.width)).rounded()) : 0
  }
}

extension RecordedRequest {
  fileprivate var seconds: Double { (duration ?? .zero) / .seconds(1) }
}
