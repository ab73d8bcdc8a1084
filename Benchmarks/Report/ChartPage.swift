/// The parts that every chart has: a title, a source and a background of its own. The background is light or dark as
/// the reader prefers, so that the chart is readable on any page. On a phone the page is half as large, and the text is
/// larger in turn, so lines of text are 30 points apart.
struct ChartPage {
  let title: String
  let subtitle: String
  /// The origin of the numbers, in lines.
  let source: [String]
  let width: Double
  let height: Double

  func svg(_ elements: [String]) -> String {
    """
    <svg xmlns="http://www.w3.org/2000/svg" \(size) role="img" aria-label="\(title.escaped)">
    <title>\(title.escaped)</title>
    <style>
    \(Self.style)
    </style>
    <rect x="0.5" y="0.5" width="\(width - 1)" height="\(height - 1)" rx="8" class="page"/>
    <text x="16" y="36" class="title">\(title.escaped)</text>
    <text x="16" y="66" class="note">\(subtitle.escaped)</text>
    \((elements + sourceLines).joined(separator: "\n"))
    </svg>

    """
  }

  /// The room for the source at the bottom of the page.
  static let sourceHeight = 84.0

  private var sourceLines: [String] {
    source.enumerated().map { number, line in
      let y = height - 16 - Double(source.count - 1 - number) * 28
      return #"<text x="16" y="\#(y)" class="note">\#(line.escaped)</text>"#
    }
  }

  /// Without width and height, a page shows the chart at any size.
  private var size: String {
    let (width, height) = (Int(width), Int(height))
    return #"width="\#(width)" height="\#(height)" viewBox="0 0 \#(width) \#(height)""#
  }

  private static let style = """
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
}

extension String {
  /// The text, escaped for an element or for an attribute in double quotes.
  var escaped: String {
    replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
      .replacingOccurrences(of: "\"", with: "&quot;")
  }
}
