import Foundation

/// The output of a chapter, as a picture of a terminal (SVG).
struct TerminalPicture: Sendable {
  /// The file's name without its extension.
  let name: String
  /// The command, or `nil` for none.
  let command: String?
  /// A description for people who don't see the picture.
  let description: String
  /// Selects the lines to show from all lines of the chapter.
  let lines: @Sendable ([String]) -> [String]

  /// Writes the picture. Returns `false`, after it has printed why, if that fails.
  func write(_ page: [String], to folder: URL) -> Bool {
    let shown = lines(page)
    do {
      guard !shown.isEmpty else { throw CocoaError(.fileReadCorruptFile) }
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data(svg(shown).utf8).write(to: folder.appendingPathComponent("\(name).svg"), options: .atomic)
      return true
    } catch {
      print("✗ The picture \(name).svg can't be written: \(error.localizedDescription)")
      return false
    }
  }

  /// The width of the text on the site, which a picture fills.
  private static let textWidth = 760.0
  private static let (lineHeight, columnWidth, margin, bar) = (19.0, 8.4, 18.0, 30.0)

  private func svg(_ shown: [String]) -> String {
    let text = (command.map { ["$ \($0)", ""] } ?? []) + shown.withoutCommonIndent
    let columns = max(72, text.map(\.count).max() ?? 0)
    let width = Int((Double(columns) * Self.columnWidth + 2 * Self.margin).rounded(.up))
    let height = Int((Double(text.count) * Self.lineHeight + Self.bar + 2 * Self.margin - 6).rounded(.up))
    let scale = max(1, Self.textWidth / Double(width))
    let size = #"width="\#((Double(width) * scale).short)" height="\#((Double(height) * scale).short)""#
    let rows = text.enumerated().compactMap { row(number: $0.offset, $0.element) }
    let dots = ["#ff5f57", "#febc2e", "#28c840"].enumerated().map { offset, color in
      #"  <circle cx="\#(20 + offset * 18)" cy="16" r="5.5" fill="\#(color)"/>"#
    }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" \(size) viewBox="0 0 \(width) \(height)" role="img">
        <title>\(description.escaped)</title>
        <rect width="\(width)" height="\(height)" rx="8" fill="#1d1f27"/>
      \(dots.joined(separator: "\n"))
        <g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="#d8dbe5">
      \(rows.joined(separator: "\n"))
        </g>
      </svg>

      """
  }

  /// Returns a line as text and rectangles. Bars are rectangles, because fonts draw them differently.
  private func row(number: Int, _ line: String) -> String? {
    let y = Self.bar + Self.margin + Double(number) * Self.lineHeight + 4
    var elements: [String] = []
    var column = 0
    var rest = Substring(line)
    while let first = rest.first {
      let isBar = "░█▆".contains(first)
      let run = isBar ? rest.prefix { $0 == first } : rest.prefix { !"░█▆".contains($0) }
      let (x, length) = (Self.margin + Double(column) * Self.columnWidth, Double(run.count) * Self.columnWidth)
      if isBar {
        elements.append(
          "    <rect x=\"\(x.short)\" y=\"\((y - 11).short)\" width=\"\(length.short)\" height=\"13\" "
            + "fill=\"\(first == "░" ? "#4b5068" : "#5cc8a8")\"/>")
      } else if !run.allSatisfy({ $0 == " " }) {
        let start = run.prefix { $0 == " " }.count
        let text = run.dropFirst(start)
        elements.append(
          "    <text x=\"\((x + Double(start) * Self.columnWidth).short)\" y=\"\(y.short)\" xml:space=\"preserve\" "
            + "textLength=\"\((Double(text.count) * Self.columnWidth).short)\"\(color(of: line, number))>"
            + "\(String(text).escaped)</text>")
      }
      column += run.count
      rest = rest.dropFirst(run.count)
    }
    return elements.isEmpty ? nil : elements.joined(separator: "\n")
  }

  private func color(of line: String, _ number: Int) -> String {
    if command != nil, number == 0 { return " fill=\"#ffffff\"" }
    let start = line.drop { $0 == " " }
    if start.hasPrefix("✗") || start.contains("expected ") { return " fill=\"#ff8f80\"" }
    if start.hasPrefix("(") || start.hasPrefix("#") { return " fill=\"#8d93a8\"" }
    return ""
  }
}

extension [String] {
  fileprivate var withoutCommonIndent: [String] {
    let indent = filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
    return map { String($0.dropFirst(indent)) }
  }
}

extension Double {
  /// The number with at most one decimal place.
  fileprivate var short: String {
    let rounded = (self * 10).rounded() / 10
    return rounded == rounded.rounded() ? String(Int(rounded)) : String(rounded)
  }
}

extension String {
  fileprivate var escaped: String {
    replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
