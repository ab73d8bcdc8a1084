import Foundation
import StubKitArchive
import StubKitCommandLine

/// Removes the entries that nobody needs any more from an archive.
struct Prune: Command {
  static let name = "prune"
  static let usage = "prune FILE … [--unused REPORT] [--older-than DAYS] [--dry-run]"
  static let summary = "Removes entries that no test used, and old entries."
  static let options = [
    "--unused REPORT       removes what no test used, according to the file that",
    "                      STUBKIT_UNUSED=REPORT swift test writes",
    "--older-than DAYS     removes entries that are older than DAYS days",
    "-n, --dry-run         prints what would be removed, but removes nothing",
  ]

  private let files: [InputFile]
  private let report: URL?
  private let oldest: Date?
  private let isDry: Bool

  init(_ arguments: Arguments) throws(Mistake) {
    var arguments = arguments
    report = try arguments.takeValue("--unused", what: "a file").map { URL(fileURLWithPath: $0) }
    if let text = try arguments.takeValue("--older-than", what: "a number of days") {
      guard let days = Double(text), days >= 0 else { throw Mistake("--older-than \(text) is not a number of days.") }
      oldest = Date(timeIntervalSinceNow: -days * 86_400)
    } else {
      oldest = nil
    }
    guard report != nil || oldest != nil else {
      throw Mistake("Choose what to remove: pass --unused REPORT or --older-than DAYS.")
    }
    isDry = arguments.takeFlag("-n", "--dry-run")
    files = try arguments.files()
  }

  func run(_ console: Console) throws -> Int32 {
    let lines = try report.map { report in
      do { return try UnusedEntries.read(report) } catch {
        throw FileProblem("\(report.path) can't be read: \(FileProblem.reading(report) ?? FileProblem.reason(error))")
      }
    }
    for file in files {
      let document = try file.document(console)
      var removed = unused(in: file, document.archive, lines, console)
      if let oldest { removed.formUnion(old(in: file, document.archive, before: oldest, console)) }
      try remove(removed, from: document, in: file, console)
    }
    return 0
  }

  private func old(
    in file: InputFile, _ archive: HTTPArchive, before oldest: Date, _ console: Console
  ) -> Set<Int> {
    let entries = zip(1..., archive.entries)
    for (number, entry) in entries {
      guard let start = entry.unreadableStart else { continue }
      console.warn(
        "\(file.name) keeps entry \(number), because its start \(start.prefix(60).debugDescription) is not a date."
          .withoutControls)
    }
    return Set(entries.filter { $0.1.unreadableStart == nil && $0.1.startedAt < oldest }.map(\.0))
  }

  /// Returns the numbers of the entries that no run used.
  private func unused(
    in file: InputFile, _ archive: HTTPArchive, _ lines: [UnusedEntries]?, _ console: Console
  ) -> Set<Int> {
    guard let lines, let url = file.url else { return [] }
    let path = url.resolvingSymlinksInPath().standardizedFileURL.path
    let own = lines.filter {
      URL(fileURLWithPath: $0.recording).resolvingSymlinksInPath().standardizedFileURL.path == path
    }
    let name = file.name
    if own.isEmpty {
      console.warn(
        "\(name) is not in the report, because no test played it. If no test uses it any more, remove the file.")
    } else if !own.allSatisfy(\.complete) {
      console.warn(
        "\(name) keeps its entries, because a test that played it failed. Fix the test, and run the tests again.")
    } else if own.contains(where: { $0.entries != archive.entries.count }) {
      console.warn(
        "\(name) keeps its entries, because it has changed since the report was written. Run the tests again.")
    } else {
      return Set(UnusedEntries.removable(in: own).values.first ?? [])
    }
    return []
  }

  private func remove(
    _ numbers: Set<Int>, from document: ArchiveDocument, in file: InputFile, _ console: Console
  ) throws {
    let (name, count) = (file.name, document.archive.entries.count)
    // The result goes to standard output, so what is said about it goes elsewhere.
    let say: (String) throws -> Void = file.url == nil ? { console.warn($0) } : { try console.print($0) }
    if numbers.isEmpty {
      try say("\(name) keeps all of its \(entries(count)).")
    } else {
      let list = numbers.sorted().map(String.init).joined(separator: ", ")
      try say("\(name) \(isDry ? "would lose" : "loses") \(numbers.count) of its \(entries(count)): \(list).")
    }
    guard !isDry else { return }
    var rest = document
    try rest.remove(numbers)
    guard let url = file.url else { return try console.print(raw: rest.data) }
    guard !numbers.isEmpty else { return }
    try rest.write(to: url)
    if numbers.count == count {
      try FileManager.default.removeItem(at: url)
      try say("\(name) had no other entries and was removed.")
    }
  }

  private func entries(_ count: Int) -> String { count.asCount("entry", "entries") }
}
