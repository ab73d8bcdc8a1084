import Foundation

/// The output of a run: tables on the standard output, and problems on the standard error.
enum Terminal {
  static func print(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

  static func warn(_ line: String) { FileHandle.standardError.write(Data((line + "\n").utf8)) }
}
