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
  ///   - width: The columns of the terminal.
  ///   - isFull: Whether standard output takes nothing.
  init(_ arguments: [String], input: Data = Data(), width: Int = 80, isFull: Bool = false) {
    let output = ToolOutput()
    status = Tool.run(arguments, output.console(input: input, width: width, isFull: isFull))
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

  func console(input: Data = Data(), width: Int = 80, isFull: Bool = false) -> Console {
    Console(
      write: { [lines] bytes in
        if isFull { throw POSIXError(.ENOSPC) }
        lines.withLock { $0.text += String(decoding: bytes, as: UTF8.self) }
      }, warn: { [lines] line in lines.withLock { $0.warnings.append(line) } }, read: { input }, width: width)
  }
}

/// A folder with copies of the archives, gone when the test lets go of it.
final class Workplace: Sendable {
  let folder = temporaryPlace()

  init(_ archives: String...) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for name in archives {
      let source = Bundle.module.resourceURL!.appendingPathComponent("Archives/\(name)")
      try FileManager.default.copyItem(at: source, to: folder.appendingPathComponent(name))
    }
  }

  deinit { removePlace(folder) }

  /// The path of a file in the folder.
  func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  func text(_ name: String) throws -> String { try String(contentsOfFile: path(name), encoding: .utf8) }

  /// Of the files in the folder, in order.
  var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted() }
}
