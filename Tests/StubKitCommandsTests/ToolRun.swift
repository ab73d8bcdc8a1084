import Foundation
import TestSupport

@testable import StubKitCommands

/// One run of the tool: what it wrote, and its exit status.
struct ToolRun {
  let status: Int32
  let printed: [String]
  let warnings: [String]

  init(_ arguments: String...) { self.init(arguments) }

  /// - Parameters:
  ///   - input: What comes from standard input.
  ///   - isFull: Whether standard output takes nothing.
  init(_ arguments: [String], input: Data = Data(), isFull: Bool = false) {
    let output = ToolOutput()
    status = Tool.run(arguments, output.console(input: input, isFull: isFull))
    (printed, warnings) = (output.printed, output.warnings)
  }

  /// Of what was printed.
  var text: String { printed.joined(separator: "\n") }
}

/// What a tool prints.
final class ToolOutput: Sendable {
  private let lines = Locked<(text: String, warnings: [String])>(("", []))

  var warnings: [String] { lines.withLock(\.warnings) }
  var printed: [String] {
    let text = lines.withLock(\.text)
    return text.isEmpty ? [] : (text.hasSuffix("\n") ? String(text.dropLast()) : text).components(separatedBy: "\n")
  }

  func console(input: Data = Data(), isFull: Bool = false) -> Console {
    Console(
      write: { [lines] bytes in
        if isFull { throw POSIXError(.ENOSPC) }
        lines.withLock { $0.text += bytes.text }
      }, warn: { [lines] line in lines.withLock { $0.warnings.append(line) } }, read: { input })
  }
}

extension TestFolder {
  /// A folder with a copy of an archive.
  convenience init(copying archive: String) throws {
    try self.init()
    let source = Bundle.module.resourceURL!.appendingPathComponent("Archives/\(archive)")
    try FileManager.default.copyItem(at: source, to: file(archive))
  }

  /// The path of a file in the folder.
  func path(_ name: String) -> String { file(name).path }

  func text(_ name: String) throws -> String { try String(contentsOfFile: path(name), encoding: .utf8) }
}
