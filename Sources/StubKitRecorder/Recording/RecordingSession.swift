import Foundation
import StubKit
import StubKitArchive

/// A recording in use in one registry: the stubs that play it, or the recorder that records it.
package final class RecordingSession: Sendable {
  private let recording: Recording
  private let file: RecordingFile?
  private let registry: StubRegistry
  private let location: StubLocation
  private let surroundings: RecordingSurroundings
  private let mode: RecordingMode
  /// The archive to play or to compare with.
  private let played: HTTPArchive?
  private let stubs: [Stub]
  private let recorder: ArchiveRecorder?
  /// Whether this use has the only claim to write the file.
  private let writes: Bool
  /// The recording in its registry. The tasks in which `RecordingFrame.current` names it are inside of it.
  let frame: RecordingFrame

  /// Starts to play or to record.
  ///
  /// - Parameters:
  ///   - location: The location of its use.
  ///   - filter: The filter that selects the test on the command line, or `nil` if it isn't known.
  ///   - isOfTest: Whether a whole test uses it, so that all its tasks are inside of it.
  ///   - surroundings: The environment that can change its mode, and the place for messages.
  package init(
    _ recording: Recording, in registry: StubRegistry, at location: StubLocation, filter: String?, isOfTest: Bool,
    surroundings: RecordingSurroundings = .current
  ) throws(RecordingError) {
    self.surroundings = surroundings
    if let mistake = recording.redacting.lazy.compactMap(\.mistake).first {
      throw RecordingError(recording.name, .invalidRedaction, "The recording \"\(recording.name)\": \(mistake)")
    }
    let comparison = recording.comparison
    if let mistake = comparison.mistake {
      throw RecordingError(recording.name, .invalidPart, "The recording \"\(recording.name)\": \(mistake)")
    }
    let mode = try surroundings.mode(of: recording)
    if mode == .check { _ = try surroundings.failsOnDrift(recording) }
    let file = mode == .live ? nil : try RecordingFile(recording)
    let writes = try file.map { file throws(RecordingError) in try Self.claim(file, mode, at: location) } ?? false
    var isBegun = false
    defer { if !isBegun, writes, let file { RecordingClaims.release(file) } }
    let played = try file.flatMap { file throws(RecordingError) in try Self.read(file, mode, writes, filter) }
    for problem in played?.problems ?? [] { surroundings.say(problem.description) }
    self.recording = recording
    self.registry = registry
    self.location = location
    self.file = file
    self.mode = mode
    self.played = played
    self.writes = writes
    recorder = writes || mode == .check ? ArchiveRecorder(recording.redacting) : nil
    if recorder != nil || mode == .live {
      frame = RecordingFrame(recorder, unmatched: .passThrough, isOfTest: isOfTest)
    } else {
      // Replaying never uses the network.
      let isOpen = if case .passThrough = registry.unmatched.kind { true } else { false }
      let remedy = RecordingFile.command(.newEpisodes, filter: filter)
      frame = RecordingFrame(unmatched: isOpen ? .fail : nil, remedy: remedy, isOfTest: isOfTest)
    }
    isBegun = registry.begin(frame)
    guard isBegun else { throw recording.overlaps }
    stubs =
      if mode != .check, let played {
        played.replay(comparison, recording.timing, in: registry, at: location, call: recording.call)
      } else { [] }
  }

  /// Returns whether this use records. It then holds the only claim to the file.
  private static func claim(
    _ file: RecordingFile, _ mode: RecordingMode, at location: StubLocation
  ) throws(RecordingError) -> Bool {
    let isWanted = mode == .all || mode == .newEpisodes || mode == .once && file.existing(bundleFirst: false) == nil
    guard isWanted else { return false }
    try RecordingClaims.claim(file, at: location)
    // Another test may have recorded it before this use had the claim.
    guard mode == .once, file.existing(bundleFirst: false) != nil else { return true }
    RecordingClaims.release(file)
    return false
  }

  private static func read(
    _ file: RecordingFile, _ mode: RecordingMode, _ writes: Bool, _ filter: String?
  ) throws(RecordingError) -> HTTPArchive? {
    if mode == .all { return nil }
    if let url = file.existing(bundleFirst: mode == .replay || mode == .check) { return try file.read(url) }
    if writes { return nil }
    throw file.missing(filter: filter)
  }

  /// Ends the use, and writes the recorded entries. Blocks the thread while another process replaces the file.
  ///
  /// - Parameter isWhole: Whether the code ended normally and its test has not failed. Otherwise, what was recorded
  ///   goes into a file beside the recording.
  package func end(isWhole: Bool) throws(RecordingError) {
    defer { giveBack() }
    guard var writing = try stop(isWhole: isWhole) else { return }
    while try !attempt(&writing) { usleep(RecordingLock.pause) }
  }

  /// Ends the use, and writes the recorded entries. Suspends the task while another process replaces the file.
  package func end(isWhole: Bool) async throws(RecordingError) {
    defer { giveBack() }
    guard var writing = try stop(isWhole: isWhole) else { return }
    while try !attempt(&writing) { await RecordingLock.suspend() }
  }

  private func giveBack() { if writes, let file { RecordingClaims.release(file) } }

  /// What is to be written to the file.
  private struct Writing {
    let file: RecordingFile
    let entries: [HTTPArchive.Entry]
    let unfinishedCount: Int
    /// The first entry that is left out, because a body is too long.
    let long: HTTPArchive.Entry?
    /// What replaces the current bytes of the file.
    var draft: (old: Data?, archive: HTTPArchive, report: Replacements)?
    var attemptCount = 0
  }

  /// Ends the use.
  ///
  /// - Returns: What remains to be written, or `nil` if there is nothing.
  private func stop(isWhole: Bool) throws(RecordingError) -> Writing? {
    registry.end(frame)
    registry.retire(stubs)
    guard let recorder, let file else { return nil }
    if mode == .check {
      try check(recorder, file, isWhole)
      return nil
    }
    let (recorded, unfinishedCount) = recorder.contents
    let entries = recorded.filter { $0.statedObstacle == nil }
    guard isWhole else {
      keepAside(entries, of: file)
      return nil
    }
    let long = recorded.first { $0.statedObstacle != nil }
    if entries.isEmpty, let long { throw file.tooLong(long, isWritten: false) }
    if mode == .newEpisodes && entries.isEmpty && played != nil { return nil }
    if entries.isEmpty, FileManager.default.fileExists(atPath: file.url.path) {
      throw file.nothingRecorded(unfinishedCount: unfinishedCount)
    }
    return Writing(file: file, entries: entries, unfinishedCount: unfinishedCount, long: long)
  }

  /// Writes the recording, if no other process replaces the file now, or has replaced it since it was read.
  ///
  /// - Throws: An error if it can't be written, or after it was written without an entry.
  private func attempt(_ writing: inout Writing) throws(RecordingError) -> Bool {
    let file = writing.file
    writing.attemptCount += 1
    do {
      let draft = try writing.draft ?? draft(of: writing.entries, file)
      writing.draft = draft
      var target = file.url
      let isWritten = try RecordingLock.attempt(file.url) {
        guard bytesToKeep(of: file) == draft.old else { return false }
        let isTaken = !surroundings.replacesFiles && FileManager.default.fileExists(atPath: target.path)
        if isTaken { target = file.unused }
        try draft.archive.write(to: target)
        return true
      }
      guard isWritten == true else {
        if isWritten == false { writing.draft = nil }
        if writing.attemptCount < RecordingLock.mostAttempts { return false }
        let folder = file.url.deletingLastPathComponent().path
        throw file.notWritten(
          .unwritable, because: "another process has locked the folder \(folder) for a minute. End that process.")
      }
      try? FileManager.default.removeItem(at: file.failed)
      let (unfinished, failed) = (writing.unfinishedCount, writing.entries.count { $0.error != nil })
      if target != file.url { surroundings.say("\(file.url.path) was made meanwhile, and stays.") }
      surroundings.say(
        "Recorded \(writing.entries.count.requests) to \(target.path) "
          + "(\(failed == 0 ? "" : "\(failed) failed, ")\(draft.report.summary)"
          + "\(unfinished == 0 ? "" : ", \(unfinished.requests) left out as unfinished"))")
      if let kept = draft.report.keptSummary {
        surroundings.say("\(kept); stubkit redact \(file.url.lastPathComponent) --explain lists them.")
      }
      if let long = writing.long { throw file.tooLong(long, isWritten: true) }
      return true
    } catch let error as RecordingError {
      throw error
    } catch {
      throw file.unwritable(error)
    }
  }

  /// Writes what a failed test has recorded into a file of its own, because the old recording may be the better one.
  private func keepAside(_ entries: [HTTPArchive.Entry], of file: RecordingFile) {
    var place = "What it has recorded is in \(file.failed.path)"
    do { if !entries.isEmpty { try draft(of: entries, file).archive.write(to: file.failed) } } catch {
      place = "What it has recorded can't be written: \(error.sentence)"
    }
    surroundings.say(file.keptAside(entries.isEmpty ? nil : place))
  }

  /// Returns the current bytes of the file, if the recording adds to them.
  private func bytesToKeep(of file: RecordingFile) -> Data? {
    mode == .newEpisodes ? try? Data(contentsOf: file.url) : nil
  }

  /// Returns the archive to write, without secrets, and what was replaced.
  ///
  /// - Throws: A ``RecordingError`` if an entry would no longer be found on replay.
  private func draft(
    of entries: [HTTPArchive.Entry], _ file: RecordingFile
  ) throws -> (old: Data?, archive: HTTPArchive, report: Replacements) {
    var archive = HTTPArchive(entries: entries)
    let old = bytesToKeep(of: file)
    if mode == .newEpisodes {
      // The bundle can have a recording where the folder has none.
      let before = try old.map { try HTTPArchive($0, in: file.url) } ?? played
      archive.entries = (before?.entries ?? []) + archive.entries
    }
    let (redacted, report) = archive.redactedAndReported(recording.redacting)
    let proof = RedactionProof(of: redacted, against: archive, recording.redacting, report, recording.comparison)
    if let problem = proof.problem {
      let sentences = [problem.sentence, proof.advice, "An existing recording is unchanged."]
      throw file.notWritten(.unwritable, because: sentences.joined(separator: "\n"))
    }
    return (old, redacted, report)
  }

  /// Compares what came from the network with the recording.
  private func check(
    _ recorder: ArchiveRecorder, _ file: RecordingFile, _ isWhole: Bool
  ) throws(RecordingError) {
    guard let played else { return }
    let check = RecordingCheck(of: recorder.contents.entries, against: played, recording)
    // A test that has failed already says what is wrong in its own words, which the differences only explain.
    if isWhole, try surroundings.failsOnDrift(recording), !check.differences.isEmpty {
      throw RecordingError(
        file.name, .outdated,
        """
        The network no longer answers as the recording \(file.name.debugDescription) does:
        \((check.differences + check.unasked).joined(separator: "\n"))
        If the change is intended, record it again with STUBKIT_RECORD=all.
        """)
    }
    // A test that stopped early has not asked for everything.
    for line in check.differences + (isWhole ? check.unasked : []) where !surroundings.warn(line, location) {
      surroundings.say(line)
    }
  }
}

extension Recording {
  /// The error of a recording that begins beside another one.
  fileprivate var overlaps: RecordingError {
    RecordingError(
      name, .conflicting,
      "The recording \(name.debugDescription) begins while another one is in use in the same scope, and not inside of it, so "
        + "that a request could belong to either. Open each in a scope of its own: "
        + "withStubs { try await withRecording(…) { … } }.")
  }
}
