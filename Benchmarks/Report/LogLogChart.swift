import Foundation

/// A chart of SVG alone. It brings its own background, light or dark as the reader prefers, so that it can be read on any page.
struct LogLogChart {
  enum Kind: String { case first, second, floor, other }

  struct Line {
    let label: String
    let kind: Kind
    let points: [(count: Int, value: Double)]
  }

  let title: String
  let subtitle: String
  /// Where the numbers come from.
  let source: String
  let unit: String
  let lines: [Line]

  init(title: String, subtitle: String, source: String, unit: String, lines: [Line]) {
    self.title = title
    self.subtitle = subtitle
    self.source = source
    self.unit = unit
    self.lines = lines.filter { !$0.points.isEmpty }
  }

  var isEmpty: Bool { lines.isEmpty }

  private let width = 760.0
  private let height = 460.0
  private let plot = (left: 74.0, right: 722.0, top: 118.0, bottom: 386.0)

  /// Whole powers of ten around the values.
  private var columns: ClosedRange<Int> { powers(lines.flatMap { $0.points.map { Double($0.count) } }) }
  private var rows: ClosedRange<Int> { powers(lines.flatMap { $0.points.map(\.value) }) }

  private func powers(_ values: [Double]) -> ClosedRange<Int> {
    let low = Int((values.min().map(log10) ?? 0).rounded(.down))
    let high = Int((values.max().map(log10) ?? 0).rounded(.up))
    return low...max(high, low + 1)
  }

  /// Without width and height, a page shows the chart as small as it likes.
  private var size: String {
    let (width, height) = (Int(width), Int(height))
    return #"width="\#(width)" height="\#(height)" viewBox="0 0 \#(width) \#(height)""#
  }

  var svg: String {
    """
    <svg xmlns="http://www.w3.org/2000/svg" \(size) role="img" aria-label="\(title.escaped)">
    <title>\(title.escaped)</title>
    <style>
    \(Self.style)
    </style>
    <rect x="0.5" y="0.5" width="\(width - 1)" height="\(height - 1)" rx="8" class="page"/>
    <text x="16" y="30" class="title">\(title.escaped)</text>
    <text x="16" y="50" class="note">\(subtitle.escaped)</text>
    \((legend + grid + lines.map(drawn) + [axisTitle]).joined(separator: "\n"))
    </svg>

    """
  }

  private static let style = """
    svg { font: 13px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #1f2328; }
    .page { fill: #ffffff; stroke: #d1d9e0; }
    .title { font-size: 18px; font-weight: 600; }
    .note { fill: #59636e; font-size: 12px; }
    .grid { stroke: #d1d9e0; stroke-width: 1; }
    .line { fill: none; stroke-width: 2.5; stroke-linejoin: round; stroke-linecap: round; }
    .first { stroke: #0969da; } .first-dot { fill: #0969da; }
    .second { stroke: #1a7f37; } .second-dot { fill: #1a7f37; }
    .other { stroke: #cf222e; } .other-dot { fill: #cf222e; }
    .floor { stroke: #818b98; stroke-dasharray: 2 6; } .floor-dot { fill: #818b98; }
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

  private var legend: [String] {
    lines.enumerated().map { index, line in
      let x = index.isMultiple(of: 2) ? plot.left : plot.left + 320
      let y = 78.0 + Double(index / 2) * 18
      return """
        <circle cx="\(x)" cy="\(y - 4)" r="4" class="\(line.kind)-dot"/>\
        <text x="\(x + 12)" y="\(y)">\(line.label.escaped)</text>
        """
    }
  }

  private var grid: [String] {
    rows.map { power in
      let y = y(pow(10, Double(power)))
      return """
        <line x1="\(plot.left)" x2="\(plot.right)" y1="\(y)" y2="\(y)" class="grid"/>\
        <text x="\(plot.left - 8)" y="\(y + 4)" text-anchor="end" class="note">\(label(ofRow: power))</text>
        """
    }
      + columns.map { power in
        let count = pow(10, Double(power))
        return """
          <text x="\(x(count))" y="\(plot.bottom + 20)" text-anchor="middle" class="note">\(Int(count).grouped)</text>
          """
      }
  }

  private var axisTitle: String {
    """
    <text x="\((plot.left + plot.right) / 2)" y="\(plot.bottom + 44)" text-anchor="middle" class="note">stubs</text>
    <text x="16" y="\(height - 12)" class="note">\(source.escaped)</text>
    """
  }

  private func drawn(_ line: Line) -> String {
    let points = line.points.map { (x: x(Double($0.count)), y: y($0.value)) }
    let path = points.map { "\($0.x),\($0.y)" }.joined(separator: " ")
    let dots = zip(points, line.points).map { place, point in
      """
      <circle cx="\(place.x)" cy="\(place.y)" r="3.5" class="\(line.kind)-dot">\
      <title>\(point.count.grouped) \(point.count == 1 ? "stub" : "stubs"): \(point.value.brief) \(unit)</title></circle>
      """
    }
    return "<polyline points=\"\(path)\" class=\"line \(line.kind)\"/>\n" + dots.joined(separator: "\n")
  }

  private func x(_ count: Double) -> Double {
    place(log10(count), in: columns, from: plot.left, to: plot.right)
  }

  private func y(_ value: Double) -> Double { place(log10(value), in: rows, from: plot.bottom, to: plot.top) }

  /// To a tenth of a point.
  private func place(_ power: Double, in range: ClosedRange<Int>, from: Double, to: Double) -> Double {
    let part = (power - Double(range.lowerBound)) / Double(range.count - 1)
    return ((from + part * (to - from)) * 10).rounded() / 10
  }

  /// In the unit that suits: 10 ns, 1 µs, 1 ms.
  private func label(ofRow power: Int) -> String {
    let units = ["ns", "µs", "ms", "s"]
    let power = max(0, power + (units.firstIndex(of: unit) ?? 0) * 3)
    let step = min(power / 3, units.count - 1)
    return "\(Int(pow(10, Double(power - step * 3))).grouped) \(units[step])"
  }
}

extension String {
  fileprivate var escaped: String {
    replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
  }
}
