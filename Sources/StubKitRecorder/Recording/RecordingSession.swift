import Foundation
import StubKit
import StubKitArchive

/// A recording in use in one registry: the stubs that play it, or the recorder that records it.
package final class RecordingSession: Sendable {
  private let recording: Recording
  private let file: RecordingFile?
  private let registry: StubRegistry
  private let surroundings = RecordingSurroundings.current
  /// The archive to play, and its location.
  private let played: (archive: HTTPArchive, url: URL)?
  private let stubs: [Stub]
  private let recorder: ArchiveRecorder?
  /// Whether to keep old entries.
  private let isAddition: Bool
  private let before: (unmatched: UnmatchedPolicy, recorder: (any ExchangeRecorder)?)

  /// Starts to play or to record.
  ///
  /// - Parameters:
  ///   - location: The location of its use.
  ///   - filter: The filter that selects the test on the command line, or `nil` if it isn't known.
  package init(
    _ recording: Recording, in registry: StubRegistry, at location: StubLocation, filter: String?
  ) throws(RecordingError) {
    let mode = try surroundings.mode(of: recording)
    let file = mode == .live ? nil : try RecordingFile(recording)
    let records = try file.map { file throws(RecordingError) in try Self.claim(file, mode, at: location) } ?? false
    let played: (HTTPArchive, URL)?
    do throws(RecordingError) {
      played = try file.flatMap { file throws(RecordingError) in try Self.read(file, mode, records, filter) }
    } catch {
      if records, let file { RecordingClaims.shared.release(file) }
      throw error
    }
    self.recording = recording
    self.file = file
    self.registry = registry
    self.played = played
    isAddition = mode == .newEpisodes
    recorder = records ? ArchiveRecorder() : nil
    before = (registry.unmatched, registry.recorder)
    registry.recorder = recorder
    if records || mode == .live {
      registry.unmatched = .passThrough
    } else if case .passThrough = registry.unmatched.kind {
      // Replaying never uses the network.
      registry.unmatched = .fail
    }
    stubs =
      played.map {
        replay($0.0, matching: recording.matching, timing: recording.timing, in: registry, at: location)
      } ?? []
  }

  /// Returns whether this use records. It then holds the only claim to the file.
  private static func claim(
    _ file: RecordingFile, _ mode: RecordingMode, at location: StubLocation
  ) throws(RecordingError) -> Bool {
    let isWanted = mode == .all || mode == .newEpisodes || mode == .once && file.existing(bundleFirst: false) == nil
    guard isWanted else { return false }
    try RecordingClaims.shared.claim(file, at: location)
    // Another test may have recorded it before this use had the claim.
    guard mode == .once, file.existing(bundleFirst: false) != nil else { return true }
    RecordingClaims.shared.release(file)
    return false
  }

  private static func read(
    _ file: RecordingFile, _ mode: RecordingMode, _ records: Bool, _ filter: String?
  ) throws(RecordingError) -> (HTTPArchive, URL)? {
    if mode == .all { return nil }
    if let url = file.existing(bundleFirst: mode == .replay) { return (try file.read(url), url) }
    if records { return nil }
    throw file.missing(filter: filter)
  }

  /// Ends the use, and writes the recorded entries.
  ///
  /// - Parameter isWhole: Whether the code ended normally. Otherwise, nothing is written.
  package func end(isWhole: Bool) throws(RecordingError) {
    registry.unmatched = before.unmatched
    registry.recorder = before.recorder
    let unused = stubs.indices.filter { stubs[$0].callCount == 0 }
    registry.retire(stubs)
    report(unused.map { $0 + 1 }, isWhole)
    guard let recorder, let file else { return }
    defer { RecordingClaims.shared.release(file) }
    guard isWhole else {
      return surroundings.say(
        "The recording \(file.name.debugDescription) was not written, because the recorded code threw an error. "
          + (FileManager.default.fileExists(atPath: file.url.path)
            ? "The existing recording is unchanged: " : "There is no recording at ")
          + "\(file.url.path)")
    }
    let (entries, unfinishedCount) = recorder.contents
    if isAddition && entries.isEmpty && played != nil { return }
    try write(entries, unfinishedCount, to: file)
  }

  private func write(
    _ entries: [HTTPArchive.Entry], _ unfinishedCount: Int, to file: RecordingFile
  ) throws(RecordingError) {
    let redactedCount: Int
    do {
      redactedCount = try RecordingLock.whileLocked(file.url) {
        var archive = HTTPArchive(entries: entries)
        if isAddition { archive.entries = try oldEntries(of: file) + archive.entries }
        let (redacted, count) = archive.redactedAndCounted(recording.redacting)
        try file.write(redacted)
        return count
      }
    } catch let error as RecordingError {
      throw error
    } catch {
      throw RecordingError(
        file.name, .unwritable,
        "The recording \(file.name.debugDescription) can't be written to \(file.url.path): \(error.sentence)")
    }
    let unfinished = unfinishedCount == 0 ? "" : ", \(unfinishedCount.requests) left out as unfinished"
    surroundings.say(
      "Recorded \(entries.count.requests) to \(file.url.path) "
        + "(\(redactedCount == 1 ? "1 value" : "\(redactedCount) values") redacted\(unfinished))")
  }

  /// Returns the current entries of the file. Another process may have added some since this use began.
  private func oldEntries(of file: RecordingFile) throws -> [HTTPArchive.Entry] {
    guard FileManager.default.fileExists(atPath: file.url.path) else { return played?.archive.entries ?? [] }
    return try HTTPArchive(contentsOf: file.url).entries
  }

  private func report(_ unused: [Int], _ isWhole: Bool) {
    guard let played, let file, let report = surroundings.unusedFile else { return }
    // The bundle contains only a copy of the file that can be changed.
    let url = FileManager.default.fileExists(atPath: file.url.path) ? file.url : played.url
    let line = UnusedEntries(
      recording: url.standardizedFileURL.path, entries: played.archive.entries.count, unused: unused, complete: isWhole)
    do { try line.append(to: report) } catch {
      surroundings.say("The unused entries can't be written to \(report.path): \(error.sentence)")
    }
  }
}
