import Foundation
import StubKitArchive

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

  private let files: [URL]
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
    let lines = try report.map { try UnusedEntries.read($0) } ?? []
    for file in files {
      let archive = try HTTPArchive(contentsOf: file)
      var removed = unused(in: file, archive, lines, console)
      if let oldest {
        removed.formUnion(zip(1..., archive.entries).filter { $0.1.startedAt < oldest }.map(\.0))
      }
      try remove(removed, from: archive, in: file, console)
    }
    return 0
  }

  /// Returns the numbers of the entries that no run used.
  private func unused(
    in file: URL, _ archive: HTTPArchive, _ lines: [UnusedEntries], _ console: Console
  ) -> Set<Int> {
    guard report != nil else { return [] }
    let path = file.resolvingSymlinksInPath().standardizedFileURL.path
    let own = lines.filter {
      URL(fileURLWithPath: $0.recording).resolvingSymlinksInPath().standardizedFileURL.path == path
    }
    let name = file.lastPathComponent
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

  private func remove(_ numbers: Set<Int>, from archive: HTTPArchive, in file: URL, _ console: Console) throws {
    let name = file.lastPathComponent
    guard !numbers.isEmpty else { return console.print("\(name) keeps all of its \(entries(archive.entries.count)).") }
    let list = numbers.sorted().map(String.init).joined(separator: ", ")
    let verb = isDry ? "would lose" : "loses"
    console.print("\(name) \(verb) \(numbers.count) of its \(entries(archive.entries.count)): \(list).")
    guard !isDry else { return }
    var rest = archive
    rest.entries = zip(1..., archive.entries).filter { !numbers.contains($0.0) }.map(\.1)
    try rest.write(to: file)
    if rest.entries.isEmpty {
      try FileManager.default.removeItem(at: file)
      console.print("\(name) had no other entries and was removed.")
    }
  }

  private func entries(_ count: Int) -> String { count.asCount("entry", "entries") }
}
