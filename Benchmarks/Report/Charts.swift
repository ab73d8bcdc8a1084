import Foundation

/// Charts of the costs: by the number of stubs, and by the way of calling.
struct Charts {
  let report: Report

  func write(to folder: String) throws {
    let folder = URL(fileURLWithPath: folder)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let charts = [("matching", matching), ("requests", requests), ("calls", calls)]
    for (name, chart) in charts where !chart.lines.isEmpty {
      let svg = chart.svg(source: report.machine.lines)
      try svg.write(to: folder.appendingPathComponent("\(name).svg"), atomically: true, encoding: .utf8)
    }
  }

  private var matching: any Chart {
    LogLogChart(
      title: "Finding the stub for a request", subtitle: "The oldest stub: the last one that a scan comes to.",
      unit: "ns",
      lines: [
        line("newest-first scan, as in OHHTTPStubs", .other, .matching, "path, hit oldest", "scan"),
        line("StubKit, different styles mixed", .second, .matching, "mixed, hit oldest", "StubKit"),
        line("StubKit", .first, .matching, "path, hit oldest", "StubKit"),
        line("reading URL and method only", .floor, .matching, "path, hit oldest", "extract"),
      ].compactMap(\.self))
  }

  private var requests: any Chart {
    LogLogChart(
      title: "A whole request through URLSession", subtitle: "Any of the stubs, one request at a time.", unit: "µs",
      lines: [
        line("newest-first scan, as in OHHTTPStubs", .other, .requests, "one at a time", "scan"),
        line("StubKit, closure", .second, .requests, "one at a time", "StubKit, closure"),
        line("StubKit", .first, .requests, "one at a time", "StubKit"),
        line("bare URLProtocol", .floor, .requests, "one at a time", "floor"),
      ].compactMap(\.self))
  }

  private var calls: any Chart {
    BarChart(
      title: "A whole request by each way of calling",
      subtitle: "One stub. The time over that of a bare URLProtocol.",
      lines: [
        bar("completion handler", .first, "one at a time"),
        bar("async call", .first, "one at a time, async"),
        bar("delegate", .first, "one at a time, delegate"),
        bar("session with a cache", .first, "one at a time, cache"),
        bar("64 requests at once, each", .first, "64 at once, each"),
        bar("closure, completion handler", .second, "one at a time", "StubKit, closure"),
        bar("closure, async call", .second, "one at a time, async", "StubKit, closure"),
      ].compactMap(\.self))
  }

  private func bar(_ label: String, _ kind: Kind, _ case: String, _ contender: String = "StubKit") -> Line? {
    line(label, kind, .requests, "\(`case`), over floor", contender)
  }

  private func line(_ label: String, _ kind: Kind, _ suite: Suite, _ case: String, _ contender: String) -> Line? {
    let results = report.results.filter { $0.suite == suite.rawValue && $0.case == `case` && $0.contender == contender }
    let points = results.map { ($0.stubs, $0.median) }.sorted { $0.0 < $1.0 }
    return points.isEmpty ? nil : Line(label: label, kind: kind, points: points)
  }
}

/// Whose colour a line or a bar has.
enum Kind: String { case first, second, floor, other }

/// Values by the number of stubs. A bar shows the first of them.
struct Line {
  let label: String
  let kind: Kind
  let points: [(count: Int, value: Double)]
}

/// A page with a title, a drawing, and the origin of the numbers at the bottom. Its background is light or dark as the
/// reader prefers, so that the chart is readable on any page. On a phone the page is half as large, and the text is
/// larger in turn, so lines of text are 30 points apart.
protocol Chart {
  var title: String { get }
  var subtitle: String { get }
  /// The height of the page, without the origin of the numbers.
  var height: Double { get }
  var lines: [Line] { get }
  var elements: [String] { get }
}

extension Chart {
  func svg(source: [String]) -> String {
    let (width, height) = (760.0, height + 84)
    let size = "\(Int(width)) \(Int(height))"
    let origin = source.enumerated().map { number, line in
      let y = height - 16 - Double(source.count - 1 - number) * 28
      return #"<text x="16" y="\#(y)" class="note">\#(line.escaped)</text>"#
    }
    // Without width and height, a page shows the chart at any size.
    return """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(Int(width))" height="\(Int(height))" viewBox="0 0 \(size)" \
      role="img" aria-label="\(title.escaped)">
      <title>\(title.escaped)</title>
      <style>
      \(style)
      </style>
      <rect x="0.5" y="0.5" width="\(width - 1)" height="\(height - 1)" rx="8" class="page"/>
      <text x="16" y="36" class="title">\(title.escaped)</text>
      <text x="16" y="66" class="note">\(subtitle.escaped)</text>
      \((elements + origin).joined(separator: "\n"))
      </svg>

      """
  }
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

/// Horizontal bars of ratios, beside a line at one.
struct BarChart: Chart {
  let title: String
  let subtitle: String
  let lines: [Line]

