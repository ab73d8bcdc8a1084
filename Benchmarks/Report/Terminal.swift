import Foundation

enum Terminal {
  /// Writes a line to the standard error.
  static func warn(_ line: String) { FileHandle.standardError.write(Data((line + "\n").utf8)) }
}
