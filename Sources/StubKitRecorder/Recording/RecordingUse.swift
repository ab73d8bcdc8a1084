import Foundation
import StubKit
import StubKitArchive

/// A recording in use in one registry: the stubs that play it, or the recorder that records it.
package final class RecordingUse: ScopedUse {
  private let recording: Recording
  private let file: RecordingFile?
  private let registry: StubRegistry
  /// The test or the code that uses it.
  private let user: RecordingUser
  private let surroundings: RecordingSurroundings
  private let mode: RecordingMode
  /// The archive to play or to compare with.
  private let played: HTTPArchive?
  private let stubs: [Stub]
  private let recorder: ArchiveRecorder?
  /// Whether this use has the only claim to write the file.
  private let writes: Bool
  /// The recording in its registry. The tasks in which `RecordingInUse.current` names it are inside of it.
  let frame: RecordingInUse

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
    let user = RecordingUser(location: location, filter: filter)
    let writes = try file.map { file throws(RecordingError) in try Self.claim(file, mode, by: user) } ?? false
    var isBegun = false
    defer { if !isBegun, writes, let file { RecordingClaims.release(file) } }
    let played = try file.flatMap { file throws(RecordingError) in try Self.read(file, mode, writes, filter) }
    for problem in played?.problems ?? [] { surroundings.say(problem.description) }
    self.recording = recording
    self.registry = registry
    self.user = user
    self.file = file
    self.mode = mode
    self.played = played
    self.writes = writes
    recorder = writes || mode == .check ? ArchiveRecorder() : nil
    let shown = ReportRedaction(recording.redacting)
    if recorder != nil || mode == .live {
      frame = RecordingInUse(recorder, filter: shown, unmatched: .passThrough, isOfTest: isOfTest)
    } else {
      // Replaying never uses the network.
      let isOpen = if case .passThrough = registry.unmatched.kind { true } else { false }
      let remedy = RecordingFile.command(.newEpisodes, filter: filter)
      frame = RecordingInUse(filter: shown, unmatched: isOpen ? .fail : nil, remedy: remedy, isOfTest: isOfTest)
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
    _ file: RecordingFile, _ mode: RecordingMode, by user: RecordingUser
  ) throws(RecordingError) -> Bool {
    let isWanted = mode == .all || mode == .newEpisodes || mode == .once && file.existing(bundleFirst: false) == nil
    guard isWanted else { return false }
    try RecordingClaims.claim(file, by: user, replaces: mode == .all)
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

  package func stop() {
    registry.end(frame)
    registry.retire(stubs)
    recorder?.stop()
  }

  /// Ends the use, and writes the recorded entries. Blocks the thread while another process replaces the file.
  ///
  /// - Parameter reason: Why what was recorded goes into a file beside the recording, or `nil` if it replaces it.
  package func end(because reason: String?) throws {
    defer { giveBack() }
    guard var writing = try conclude(reason) else { return }
    while try !attempt(&writing) { usleep(RecordingLock.pause) }
  }

  /// Ends the use, and writes the recorded entries. Suspends the task while another process replaces the file.
  package func end(because reason: String?) async throws {
    defer { giveBack() }
    guard var writing = try conclude(reason) else { return }
    while try !attempt(&writing) { await RecordingLock.suspend() }
  }

  private func giveBack() { if writes, let file { RecordingClaims.release(file) } }

  /// What is to be written to the file.
  private struct Writing {
    let file: RecordingFile
    let entries: [HTTPArchive.Entry]
    let unfinishedCount: Int
    /// The entries that are left out, because a body is too long.
    let long: [HTTPArchive.Entry]
    /// What replaces the current bytes of the file.
    var draft: Draft?
    var attemptCount = 0

    /// What was written, in a line.
    func line(about report: Replacements) -> String {
      let cancelled = entries.count { $0.error?.code == .cancelled }
      let failed = entries.count { $0.error != nil } - cancelled
      return "Recorded \(entries.count.requests) to \(file.url.path) (\(failed == 0 ? "" : "\(failed) failed, ")"
        + "\(cancelled == 0 ? "" : "\(cancelled) cancelled, ")\(report.summary)"
        + "\(unfinishedCount == 0 ? "" : ", \(unfinishedCount.requests) left out as unfinished"))"
    }
  }

  /// What a file will have, without secrets.
  private struct Draft {
    /// The current bytes of the file, if the recording adds to them.
    let old: Data?
    let archive: HTTPArchive
    let report: Replacements
    /// A sentence about each thing that is left out of the archive. It then goes beside the recording.
    let problems: [String]
  }

  /// Returns what remains to be written to the recording, or `nil` if there is nothing.
  private func conclude(_ reason: String?) throws(RecordingError) -> Writing? {
    guard let recorder, let file else { return nil }
    let (recorded, unfinishedCount) = recorder.contents
    if mode == .check {
      try check(recorded, file, isWhole: reason == nil)
      return nil
    }
    let entries = recorded.filter { $0.statedObstacle == nil }
    func keptAside() -> String? { entries.isEmpty ? nil : keepAside(draft(of: entries, file), of: file) }
    if let reason {
      surroundings.say(file.keptAside(because: reason, keptAside()))
      return nil
    }
    let long = recorded.filter { $0.statedObstacle != nil }
    if entries.isEmpty, !long.isEmpty { throw file.tooLong(long, isWritten: false) }
    if mode == .newEpisodes && entries.isEmpty && played != nil { return nil }
    let isWorthless = entries.isEmpty || mode == .all && entries.allSatisfy { $0.response == nil }
    if isWorthless, FileManager.default.fileExists(atPath: file.url.path) {
      throw file.nothingRecorded(failedCount: entries.count, unfinishedCount: unfinishedCount, keptAside())
    }
    return Writing(file: file, entries: entries, unfinishedCount: unfinishedCount, long: long)
  }

  /// Writes the recording, if no other process replaces the file now, or has replaced it since it was read.
  ///
  /// - Throws: An error if it can't be written, or after it was written without an entry.
  private func attempt(_ writing: inout Writing) throws(RecordingError) -> Bool {
    let file = writing.file
    writing.attemptCount += 1
    let draft = writing.draft ?? draft(of: writing.entries, file)
    writing.draft = draft
    guard draft.problems.isEmpty else {
      throw file.notWritten("it would not be played as it was recorded.", keepAside(draft, of: file))
    }
    if !surroundings.replacesFiles, FileManager.default.fileExists(atPath: file.url.path) {
      throw file.notWritten("the file was made meanwhile.", keepAside(draft, of: file))
    }
    let isWritten: Bool?
    do {
      isWritten = try RecordingLock.attempt(file.url) {
        guard bytesToKeep(of: file) == draft.old else { return false }
        try draft.archive.write(to: file.url)
        return true
      }
    } catch { throw file.unwritable(error, keepAside(draft, of: file)) }
    guard isWritten == true else {
      if isWritten == false { writing.draft = nil }
      if writing.attemptCount < RecordingLock.mostAttempts { return false }
      let folder = file.url.deletingLastPathComponent().path
      let cause = "another process has locked the folder \(folder) for a minute. End that process."
      throw file.notWritten(cause, keepAside(draft, of: file))
    }
    RecordingClaims.noteWriter(user, of: file)
    try? FileManager.default.removeItem(at: file.failed)
    surroundings.say(writing.line(about: draft.report))
    if let kept = draft.report.keptSummary {
      surroundings.say("\(kept); stubkit redact \(file.url.lastPathComponent) --explain lists them.")
    }
    if !writing.long.isEmpty { throw file.tooLong(writing.long, isWritten: true) }
    return true
  }

  /// Writes what was recorded into a file of its own, because the old recording may be the better one.
  ///
  /// - Returns: Sentences that say where it is, or why it is nowhere, and what is left out.
  private func keepAside(_ draft: Draft, of file: RecordingFile) -> String {
    var place = "What it has recorded\(draft.problems.isEmpty ? "" : " besides") "
    do { place += "is in \(try file.writeAside(draft.archive).path)" } catch {
      place += "can't be written: \(error.sentence)"
    }
    return (draft.problems + [place]).joined(separator: "\n")
  }

  /// Returns the current bytes of the file, if the recording adds to them.
  private func bytesToKeep(of file: RecordingFile) -> Data? {
    mode == .newEpisodes ? try? Data(contentsOf: file.url) : nil
  }

  /// Returns the archive to write, without secrets and without entries that would no longer be found on replay.
  private func draft(of entries: [HTTPArchive.Entry], _ file: RecordingFile) -> Draft {
    let old = bytesToKeep(of: file)
    var problems: [String] = []
    var before: HTTPArchive?
    if mode == .newEpisodes {
      // The bundle can have a recording where the folder has none.
      do { before = try old.map { try HTTPArchive($0, in: file.url) } ?? played } catch {
        problems.append("the file can't be read any more: \(error.sentence)")
      }
    }
    var original = HTTPArchive(entries: (before?.entries ?? []) + entries)
    while true {
      let (redacted, report) = original.redactedAndReported(recording.redacting)
      let proof = RedactionProof(of: redacted, against: original, recording.redacting, report, recording.comparison)
      guard let problem = proof.problem else {
        return Draft(old: old, archive: redacted, report: report, problems: problems)
      }
      problems += [problem.sentence, proof.advice].filter { !$0.isEmpty }
      // If nobody knows which entry makes the archive unreadable, there is nothing to keep.
      if problem.entry == 0 { original.entries = [] } else { original.entries.remove(at: problem.entry - 1) }
    }
  }

  /// Compares what came from the network with the recording.
  private func check(_ live: [HTTPArchive.Entry], _ file: RecordingFile, isWhole: Bool) throws(RecordingError) {
    guard let played else { return }
    let check = RecordingCheck(of: live, against: played, recording)
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
    for line in check.differences + (isWhole ? check.unasked : []) where !surroundings.warn(line, user.location) {
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
