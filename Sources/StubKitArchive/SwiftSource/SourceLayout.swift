/// The layout of an expression in Swift code: no line is longer than 120 characters, and the breaks are those that
/// `swift format` accepts.
///
/// It reads the code that `SwiftSource` writes: calls, literals, and members after them, without comments or closures.
struct SourceLayout {
  private static let width = 120
  /// The length up to which conditions and modifiers stay on one line.
  private static let longestWhole = 100

  /// Returns a call with the modifiers after it.
  ///
  /// - Parameters:
  ///   - parts: The call and its modifiers.
  ///   - start: What precedes the call on its line. One character follows the last part.
  static func chain(_ parts: [String], after start: String) -> String {
    let indent = start.prefix { $0 == " " }.count
    let whole = start + parts.joined()
    if whole.unicodeScalars.count <= longestWhole { return whole }
    var lines = [start + broken(parts[0], at: start.unicodeScalars.count, indent: indent, parts.count > 1 ? 0 : 1)]
    // Modifiers stand below the call if it fits on its line, and below its end otherwise.
    let margin = lines[0].contains("\n") ? indent : indent + 2
    if parts.count > 1 { lines[0] = closed(lines[0], indent) }
    for (number, part) in zip(1..., parts.dropFirst()) {
      let isLast = number == parts.count - 1
      let line = broken(part, at: margin, indent: margin, isLast ? 1 : 0)
      lines.append(spaces(margin) + (isLast ? line : closed(line, margin)))
    }
    return lines.joined(separator: "\n")
  }

  /// Returns conditions that are joined with `&&`.
  static func conjunction(_ parts: [String], after start: String) -> String {
    let whole = start + parts.joined(separator: " && ")
    if whole.unicodeScalars.count <= longestWhole { return whole }
    let indent = start.prefix { $0 == " " }.count
    let first = start + broken(parts[0], at: start.unicodeScalars.count, indent: indent, parts.count > 1 ? 0 : 1)
    let others = parts.dropFirst().map { part in
      spaces(indent + 2) + "&& " + broken(part, at: indent + 5, indent: indent + 2, 1)
    }
    return ([first] + others).joined(separator: "\n")
  }

  private static func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }

  /// Puts the parenthesis at the end of a call of several lines on a line of its own.
  private static func closed(_ call: String, _ indent: Int) -> String {
    // The brackets of a collection that is the only argument stay beside the parentheses.
    guard let first = call.firstIndex(of: "\n"), !call[..<first].hasSuffix("([") else { return call }
    return "\(call.dropLast())\n\(spaces(indent)))"
  }

  /// Returns an expression on several lines if it doesn't fit on one.
  ///
  /// - Parameters:
  ///   - column: The number of characters before the expression.
  ///   - indent: The indentation of its line.
  ///   - reserve: The number of characters that follow on its last line.
  private static func broken(_ text: String, at column: Int, indent: Int, _ reserve: Int) -> String {
    // The formatter leaves room for the commas that collections of several lines end with.
    guard column + text.unicodeScalars.count + reserve > (text.contains("[") ? width - 4 : width) else { return text }
    let scan = Scan(text)
    if let colon = scan.colon {
      let (label, value) = (text[...colon], String(text[text.index(colon, offsetBy: 2)...]))
      guard value.unicodeScalars.first == "\"" else {
        return "\(label) \(broken(value, at: column + label.unicodeScalars.count + 1, indent: indent, reserve))"
      }
      let isShort = indent + 2 + value.unicodeScalars.count + reserve <= width
      if !isShort, label.unicodeScalars.first == "\"" { return "\(label) \(block(value, indent))" }
      return "\(label)\n\(spaces(indent + 2))\(isShort ? value : block(value, indent + 2))"
    }
    if text.unicodeScalars.first == "\"" { return block(text, indent) }
    guard let open = scan.open, let close = scan.close else { return text }
    let (head, tail) = (text[...open], String(text[close...]))
    let items = scan.items
    let margin = indent + 2
    if text[open] == "(", items.count == 1, items[0].hasPrefix("[") {
      return head
        + broken(items[0], at: column + head.unicodeScalars.count, indent: indent, tail.unicodeScalars.count + reserve)
        + tail
    }
    let lines = items.enumerated().map { number, item in
      spaces(margin)
        + broken(item, at: margin, indent: margin, number == items.count - 1 ? tail.unicodeScalars.count + reserve : 1)
    }
    let end =
      text[open] == "["
      ? "\(items.count > 1 ? "," : "")\n\(spaces(indent))" : head == "(" ? "\n\(spaces(indent))" : ""
    return "\(head)\n\(lines.joined(separator: ",\n"))\(end)\(tail)"
  }

  /// Returns a literal, and what follows it, as a literal of several lines.
  private static func block(_ text: String, _ indent: Int) -> String {
    let end = Scan(text).literal ?? text.endIndex
    let margin = spaces(indent)
    var lines: [String] = []
    var line = String.UnicodeScalarView()
    for unit in units(text.unicodeScalars[..<end].dropFirst().dropLast()) {
      // The last character of a line is a backslash.
      if indent + line.count + unit.count + 1 > width {
        lines.append("\(margin)\(line)\\")
        line.removeAll()
      }
      line += unit
    }
    lines.append("\(margin)\(line)")
    return "\"\"\"\n\(lines.joined(separator: "\n"))\n\(margin)\"\"\"\(text[end...])"
  }

  /// Returns the scalars of a literal's content, with each escape as one.
  private static func units(_ content: Substring.UnicodeScalarView) -> [Substring.UnicodeScalarView] {
    var units: [Substring.UnicodeScalarView] = []
    var rest = content
    while let first = rest.first {
      var count = first == "\\" ? 2 : 1
      if rest.starts(with: "\\u{".unicodeScalars), let brace = rest.firstIndex(of: "}") {
        count = rest.distance(from: rest.startIndex, to: brace) + 1
      }
      units.append(rest.prefix(count))
      rest = rest.dropFirst(count)
    }
    return units
  }

  /// The outermost parts of an expression.
  private struct Scan {
    /// The end of the literal with which the expression begins.
    private(set) var literal: String.Index?
    /// The colon after a label or a key.
    private(set) var colon: String.Index?
    /// The first bracket, and the one that closes it.
    private(set) var open: String.Index?
    private(set) var close: String.Index?
    /// What is between the brackets, divided by commas.
    private(set) var items: [String] = []

    init(_ text: String) {
      // A quotation mark and a mark that combines with it are one character.
      let scalars = text.unicodeScalars
      var (depth, isInLiteral, isEscaped) = (0, false, false)
      var start = scalars.startIndex
      for (index, scalar) in zip(scalars.indices, scalars) {
        if isEscaped {
          isEscaped = false
        } else if isInLiteral {
          isEscaped = scalar == "\\"
          guard scalar == "\"" else { continue }
          isInLiteral = false
          if literal == nil, scalars.first == "\"" { literal = scalars.index(after: index) }
        } else {
          switch scalar {
          case "\"": isInLiteral = true
          case "(", "[":
            if depth == 0, open == nil { (open, start) = (index, scalars.index(after: index)) }
            depth += 1
          case ")", "]":
            depth -= 1
            guard depth == 0, close == nil else { continue }
            close = index
            if start < index { items.append(String(scalars[start..<index])) }
          case "," where depth == 1 && close == nil:
            items.append(String(scalars[start..<index]))
            start = scalars.index(index, offsetBy: 2)
          case ":" where depth == 0 && colon == nil && open == nil: colon = index
          default: break
          }
        }
      }
    }
  }
}
