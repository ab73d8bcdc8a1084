import Foundation
import StubKitRecorder

/// The entries of an archive as bars on one axis of time, as a picture (SVG).
///
/// A bar has a line of text above it, so that the text is large enough to read where the picture is narrow.
struct WaterfallPicture {
  private let entries: [HTTPArchive.Entry]
  private let start: Date
  /// The seconds from the start of the first request to the end of the last one.
  private let length: Double

  init(_ archive: HTTPArchive) {
    entries = archive.entries
    let start = entries.map(\.startedAt).min() ?? Date()
    self.start = start
    length = entries.map { $0.startedAt.timeIntervalSince(start) + $0.duration / .seconds(1) }.max() ?? 0
  }

  // The text on the site is 740 points wide. On a phone it's 360 points wide, and the picture half as large.
  private static let (width, margin, top, step) = (740.0, 18.0, 58.0, 56.0)

  var svg: String {
    let height = Int(Self.top + Double(entries.count) * Self.step + Self.margin / 2)
    let size = "width=\"\(Int(Self.width))\" height=\"\(height)\" viewBox=\"0 0 \(Int(Self.width)) \(height)\""
    return """
      <svg xmlns="http://www.w3.org/2000/svg" \(size) role="img">
      <title>The requests of a recording on one axis of time. A bar begins with the wait for the response.</title>
      <style>
      \(Self.style)
      </style>
      <rect x="0.5" y="0.5" width="\(Int(Self.width) - 1)" height="\(height - 1)" rx="8" class="page"/>
      <rect x="18" y="20" width="20" height="16" rx="3" class="wait"/>
      <text x="46" y="35">waits for the response</text>
      <rect x="370" y="20" width="20" height="16" rx="3" class="body"/>
      <text x="398" y="35">receives the body</text>
      \(zip(0..., entries).map(row).joined(separator: "\n"))
      </svg>

      """
  }

  private func row(number: Int, _ entry: HTTPArchive.Entry) -> String {
    let y = Self.top + Double(number) * Self.step
    let begin = entry.startedAt.timeIntervalSince(start)
    let (first, head, end) = (
      x(begin), x(begin + (entry.timeToResponse ?? entry.duration) / .seconds(1)),
      x(begin + entry.duration / .seconds(1))
    )
    let request = "\(entry.request.httpMethod ?? "GET") \(entry.request.url?.path ?? "")"
    let response = entry.response.map { "\($0.status) · \($0.content.count.asByteCount) · " } ?? ""
    // A response that arrives at once is also visible.
    return """
      <text x="18" y="\(Int(y) + 24)">\(request.escaped)</text>\
      <text x="722" y="\(Int(y) + 24)" text-anchor="end" class="note">\(response)\(entry.duration.inShort)</text>
      <rect x="\(first.tenths)" y="\(Int(y) + 34)" width="\((head - first).tenths)" height="12" class="wait"/>\
      <rect x="\(head.tenths)" y="\(Int(y) + 34)" width="\(max(4, end - head).tenths)" height="12" class="body"/>
      """
  }

  private func x(_ seconds: Double) -> Double {
    Self.margin + (length > 0 ? seconds / length : 0) * (Self.width - 2 * Self.margin - 4)
  }

  private static let style = """
    svg { font: 15px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #1f2328; }
    .page { fill: #ffffff; stroke: #d1d9e0; }
    .note { fill: #59636e; }
    .wait { fill: #a8c7ec; }
    .body { fill: #0969da; }
    @media (max-width: 600px) { svg { font-size: 24px; } }
    @media (prefers-color-scheme: dark) {
      svg { fill: #f0f6fc; }
      .page { fill: #0d1117; stroke: #3d444d; }
      .note { fill: #9198a1; }
      .wait { fill: #2b4f7d; }
      .body { fill: #4493f8; }
    }
    """
}

extension Double {
  /// The number with at most one decimal place.
  fileprivate var tenths: String {
    let rounded = (self * 10).rounded() / 10
    return rounded == rounded.rounded() ? String(Int(rounded)) : String(rounded)
  }
}

extension String {
  fileprivate var escaped: String {
    replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
