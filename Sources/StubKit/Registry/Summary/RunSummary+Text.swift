import Foundation

/// The summary as a table: for the end of a run, and as Markdown.
extension RunSummary {
  private var sorted: [(name: String, row: Row)] {
    rows.sorted { ($0.key.withoutMethod, $0.key) < ($1.key.withoutMethod, $1.key) }.map { ($0.key, $0.value) }
  }

  private var requestCount: Int { rows.values.reduce(otherCount) { $0 + $1.count } }

  private var heading: String {
    "\(requestCount.requests) to \(rows.count == 1 ? "1 endpoint" : "\(rows.count) endpoints")\(otherCount > 0 ? ", and more" : "")"
  }

  private var more: String? {
    otherCount > 0 ? "and more: \(otherCount.requests) to further endpoints" : nil
  }

  /// The endpoints that never saw a 4xx, a 5xx or a failure, and which of these.
  private var untried: [(name: String, what: String)] {
    sorted.compactMap { name, row in row.untried.isEmpty ? nil : (name, row.untried.listed) }
  }

  /// The table as it is printed at the end of a run.
  var text: String {
    let cells = [["requests", "endpoint", "answers", "faults"]] + sorted.map { [""] + Self.cells($0.row, $0.name) }
    let counts = sorted.map { "\($0.row.count)" }
    let width = (1...2).map { column in cells.map { $0[column].count }.max() ?? 0 }
    var lines = ["Summary of \(heading)"]
    for (number, cell) in cells.enumerated() {
      let count = number == 0 ? cell[0] : counts[number - 1].leftPadded(to: 8)
      let line = "  \(count)  \(cell[1].padded(to: width[0]))  \(cell[2].padded(to: width[1]))  \(cell[3])"
      lines.append(String(line[..<line.endOfText]))
    }
    lines += [more.map { "  \($0)" }].compactMap(\.self)
    if !untried.isEmpty { lines.append("Never tried:") }
    lines += untried.map { "  \($0.name): \($0.what)" }
    return lines.joined(separator: "\n")
  }

  /// - Parameter run: The number of the run, by which another process of it finds its own.
  func markdown(run: Int) -> String {
    func code(_ text: String) -> String { "`\(text.replacing("|", with: "\\|").replacing("`", with: "'"))`" }
    func plain(_ text: String) -> String { text.replacing("|", with: "\\|") }
    var lines = ["# \(heading)", "", "| Requests | Endpoint | Answers | Faults |", "| ---: | --- | --- | --- |"]
    lines += sorted.map { name, row in
      let cells = Self.cells(row, name)
      return "| \(row.count) | \(code(cells[0])) | \(plain(cells[1])) | \(plain(cells[2])) |"
    }
    if let more { lines += ["", more] }
    if !untried.isEmpty {
      lines += ["", "## Never tried", "", "| Endpoint | What no request received |", "| --- | --- |"]
      lines += untried.map { "| \(code($0.name)) | \($0.what) |" }
    }
    return (lines + ["", "\(Self.comment)\(run) \(encoded)\(Self.commentEnd)", ""]).joined(separator: "\n")
  }

  private static func cells(_ row: Row, _ name: String) -> [String] {
    func list(_ counts: [String: Int]) -> String {
      counts.sorted { $0.key < $1.key }.map { $0.value == 1 ? $0.key : "\($0.key) ×\($0.value)" }.listed
    }
    return [name, list(row.answers), list(row.faults)]
  }

  // MARK: What another process reads

  private static let comment = "<!-- StubKit "
  private static let commentEnd = " -->"

  private var encoded: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let text = (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    // Two hyphens would end the comment.
    return text.replacing("--", with: #"\u002d\u002d"#)
  }

  /// Reads what a process of the same run has written. Returns `nil` for another text.
  init?(writtenIn markdown: String, run: Int) {
    guard let line = markdown.split(separator: "\n").last(where: { $0.hasPrefix(Self.comment) }),
      line.hasSuffix(Self.commentEnd)
    else { return nil }
    let parts = line.dropFirst(Self.comment.count).dropLast(Self.commentEnd.count).split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0] == "\(run)",
      let summary = try? JSONDecoder().decode(RunSummary.self, from: Data(parts[1].utf8))
    else { return nil }
    self = summary
  }
}

extension String {
  /// The name of an endpoint without its method, by which the methods of one URL stand together.
  fileprivate var withoutMethod: Substring { self[(firstIndex(of: " ") ?? startIndex)...] }

  fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
  fileprivate func leftPadded(to width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }

  fileprivate var endOfText: Index { lastIndex { $0 != " " }.map(index(after:)) ?? startIndex }
}
