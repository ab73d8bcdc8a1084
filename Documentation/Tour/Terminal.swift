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

  /// A Boolean value that indicates whether somebody is watching, so that a line can change after it was written.
  static let isInteractive =
    isatty(STDOUT_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"

  /// Escape sequences are for people. Files, pipes and users who set NO_COLOR (https://no-color.org) get none.
  private static let isStyled =
    isatty(STDOUT_FILENO) == 1 && (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty

  static func style(_ text: String, _ styles: Style...) -> String {
    guard isStyled else { return text }
    return "\u{1B}[" + styles.map { String($0.rawValue) }.joined(separator: ";") + "m" + text + "\u{1B}[0m"
  }

  /// Writes a line in place of the current one.
  static func rewrite(_ line: String) {
    print("\r\u{1B}[2K" + line, terminator: "")
    fflush(nil)
  }

  /// Pauses so that somebody who is watching can see something. Does nothing for a file or a pipe.
  static func pause(_ duration: Duration) async {
    if isInteractive { try? await Task.sleep(for: duration) }
  }

  /// A time on a clock in seven columns, such as `20.3 s`.
  static func seconds(_ duration: Duration) -> String { String(format: "%5.1f s", duration / .seconds(1)) }

  /// Returns an indented line, broken between words where it would be too long.
  ///
  /// - Parameter hanging: The additional indentation after a break.
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

  /// Returns the text, padded with spaces to a number of columns.
  static func column(_ text: String, _ columns: Int) -> String {
    text + String(repeating: " ", count: max(1, columns - text.count))
  }
}
