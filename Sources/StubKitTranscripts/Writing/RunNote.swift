import Foundation
import StubKit

/// The comment at the top of a transcript about the runs that wrote it.
///
/// ```text
/// # Written once at 2026-12-01T07:38:31Z: 5f3a9b0c7d21e8f4, 0b7f3a529d6a4c5e
/// ```
///
/// The digests stand for the values behind placeholders. If another run has the same value, and time has passed in
/// between, the value doesn't change, and takes the place of its placeholder.
struct RunNote: Equatable, Sendable {
  /// When one run wrote the text, so that the next one shows which values differ.
  var writtenOnce: TimeInterval?
  /// When the values were sent, by their digests.
  var digests: [String: TimeInterval] = [:]

  static let once = "# Written once at "
  static let sameDay = "# Of one day, at "

  var isEmpty: Bool { writtenOnce == nil && digests.isEmpty }

  init() {}

  init(in text: String) {
    for line in text.utf8.split(separator: .newline).prefix(while: { $0.first == UInt8(ascii: "#") }) {
      let line = Substring(line)
      let isOnce = line.hasPrefix(Self.once)
      guard isOnce || line.hasPrefix(Self.sameDay) else { continue }
      let rest = line.dropFirst(isOnce ? Self.once.count : Self.sameDay.count)
      let (time, digests) = (rest.prefix(20), rest.dropFirst(22))
      guard let date = try? Date(String(time), strategy: .iso8601) else { continue }
      if isOnce { writtenOnce = date.timeIntervalSince1970 }
      for digest in digests.pieces(at: ",") where !digest.isEmpty {
        self.digests[String(digest.withoutOuterSpace)] = date.timeIntervalSince1970
      }
    }
  }

  var lines: [String] {
    var times = Dictionary(grouping: digests.keys, by: { digests[$0]!.rounded(.down) })
    if let writtenOnce { times[writtenOnce.rounded(.down), default: []] += [] }
    return times.sorted { $0.key < $1.key }.map { time, digests in
      let heading = time == writtenOnce?.rounded(.down) ? Self.once : Self.sameDay
      let date = Date(timeIntervalSince1970: time).formatted(.iso8601)
      return "\(heading)\(date)\(digests.isEmpty ? "" : ": \(digests.sorted().listed)")"
    }
  }
}

/// A transcript in a file.
struct TranscriptText: Sendable {
  let requests: [TranscribedRequest]
  let note: RunNote

  init(_ data: Data, without untranscribed: Set<NamedValue>) throws {
    requests = try TranscriptReader(data, without: untranscribed).requests
    note = RunNote(in: String(utf8: data))
  }

  /// - Parameter untranscribed: The header fields to leave out, with names in lower case.
  init(_ text: String, without untranscribed: Set<NamedValue> = []) throws {
    requests = try TranscriptReader(text, without: untranscribed).requests
    note = RunNote(in: text)
  }
}
