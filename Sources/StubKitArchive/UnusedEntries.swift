import Foundation

/// The entries that one run of a recording didn't use: a line of the file that `STUBKIT_UNUSED` names.
///
/// Each line of the file is a JSON object. StubKit appends it when it has played a recording:
///
///     {"complete":true,"entries":5,"recording":"/home/me/App/Tests/AppTests/Recordings/users.har","unused":[2,5]}
///
/// - `recording` is the path of the archive.
/// - `entries` is the number of its entries.
/// - `unused` contains the numbers of the unused entries, from 1.
/// - `complete` is `false` if the test ended with an error, because it may have stopped before it used them.
///
/// Several tests can play one recording. An entry can be removed if every line lists it, all lines are complete, and
/// all agree on the number of entries. ``removable(in:)`` finds these entries.
package struct UnusedEntries: Sendable, Hashable, Codable {
  package var recording: String
  package var entries: Int
  package var unused: [Int]
  package var complete: Bool

  package init(recording: String, entries: Int, unused: [Int], complete: Bool) {
    self.recording = recording
    self.entries = entries
    self.unused = unused
    self.complete = complete
  }

  /// Returns the lines of a file. It skips invalid lines, such as one that was cut off when a process died.
  package static func read(_ file: URL) throws -> [UnusedEntries] {
    try Data(contentsOf: file).split(separator: UInt8(ascii: "\n")).compactMap {
      try? JSONDecoder().decode(UnusedEntries.self, from: Data($0))
    }
  }

  /// Returns the numbers of the entries that no run used, in ascending order, by the path of their recording.
  package static func removable(in lines: [UnusedEntries]) -> [String: [Int]] {
    Dictionary(grouping: lines, by: \.recording).compactMapValues { lines in
      guard lines.allSatisfy(\.complete), Set(lines.map(\.entries)).count == 1 else { return nil }
      let common = lines.dropFirst().reduce(Set(lines[0].unused)) { $0.intersection($1.unused) }
      return common.isEmpty ? nil : common.sorted()
    }
  }

  /// Appends the whole line, even if other processes append at the same time.
  package func append(to file: URL) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let line = try encoder.encode(self) + Data("\n".utf8)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    let descriptor = open(file.path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    defer { close(descriptor) }
    while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
    try FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).write(contentsOf: line)
  }
}
