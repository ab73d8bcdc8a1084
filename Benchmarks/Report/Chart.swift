import Foundation

/// The chart of what a request costs against the number of stubs, on logarithmic axes.
///
/// Its background is light or dark as the reader prefers, so that it is readable on any page. On a phone the page is
/// half as large, and the text is larger in turn, so lines of text are 30 points apart.
struct Chart {
  private struct Line {
    let label: String
    /// The style of the line and of its dots.
    let kind: String
    let points: [(count: Int, value: Double)]
  }

  private let origin: [String]
  private let lines: [Line]

  init(_ report: Report) {
    origin = report.machine.lines
    lines = [
      ("newest-first scan, as in OHHTTPStubs", "other", "scan"), ("StubKit, closure", "second", "StubKit, closure"),
      ("StubKit", "first", "StubKit"), ("bare URLProtocol", "floor", "floor"),
    ].map { label, kind, contender in
      let results = report.results.filter {
        $0.suite == .requests && $0.case == "one at a time" && $0.contender == contender
      }
      return Line(label: label, kind: kind, points: results.map { ($0.stubs, $0.median) }.sorted { $0.0 < $1.0 })
    }
  }

  /// Writes the chart, if requests were measured.
  func write(to path: String) throws {
    guard lines.allSatisfy({ !$0.points.isEmpty }) else { return }
    try svg.write(toFile: path, atomically: true, encoding: .utf8)
  }

  private let title = "A whole request through URLSession"
  private let left = 110.0
  private let right = 706.0
  private let top = 232.0
  private let bottom = 512.0

  private var svg: String {
    // Without width and height, a page shows the chart at any size.
    """
    <svg xmlns="http://www.w3.org/2000/svg" width="760" height="658" viewBox="0 0 760 658" role="img" \
    aria-label="\(title)">
    <title>\(title)</title>
    <style>
    \(style)
    </style>
    <rect x="0.5" y="0.5" width="759.0" height="657.0" rx="8" class="page"/>
    <text x="16" y="36" class="title">\(title)</text>
    <text x="16" y="66" class="note">Any of the stubs, one request at a time.</text>
    \(elements.joined(separator: "\n"))
    </svg>

    """
  }

  private var elements: [String] {
    let legend = lines.enumerated().map { index, line in
      let y = 104 + Double(index) * 30
      return """
        <circle cx="22" cy="\(y - 6)" r="6" class="\(line.kind)-dot"/>\
        <text x="38" y="\(y)">\(line.label)</text>
        """
    }
    let grid = rows.map { power in
      let y = y(pow(10, Double(power)))
      let unit = power < 3 ? "µs" : "ms"
      return """
        <line x1="\(left)" x2="\(right)" y1="\(y)" y2="\(y)" class="grid"/>\
        <text x="\(left - 8)" y="\(y + 6)" text-anchor="end" class="note">\(Int(pow(10, Double(power % 3)))) \(unit)</text>
        """
    }
    let counts = columns.map { power in
      let count = pow(10, Double(power))
      return """
        <text x="\(x(count))" y="\(bottom + 28)" text-anchor="middle" class="note">\(Int(count).grouped)</text>
        """
    }
    let axis = """
      <text x="\((left + right) / 2)" y="\(bottom + 58)" text-anchor="middle" class="note">stubs</text>
      """
    let notes = zip([614.0, 642.0], origin).map { #"<text x="16" y="\#($0)" class="note">\#($1)</text>"# }
    return legend + grid + counts + lines.map(drawn) + [axis] + notes
  }

  private func drawn(_ line: Line) -> String {
    let places = line.points.map { "\(x(Double($0.count))),\(y($0.value))" }
    let dots = line.points.map { point in
      """
      <circle cx="\(x(Double(point.count)))" cy="\(y(point.value))" r="3.5" class="\(line.kind)-dot">\
      <title>\(point.count.grouped) \(point.count == 1 ? "stub" : "stubs"): \(point.value.brief) µs</title></circle>
      """
    }
    let path = "<polyline points=\"\(places.joined(separator: " "))\" class=\"line \(line.kind)\"/>"
    return ([path] + dots).joined(separator: "\n")
  }

  /// The whole powers of ten around the values.
  private var columns: ClosedRange<Int> { powers(lines.flatMap { $0.points.map { Double($0.count) } }) }
  private var rows: ClosedRange<Int> { powers(lines.flatMap { $0.points.map(\.value) }) }

  private func powers(_ values: [Double]) -> ClosedRange<Int> {
    let low = Int((values.min().map(log10) ?? 0).rounded(.down))
    let high = Int((values.max().map(log10) ?? 0).rounded(.up))
    return low...max(high, low + 1)
  }

  private func x(_ count: Double) -> Double { (left + columns.part(of: count) * (right - left)).tenths }
  private func y(_ value: Double) -> Double { (bottom + rows.part(of: value) * (top - bottom)).tenths }
}

private let style = """
  svg { font: 15px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #1f2328; }
  .page { fill: #ffffff; stroke: #d1d9e0; }
  .title { font-size: 18px; font-weight: 600; }
  .note { fill: #59636e; font-size: 14px; }
  .grid { stroke: #d1d9e0; stroke-width: 1; }
  .line { fill: none; stroke-width: 2.5; stroke-linejoin: round; stroke-linecap: round; }
  .first { stroke: #0969da; } .first-dot { fill: #0969da; }
  .second { stroke: #1a7f37; } .second-dot { fill: #1a7f37; }
  .other { stroke: #cf222e; } .other-dot { fill: #cf222e; }
  .floor { stroke: #818b98; stroke-dasharray: 2 6; } .floor-dot { fill: #818b98; }
  @media (max-width: 600px) { svg, .note { font-size: 24px; } .title { font-size: 30px; } }
  @media (prefers-color-scheme: dark) {
    svg { fill: #f0f6fc; }
    .page { fill: #0d1117; stroke: #3d444d; }
    .note { fill: #9198a1; }
    .grid { stroke: #3d444d; }
    .first { stroke: #4493f8; } .first-dot { fill: #4493f8; }
    .second { stroke: #3fb950; } .second-dot { fill: #3fb950; }
    .other { stroke: #f85149; } .other-dot { fill: #f85149; }
  }
  """

extension ClosedRange<Int> {
  /// The place of a value in a range of powers of ten, from 0 to 1.
  fileprivate func part(of value: Double) -> Double { (log10(value) - Double(lowerBound)) / Double(count - 1) }
}

extension Double {
  /// Rounded to a tenth.
  fileprivate var tenths: Double { (self * 10).rounded() / 10 }
}
