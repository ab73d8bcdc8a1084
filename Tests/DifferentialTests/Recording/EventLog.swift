import Foundation
import StubKit
import TestSupport

/// What a client was told, in order.
final class EventLog: Sendable {
  private let events = Protected<[Event]>([])
  /// Opens with the first piece of a body.
  let bodyHasBegun = Latch()
  let isOver = Latch()

  enum Event {
    case line(String)
    case data(Data)
    case moved(Direction, count: Int64, total: Int64, expected: Int64, isSteady: Bool)

    enum Direction: String { case sent = "body data sent", written = "data written" }
  }

  func note(_ line: String) { note(.line(line)) }

  func note(_ event: Event) {
    events.withLock { events in
      if let last = events.last, let joined = last.joined(event) {
        events[events.count - 1] = joined
      } else {
        events.append(event)
      }
    }
    switch event {
    case .data, .moved(.written, _, _, _, _): bodyHasBegun.open()
    default: break
    }
  }

  var lines: [String] { events.withLock { $0.map(\.description) } }
}

extension EventLog.Event: CustomStringConvertible {
  /// This event and the next as one, if only the wire decided that they are two: how a body is cut into pieces is no
  /// part of a sequence.
  fileprivate func joined(_ next: Self) -> Self? {
    switch (self, next) {
    case (.data(let first), .data(let second)):
      return .data(first + second)
    case (
      .moved(let way, let count, let total, _, let isSteady), .moved(let next, let more, let newTotal, let expected, _)
    )
    where way == next:
      return .moved(
        way, count: count + more, total: newTotal, expected: expected,
        isSteady: isSteady && newTotal >= total && more > 0)
    default: return nil
    }
  }

  var description: String {
    switch self {
    case .line(let line): line
    case .data(let data): "told of data: \(data.readable)"
    case .moved(let way, let count, let total, let expected, let isSteady):
      "told of \(way.rawValue): \(count), in all \(total) of \(expected)\(isSteady ? "" : ", not steadily")"
    }
  }
}

extension Data {
  /// A short text as it is, anything longer as its length and a checksum.
  var readable: String {
    if count <= 80, let text = String(data: self, encoding: .utf8) { return "\(count) bytes \(text.debugDescription)" }
    let checksum = reduce(UInt64(14_695_981_039_346_656_037)) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
    return "\(count) bytes, checksum \(String(checksum, radix: 16))"
  }
}
