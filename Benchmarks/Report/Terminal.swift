import Foundation

/// The output of a run: tables on the standard output, and a temporary line of progress on the standard error.
enum Terminal {
  static func print(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

  static func warn(_ line: String) { FileHandle.standardError.write(Data((line + "\n").utf8)) }

  /// Shows the current work, or nothing. Only a terminal shows it.
  static func progress(_ text: String?) {
    guard isatty(STDERR_FILENO) == 1 else { return }
    let line = text.map { "\u{1B}[2m\($0) …\u{1B}[0m" } ?? ""
    FileHandle.standardError.write(Data("\r\u{1B}[2K\(line)".utf8))
  }
}
