import Foundation

/// The output of the tool.
struct Console: Sendable {
  let print: @Sendable (String) -> Void
  let warn: @Sendable (String) -> Void

  static let standard = Console(
    print: { Swift.print($0) },
    warn: { FileHandle.standardError.write(Data(($0 + "\n").utf8)) })
}
