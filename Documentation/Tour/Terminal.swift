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

  /// Whether somebody is watching, so that a line may change after it was written.
  static let isInteractive =
    isatty(STDOUT_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"

  /// Escape sequences are for people: not for files or pipes, nor for those who set NO_COLOR (https://no-color.org).
  private static let isStyled =
    isatty(STDOUT_FILENO) == 1 && (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty

  static func style(_ text: String, _ styles: Style...) -> String {
    guard isStyled else { return text }
    return "\u{1B}[" + styles.map { String($0.rawValue) }.joined(separator: ";") + "m" + text + "\u{1B}[0m"
  }

  /// Writes the line in place of the one that the cursor is in.
  static func rewrite(_ line: String) {
    print("\r\u{1B}[2K" + line, terminator: "")
    fflush(nil)
  }

  /// Gives whoever is watching the time to see something; no time to a file or a pipe.
  static func pause(_ duration: Duration) async {
    if isInteractive { try? await Task.sleep(for: duration) }
  }

  /// A time on a clock, as `20.3 s`, in seven columns.
  static func seconds(_ duration: Duration) -> String { String(format: "%5.1f s", duration / .seconds(1)) }

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