  private let left = 16.0
  private let right = 744.0
  private let top = 80.0
  private let step = 60.0
  private var bottom: Double { top + Double(lines.count) * step }
  var height: Double { bottom + 36 }

  var elements: [String] {
    lines.enumerated().map { row, bar in
      let (y, value) = (top + Double(row) * step, bar.points[0].value)
      return """
        <text x="\(left)" y="\(y + 26)">\(bar.label.escaped)</text>\
        <rect x="\(left)" y="\(y + 36)" width="\(Int(x(value) - left))" height="14" rx="3" \
        class="\(bar.kind)-dot"/>\
        <text x="\(right)" y="\(y + 26)" text-anchor="end">\(String(format: "%.2f", value))</text>
        """
    } + [
      """
      <line x1="\(x(1))" x2="\(x(1))" y1="\(top + 32)" y2="\(bottom + 4)" class="line floor"/>
      <text x="\(x(1))" y="\(bottom + 30)" text-anchor="middle" class="note">1, a bare URLProtocol</text>
      """
    ]
  }

  /// The axis begins at zero.
  private func x(_ value: Double) -> Double {
    let greatest = max(lines.map(\.points[0].value).max() ?? 1, 1.2)
    return (left + value / greatest * (right - left)).tenths
  }
}

/// Lines on logarithmic axes.
struct LogLogChart: Chart {
  let title: String
  let subtitle: String
  let unit: String
  let lines: [Line]

  private let left = 110.0
  private let right = 706.0
  private var top: Double { 112 + Double(lines.count) * 30 }
  private var bottom: Double { top + 280 }
  var height: Double { bottom + 62 }

  /// The whole powers of ten around the values.
  private var columns: ClosedRange<Int> { powers(lines.flatMap { $0.points.map { Double($0.count) } }) }
  private var rows: ClosedRange<Int> { powers(lines.flatMap { $0.points.map(\.value) }) }

  private func powers(_ values: [Double]) -> ClosedRange<Int> {
    let low = Int((values.min().map(log10) ?? 0).rounded(.down))
    let high = Int((values.max().map(log10) ?? 0).rounded(.up))
    return low...max(high, low + 1)
  }

  var elements: [String] {
    let legend = lines.enumerated().map { index, line in
      let y = 104 + Double(index) * 30
      return """
        <circle cx="22" cy="\(y - 6)" r="6" class="\(line.kind)-dot"/>\
        <text x="38" y="\(y)">\(line.label.escaped)</text>
        """
    }
    let grid = rows.map { power in
      let y = y(pow(10, Double(power)))
      return """
        <line x1="\(left)" x2="\(right)" y1="\(y)" y2="\(y)" class="grid"/>\
        <text x="\(left - 8)" y="\(y + 6)" text-anchor="end" class="note">\(label(ofRow: power))</text>
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
    return legend + grid + counts + lines.map(drawn) + [axis]
  }

  private func drawn(_ line: Line) -> String {
    let places = line.points.map { "\(x(Double($0.count))),\(y($0.value))" }
    let dots = line.points.map { point in
      """
      <circle cx="\(x(Double(point.count)))" cy="\(y(point.value))" r="3.5" class="\(line.kind)-dot">\
      <title>\(point.count.grouped) \(point.count == 1 ? "stub" : "stubs"): \(point.value.brief) \(unit)</title></circle>
      """
    }
    let path = "<polyline points=\"\(places.joined(separator: " "))\" class=\"line \(line.kind)\"/>"
    return ([path] + dots).joined(separator: "\n")
  }

  private func x(_ count: Double) -> Double { (left + columns.part(of: count) * (right - left)).tenths }
  private func y(_ value: Double) -> Double { (bottom + rows.part(of: value) * (top - bottom)).tenths }

  /// The value in a suitable unit: 10 ns, 1 µs, 1 ms.
  private func label(ofRow power: Int) -> String {
    let units = ["ns", "µs", "ms", "s"]
    let power = max(0, power + (units.firstIndex(of: unit) ?? 0) * 3)
    let step = min(power / 3, units.count - 1)
    return "\(Int(pow(10, Double(power - step * 3))).grouped) \(units[step])"
  }
}

extension ClosedRange<Int> {
  /// The place of a value in a range of powers of ten, from 0 to 1.
  fileprivate func part(of value: Double) -> Double { (log10(value) - Double(lowerBound)) / Double(count - 1) }
}

extension Double {
  /// Rounded to a tenth.
  fileprivate var tenths: Double { (self * 10).rounded() / 10 }
}

extension String {
  /// The text, escaped for an element or for an attribute in double quotes.
  fileprivate var escaped: String {
    replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
      .replacingOccurrences(of: "\"", with: "&quot;")
  }
}
