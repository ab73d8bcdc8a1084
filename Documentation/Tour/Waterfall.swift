import Foundation
import StubKit

/// Requests as bars on one axis of time, like in the developer tools of a browser.
struct Waterfall {
  private static let width = 44
  private let entries: [RecordedRequest]
  private let start: Date
  /// The seconds from the start of the first request to the end of the last one.
  private let length: Double

  init(_ entries: [RecordedRequest]) {
    self.entries = entries
    let start = entries.map(\.startedAt).min() ?? Date()
    self.start = start
    length = entries.map { $0.startedAt.timeIntervalSince(start) + $0.seconds }.max() ?? 0
  }

  /// One line for each request: its stub, its bar and its duration.
  var lines: [String] {
    entries.map { entry in
      let first = column(entry.startedAt.timeIntervalSince(start))
      let end = column(entry.startedAt.timeIntervalSince(start) + entry.seconds)
      // A request that took no time is also visible.
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
