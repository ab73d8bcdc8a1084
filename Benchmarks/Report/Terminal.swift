import Foundation

/// The output of a run: tables on the standard output, and a temporary line of progress on the standard error.
enum Terminal {
  private static let isInteractive = isatty(STDERR_FILENO) == 1

  static func print(_ line: String = "") { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

  static func warn(_ line: String) { FileHandle.standardError.write(Data((line + "\n").utf8)) }

  /// Shows the current work. Only a terminal shows it.
  static func progress(_ text: String) {
    guard isInteractive else { return }
    FileHandle.standardError.write(Data("\r\u{1B}[2K\u{1B}[2m\(text) …\u{1B}[0m".utf8))
  }

  static func clearProgress() {
    guard isInteractive else { return }
    FileHandle.standardError.write(Data("\r\u{1B}[2K".utf8))
  }
}
