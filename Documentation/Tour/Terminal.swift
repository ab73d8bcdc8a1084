import Foundation

/// Text for a terminal of 80 columns.
enum Terminal {
  enum Style: Int {
    case bold = 1
    case dim = 2
    case red = 31
    case green = 32
    case cyan = 36
  }

  static let width = 80
  static let rule = String(repeating: "─", count: width)

  /// Escape sequences are for people: not for files or pipes, nor for those who set NO_COLOR (https://no-color.org).
  private static let isStyled =
    isatty(STDOUT_FILENO) == 1 && (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty

  static func style(_ text: String, _ styles: Style...) -> String {
    guard isStyled else { return text }
    return "\u{1B}[" + styles.map { String($0.rawValue) }.joined(separator: ";") + "m" + text + "\u{1B}[0m"
  }

  /// The line, indented, and broken between words where it would pass the edge.
  ///
  /// - Parameter hanging: How much further in the line goes on after a break.
  static func wrapped(_ line: String, indent: Int, hanging: Int = 4) -> String {
    let indent = indent + line.prefix { $0 == " " }.count
    var lines: [String] = []
    var current = ""
    for word in line.drop(while: { $0 == " " }).split(separator: " ", omittingEmptySubsequences: false) {
      let margin = lines.isEmpty ? indent : indent + hanging
      if !current.isEmpty && margin + current.count + 1 + word.count > width {
        lines.append(String(repeating: " ", count: margin) + current)
        current = String(word)
      } else {
        current += (current.isEmpty ? "" : " ") + word
      }
    }
    let margin = current.isEmpty ? 0 : lines.isEmpty ? indent : indent + hanging
    return (lines + [String(repeating: " ", count: margin) + current]).joined(separator: "\n")
  }

  /// The text with spaces after it, up to a number of columns.
  static func column(_ text: String, _ columns: Int) -> String {
    text + String(repeating: " ", count: max(1, columns - text.count))
  }
}
