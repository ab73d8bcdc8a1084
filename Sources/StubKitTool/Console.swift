import Foundation

/// The output of the tool.
struct Console: Sendable {
  let print: @Sendable (String) -> Void
  let warn: @Sendable (String) -> Void

  static let standard = Console(
    print: { Swift.print($0) },
    warn: { FileHandle.standardError.write(Data(($0 + "\n").utf8)) })

  /// Prints a value in one line.
  func print(json value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    print(String(decoding: try encoder.encode(value), as: UTF8.self))
  }
}
