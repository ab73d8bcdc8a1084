/// Horizontal bars of ratios, beside a line at one.
struct BarChart {
  struct Bar {
    let label: String
    let kind: LogLogChart.Kind
    let value: Double
  }

  let title: String
  let subtitle: String
  let source: [String]
  let bars: [Bar]

  var isEmpty: Bool { bars.isEmpty }

  private let width = 760.0
  private let plot = (left: 16.0, right: 744.0, top: 80.0)
  private let step = 60.0
  private var bottom: Double { plot.top + Double(bars.count) * step }

  var svg: String {
    ChartPage(
      title: title, subtitle: subtitle, source: source, width: width, height: bottom + 36 + ChartPage.sourceHeight
    )
    .svg(bars.enumerated().map { drawn($1, row: $0) } + [unity])
  }

  private func drawn(_ bar: Bar, row: Int) -> String {
    let y = plot.top + Double(row) * step
    let end = x(bar.value)
    return """
      <text x="\(plot.left)" y="\(y + 26)">\(bar.label.escaped)</text>\
      <rect x="\(plot.left)" y="\(y + 36)" width="\(Int(end - plot.left))" height="14" rx="3" class="\(bar.kind)-dot"/>\
      <text x="\(plot.right)" y="\(y + 26)" text-anchor="end">\(bar.value.hundredths)</text>
      """
  }

  private var unity: String {
    """
    <line x1="\(x(1))" x2="\(x(1))" y1="\(plot.top + 32)" y2="\(bottom + 4)" class="line floor"/>
    <text x="\(x(1))" y="\(bottom + 30)" text-anchor="middle" class="note">1, a bare URLProtocol</text>
    """
  }

  /// Rounded to a tenth of a point. The axis begins at zero.
  private func x(_ value: Double) -> Double {
    let greatest = max(bars.map(\.value).max() ?? 1, 1.2)
    return ((plot.left + value / greatest * (plot.right - plot.left)) * 10).rounded() / 10
  }
}

extension Double {
  fileprivate var hundredths: String {
    let whole = Int((self * 100).rounded())
    return "\(whole / 100).\(whole / 10 % 10)\(whole % 10)"
  }
}
