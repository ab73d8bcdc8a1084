import Foundation

/// Aligned columns: texts to the left, numbers to the right.
struct Table {
  private var rows: [[String]]
  private let texts: Set<String>

  /// - Parameter texts: The columns that contain text.
  init(_ columns: [String], texts: Set<String>) {
    rows = [columns]
    self.texts = texts
  }

  mutating func add(_ cells: [String]) { rows.append(cells) }

  func print() {
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    for row in rows {
      let cells = zip(row, widths).enumerated().map { column, cell in
        let padding = String(repeating: " ", count: cell.1 - cell.0.count)
        return texts.contains(rows[0][column]) ? cell.0 + padding : padding + cell.0
      }
      var line = cells.joined(separator: "  ")
      while line.hasSuffix(" ") { line.removeLast() }
      Terminal.print(line)
    }
  }
}

extension Double {
  /// The number with three significant digits, or more before the point: 0.941, 12.3, 104,000.
  var brief: String {
    guard isFinite else { return "–" }
    let digits = abs(self) >= 100 ? 0 : abs(self) >= 10 ? 1 : abs(self) >= 1 ? 2 : 3
    return formatted(
      .number.precision(.fractionLength(digits)).grouping(.automatic).locale(Locale(identifier: "en_US")))
  }
}

extension Int {
  var grouped: String { formatted(.number.locale(Locale(identifier: "en_US"))) }
}
