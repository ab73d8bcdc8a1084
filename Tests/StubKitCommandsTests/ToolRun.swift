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
    let lines = Lines()
    let console = Console(
      write: { bytes in
        if isFull { throw POSIXError(.ENOSPC) }
        lines.add(String(decoding: bytes, as: UTF8.self), isWarning: false)
      }, warn: { lines.add($0, isWarning: true) }, read: { input }, width: width)
    status = Tool.run(arguments, console)
    let text = lines.all(areWarnings: false).joined()
    printed = text.isEmpty ? [] : (text.hasSuffix("\n") ? String(text.dropLast()) : text).components(separatedBy: "\n")
    warnings = lines.all(areWarnings: true)
  }

  /// Of what was printed.
  var text: String { printed.joined(separator: "\n") }

  private final class Lines: @unchecked Sendable {
    // @unchecked holds because `lines` is touched under the lock only.
    private let lock = NSLock()
    private var lines: [(text: String, isWarning: Bool)] = []

    func add(_ text: String, isWarning: Bool) { lock.withLock { lines.append((text, isWarning)) } }
    func all(areWarnings: Bool) -> [String] {
      lock.withLock { lines.filter { $0.isWarning == areWarnings }.map(\.text) }
    }
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
