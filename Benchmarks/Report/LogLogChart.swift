import Foundation

/// Lines on logarithmic axes.
struct LogLogChart {
  enum Kind: String { case first, second, floor, other }

  struct Line {
    let label: String
    let kind: Kind
    let points: [(count: Int, value: Double)]
  }

  let title: String
  let subtitle: String
  /// The origin of the numbers.
  let source: [String]
  let unit: String
  let lines: [Line]

  init(title: String, subtitle: String, source: [String], unit: String, lines: [Line]) {
    self.title = title
    self.subtitle = subtitle
    self.source = source
    self.unit = unit
    self.lines = lines.filter { !$0.points.isEmpty }
  }

  var isEmpty: Bool { lines.isEmpty }

  private let width = 760.0
  private var plot: (left: Double, right: Double, top: Double, bottom: Double) {
    let top = 112 + Double(lines.count) * 30
    return (110, 706, top, top + 280)
  }

  /// The whole powers of ten around the values.
  private var columns: ClosedRange<Int> { powers(lines.flatMap { $0.points.map { Double($0.count) } }) }
  private var rows: ClosedRange<Int> { powers(lines.flatMap { $0.points.map(\.value) }) }

  private func powers(_ values: [Double]) -> ClosedRange<Int> {
    let low = Int((values.min().map(log10) ?? 0).rounded(.down))
    let high = Int((values.max().map(log10) ?? 0).rounded(.up))
    return low...max(high, low + 1)
  }

  var svg: String {
    ChartPage(
      title: title, subtitle: subtitle, source: source, width: width, height: plot.bottom + 62 + ChartPage.sourceHeight
    )
    .svg(legend + grid + lines.map(drawn) + [axisTitle])
  }

  private var legend: [String] {
    lines.enumerated().map { index, line in
      let y = 104 + Double(index) * 30
      return """
        <circle cx="22" cy="\(y - 6)" r="6" class="\(line.kind)-dot"/>\
        <text x="38" y="\(y)">\(line.label.escaped)</text>
        """
    }
  }

  private var grid: [String] {
    rows.map { power in
      let y = y(pow(10, Double(power)))
      return """
        <line x1="\(plot.left)" x2="\(plot.right)" y1="\(y)" y2="\(y)" class="grid"/>\
        <text x="\(plot.left - 8)" y="\(y + 6)" text-anchor="end" class="note">\(label(ofRow: power))</text>
        """
    }
      + columns.map { power in
        let count = pow(10, Double(power))
        return """
          <text x="\(x(count))" y="\(plot.bottom + 28)" text-anchor="middle" class="note">\(Int(count).grouped)</text>
          """
      }
  }

  private var axisTitle: String {
    """
    <text x="\((plot.left + plot.right) / 2)" y="\(plot.bottom + 58)" text-anchor="middle" class="note">stubs</text>
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

  /// Rounded to a tenth of a point.
  private func place(_ power: Double, in range: ClosedRange<Int>, from: Double, to: Double) -> Double {
    let part = (power - Double(range.lowerBound)) / Double(range.count - 1)
    return ((from + part * (to - from)) * 10).rounded() / 10
  }

  /// The value in a suitable unit: 10 ns, 1 µs, 1 ms.
  private func label(ofRow power: Int) -> String {
    let units = ["ns", "µs", "ms", "s"]
    let power = max(0, power + (units.firstIndex(of: unit) ?? 0) * 3)
    let step = min(power / 3, units.count - 1)
    return "\(Int(pow(10, Double(power - step * 3))).grouped) \(units[step])"
  }
}
