/// Something by which a stub is told from a server after all, and why that is.
///
/// A difference is known by its cells and by its lines. The list is exact: lines that no entry explains fail the tests, and so
/// does an entry that explains nothing in one of its cells.
struct KnownDifference: Sendable {
  let reason: String
  let isIn: @Sendable (Cell) -> Bool
  /// The beginnings of the lines that differ, without the white space before them; nil for any line.
  let lines: [String]?

  init(_ reason: String, lines: [String]? = nil, isIn: @escaping @Sendable (Cell) -> Bool) {
    self.reason = reason
    self.isIn = isIn
    self.lines = lines
  }

  /// Whether it is the reason for a line of a difference.
  func explains(_ line: String) -> Bool {
    guard let lines else { return true }
    let text = line.dropFirst().drop { $0 == " " }
    return lines.contains { text.hasPrefix($0) }
  }

  static let all: [KnownDifference] = [
    KnownDifference(
      "The native loader writes each piece of such a download twice; a stub's file is right.", lines: ["returns file"]
    ) {
      $0.kind == .download && $0.style == .asyncCallWithDelegate && $0.deliversBody
    }
  ]
}

extension Comparison {
  private var known: [KnownDifference] { KnownDifference.all.filter { $0.isIn(cell) } }

  private var differingLines: [String] { difference.filter { $0.hasPrefix("-") || $0.hasPrefix("+") } }

  /// The difference, unless all of it is known.
  var unknownDifference: String? {
    let known = known
    let isKnown = differingLines.allSatisfy { line in known.contains { $0.explains(line) } }
    return isKnown ? nil : "\(cell)\n(- a server, + a stub)\n\(difference.joined(separator: "\n"))"
  }

  /// Known differences that are none.
  var outdatedReasons: [String] {
    let lines = differingLines
    return known.filter { !lines.contains(where: $0.explains) }.map(\.reason)
  }
}

extension Cell {
  /// Whether a body comes whole in the end.
  fileprivate var deliversBody: Bool {
    guard method != "HEAD", disturbance != .cancelDuringBody, let last = exchange.routes.last?.answer else {
      return false
    }
    guard last.hasBody(for: method), case .complete = last.ending else { return false }
    return !last.body.isEmpty
  }
}
