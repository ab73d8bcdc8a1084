import Foundation

/// A text in a command that a reader copies into a shell.
extension String {
  /// The text as one word of a shell, in single quotes, where only the next quote has a meaning.
  package var inShell: String {
    // An argument can't contain NUL, and no part of HTTP may.
    "'" + replacing("\0", with: "").replacing("'", with: #"'\''"#) + "'"
  }

  /// The same, in quotes only if necessary.
  package var asShellWord: String {
    let isPlain = utf8.allSatisfy { $0.isAlphanumeric || "_./-".utf8.contains($0) }
    return isPlain ? self : inShell
  }
}
