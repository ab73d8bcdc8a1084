import Foundation
import Testing

/// A page that users read: the README, or a guide.
struct Page: CustomTestStringConvertible, Sendable {
  let name: String
  let text: String
  var testDescription: String { name }

  private init(_ name: String, _ url: URL) throws {
    self.name = name
    text = try String(contentsOf: url, encoding: .utf8)
  }

  static let readme = try! Page("Readme", package.appendingPathComponent("README.md"))

  /// The page for contributors that says what is promised about speed.
  static let promises = try! Page("Promises", package.appendingPathComponent("Documentation/Performance/README.md"))

  /// What is in the catalogues, the landing pages included. The folder of the reference only lists symbols.
  static let guides = files(below: "Sources", "md").filter { $0.path.contains(".docc/") }
    .filter { $0.deletingLastPathComponent().lastPathComponent != "Reference" }
    .map { url in try! Page(url.deletingPathExtension().lastPathComponent, url) }

  static func guide(_ name: String) -> Page { guides.first { $0.name == name }! }

  /// The blocks of Swift, but for a package's manifest.
  var examples: [String] { blocks("swift").filter { !$0.contains(".package(") } }

  /// The blocks in no language: what is printed.
  var printed: [String] { blocks("") }

  /// The lines of Swift. What is printed wraps on the site.
  var lines: [Substring] { blocks("swift").flatMap { $0.split(separator: "\n") } }

  /// The rows of the table whose first line begins so, without its head.
  func table(after head: String) -> [[String]] {
    text.split(separator: "\n", omittingEmptySubsequences: false).drop { !$0.hasPrefix(head) }.prefix {
      $0.hasPrefix("|")
    }
    .dropFirst(2).map { row in
      row.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
        .map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }

  private func blocks(_ language: String) -> [String] {
    var (blocks, block): ([String], [Substring]?) = ([], nil)
    var isWanted = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      guard line.hasPrefix("```") else {
        block?.append(line)
        continue
      }
      if let whole = block {
        if isWanted { blocks.append(whole.joined(separator: "\n")) }
        block = nil
      } else {
        isWanted = line.dropFirst(3) == language
        block = []
      }
    }
    return blocks
  }

  /// The code that compiles and runs what the pages show.
  static let tests = files(below: "Documentation/Examples/Tests", "swift")
    .map { try! String(contentsOf: $0, encoding: .utf8) }

  /// The folder that all of this is in.
  static let package = URL(fileURLWithPath: "\(#filePath)").deletingLastPathComponent()
    .appendingPathComponent("../../../../..").standardizedFileURL

  private static func files(below folder: String, _ type: String) -> [URL] {
    let files = FileManager.default.enumerator(
      at: package.appendingPathComponent(folder), includingPropertiesForKeys: nil)!
    return files.compactMap { $0 as? URL }.filter { $0.pathExtension == type }.sorted { $0.path < $1.path }
  }
}
