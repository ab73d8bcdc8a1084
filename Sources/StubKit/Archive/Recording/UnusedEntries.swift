import Foundation

/// What one run of a recording did not ask for: a line of the file that `STUBKIT_UNUSED` names.
///
/// The file has a JSON object in each line, appended when a recording that was played comes to its end:
///
///     {"complete":true,"entries":5,"recording":"/home/me/App/Tests/AppTests/Recordings/users.har","unused":[2,5]}
///
/// - `recording` is the path of the archive.
/// - `entries` is the number of its entries.
/// - `unused` has the numbers of the entries that no request asked for, counted from 1.
/// - `complete` is false if the test ended with an error, so that it may have stopped before it asked for them.
///
/// Several tests may play one recording. An entry can go if no line lacks it, all lines are complete, and all agree on the number of
/// entries: ``removable(in:)`` finds those.
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

  /// The lines of a file. A line that is none is left out, such as one that was cut off when a process died.
  package static func read(_ file: URL) throws -> [UnusedEntries] {
    try Data(contentsOf: file).split(separator: UInt8(ascii: "\n")).compactMap {
      try? JSONDecoder().decode(UnusedEntries.self, from: Data($0))
    }
  }

  /// The numbers of the entries, in ascending order, that no run asked for, by the path of their recording.
  package static func removable(in lines: [UnusedEntries]) -> [String: [Int]] {
    Dictionary(grouping: lines, by: \.recording).compactMapValues { lines in
      guard lines.allSatisfy(\.complete), Set(lines.map(\.entries)).count == 1 else { return nil }
      let common = lines.dropFirst().reduce(Set(lines[0].unused)) { $0.intersection($1.unused) }
      return common.isEmpty ? nil : common.sorted()
    }
  }

  /// Appends the line, whole, whoever else does so at the same time.
  func append(to file: URL) throws {
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
