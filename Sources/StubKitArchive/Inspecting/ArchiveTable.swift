import Foundation
import StubKit

/// An archive's entries as a table for a terminal. Each has a bar on a common time axis, as in a browser's developer
/// tools.
///
/// ```text
/// #  method  status  URL                                size      time
/// 1  GET     200     /config                         1.2 KB     31 ms  ░░░█
/// 2  POST    201     /login                            88 B    120 ms      ░░░░░░░░░░█
/// ```
package struct ArchiveTable {
  private let archive: HTTPArchive
  private let width: Int
  /// When the first request began, which is where the time axis begins.
  private let start: Date
  /// The time from there to the end of the last request, in seconds.
  private let length: Double

  /// - Parameter width: The width in columns, at least 60.
  package init(_ archive: HTTPArchive, width: Int = 80) {
    self.archive = archive
    self.width = max(60, width)
    let start = archive.entries.map(\.startedAt).min() ?? Date()
    self.start = start
    length = archive.entries.map { $0.startedAt.timeIntervalSince(start) + $0.duration / .seconds(1) }.max() ?? 0
  }

  /// The heading, and a line for each entry. If an entry failed or can't be replayed, a second line says why.
  package var lines: [String] {
    let number = "\(archive.entries.count)".count
    // A narrow table needs the columns of the waterfall for URLs.
    let bar = width < 72 ? 6 : 16
    let target = width - number - 40 - bar
    // A negative width is that of a column of numbers. The bar ends the line.
    let widths = [-number, 7, 6, target, -8, -7, 0]
    func row(_ cells: String...) -> String { zip(cells, widths).map { $0.padded(to: $1) }.joined(separator: "  ") }
    let origin = sharedOrigin
    var lines = [row("#", "method", "status", (origin ?? "URL").middle(target), "size", "time")]
    for (position, entry) in zip(1..., archive.entries) {
      let url = entry.request.url?.absoluteString ?? ""
      lines.append(
        row(
          "\(position)", (entry.request.httpMethod ?? "GET").middle(7),
          entry.response.map { "\($0.status)" } ?? "–",
          (origin.map { String(url.dropFirst($0.count)) } ?? url).middle(target),
          entry.response?.content.count.asByteCount ?? "–", entry.duration.inShort, self.bar(of: entry, width: bar)))
      let problems = [
        entry.error.map { "failed: \($0.cause)" }, entry.obstacle,
        entry.hasCachedContent ? "has the content of a cache, which goes out as 200 without If-None-Match" : nil,
        entry.unreadableStart.map { "began at \($0.prefix(40).debugDescription), which is not a date" },
      ]
      let indent = String(repeating: " ", count: number + 2)
      lines += problems.compactMap(\.self).map { (indent + $0).middle(width) }
    }
    return lines
  }

  /// A summary of the archive, such as `12 entries of 2 hosts, 45.2 KB, 1.30 s`.
  package var summary: String {
    let hosts = Set(archive.entries.compactMap { $0.request.url?.host }).count
    let bytes = archive.entries.reduce(0) { $0 + ($1.response?.content.count ?? 0) }
    return "\(archive.entries.count.asCount("entry", "entries")) of \(hosts.asCount("host", "hosts")), "
      + "\(bytes.asByteCount), \(Duration.seconds(length).inShort)"
  }

  /// The scheme, host and port, if they are the same for all entries.
  private var sharedOrigin: String? {
    let origins = archive.entries.map { entry -> String in
      let url = entry.request.url?.absoluteString ?? ""
      guard let (scheme, rest) = url.scheme else { return url }
      return "\(scheme)://" + rest.prefix { !"/?#".contains($0) }
    }
    return Set(origins).count == 1 ? origins.first : nil
  }

  /// The bar of a request. Waiting is light, and receiving is dark. A request that took no time is visible too.
  private func bar(of entry: HTTPArchive.Entry, width: Int) -> String {
    guard length > 0 else { return "█" }
    let begin = entry.startedAt.timeIntervalSince(start)
    func column(_ seconds: Double) -> Int {
      // The last column is for requests that start there.
      Int((min(1, max(0, begin + seconds) / length) * Double(width - 1)).rounded())
    }
    let (first, end) = (column(0), column(entry.duration / .seconds(1)))
    let head = column((entry.timeToResponse ?? entry.duration) / .seconds(1))
    return String(repeating: " ", count: first) + String(repeating: "░", count: max(0, head - first))
      + String(repeating: "█", count: max(1, end - max(first, head)))
  }
}

extension Duration {
  /// The duration as text, such as `31 ms`, `1.30 s` or `4.5 min`.
  package var inShort: String {
    let seconds = self / .seconds(1)
    return switch seconds {
    case ..<0.9995: "\(Int((max(0, seconds) * 1_000).rounded())) ms"
    case ..<99.995: String(format: "%.2f s", seconds)
    default: String(format: "%.1f min", seconds / 60)
    }
  }
}

extension Int {
  /// The size as text, such as `88 B`, `1.2 KB` or `4.0 MB`.
  package var asByteCount: String {
    switch self {
    case ..<1_000: "\(self) B"
    case ..<999_950: String(format: "%.1f KB", Double(self) / 1e3)
    case ..<999_950_000: String(format: "%.1f MB", Double(self) / 1e6)
    default: String(format: "%.1f GB", Double(self) / 1e9)
    }
  }

  /// The number with a noun, such as `1 entry` or `2 entries`.
  package func asCount(_ one: String, _ many: String) -> String { "\(self) \(self == 1 ? one : many)" }
}

extension String {
  /// Pads the text with spaces after it, or before it if the width is negative.
  fileprivate func padded(to width: Int) -> String {
    let spaces = String(repeating: " ", count: max(0, abs(width) - count))
    return width < 0 ? spaces + self : self + spaces
  }
}
