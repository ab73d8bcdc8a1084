import Foundation
import StubKit
import StubKitArchive

/// A recording in use in one registry: the stubs that play it, or the recorder that records it.
package final class RecordingUse: ScopedUse {
  private let recording: Recording
  /// The file to write, to which this use has the only claim.
  private let file: RecordingFile?
  private let registry: StubRegistry
  /// The test or the code that uses it.
  private let user: RecordingUser
  private let surroundings: RecordingSurroundings
  private let mode: RecordingMode
  /// Whether it adds to its file, and replaces nothing.
  private let adds: Bool
  /// What it plays, or compares with.
  private let played: ReadRecording?
  /// What is said of the file that it plays or compares with, if that is too old.
  private let expired: String?
  private let stubs: [Stub]
  private let recorder: ArchiveRecorder?
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
    let comparison = recording.comparison
    if let mistake = recording.redacting.lazy.compactMap(\.mistake).first {
      throw RecordingError(recording.name, .invalidRedaction, "The recording \"\(recording.name)\": \(mistake)")
    }
    if let mistake = comparison.mistake {
      throw RecordingError(recording.name, .invalidPart, "The recording \"\(recording.name)\": \(mistake)")
    }
    if let mistake = recording.condition?.mistake ?? recording.expires?.mistake {
      throw RecordingError(recording.name, .invalidPart, "The recording \"\(recording.name)\": \(mistake)")
    }
    let mode = try surroundings.mode(of: recording)
    if mode == .check { _ = try surroundings.failsOnDrift(recording) }
    // Several tests can call a function that records.
    let test = isOfTest ? filter : TestVerdict.current?.test
    let user = RecordingUser(location: location, test: test ?? filter, isFunction: test == nil)
    var (file, earlier, played): (RecordingFile?, RecordingUse?, ReadRecording?)
    var (isBegun, adds, expired) = (false, false, String?.none)
    defer {
      if !isBegun, let file {
        if let earlier { TestVerdict.current?.leave(earlier) } else { RecordingClaims.release(file) }
      }
    }
    if mode != .live {
      let place = try RecordingFile(recording)
      func isSame(_ use: any ScopedUse) -> Bool { (use as? RecordingUse)?.file?.key == place.key }
      earlier =
        TestVerdict.current?.takeBack { use in
          guard isSame(use), let use = use as? RecordingUse else { return false }
          return use.mode == mode
            && use.recording.redacting.map(\.description) == recording.redacting.map(\.description)
        } as? RecordingUse
      if earlier == nil, let other = TestVerdict.current?.left(where: isSame) as? RecordingUse {
        guard [.replay, .once, .check].contains(mode) else { throw place.recordedOtherwise(other.user, user) }
        // Its file comes at the end of the test.
        played = other.archive.map(ReadRecording.init)
      } else {
        let claim: RecordingClaims.Claim
        if let earlier {
          claim = earlier.adds ? .adds : .replaces
        } else {
          claim = try RecordingClaims.claim(place, mode, by: user, isCase: RunningTest.isCase)
        }
        (file, adds) = (claim == .none ? nil : place, claim == .adds)
        played = try place.recording(mode, isWritten: claim != .none, filter: filter)
      }
      if let lifetime = recording.expires, let age = played?.archive.age(beyond: lifetime, at: surroundings.now()) {
        let sentence = place.expired(age: age, lifetime, filter: filter)
        expired = sentence
        if mode != .check, place.isFirstToldAge { surroundings.say(sentence) }
      }
    }
    for problem in played?.archive.problems ?? [] { surroundings.say(problem.description) }
    self.recording = recording
    self.registry = registry
    self.user = user
    self.file = file
    self.mode = mode
    self.adds = adds
    self.played = played
    self.expired = expired
    recorder = file != nil || mode == .check ? earlier?.recorder ?? ArchiveRecorder() : nil
    // Replaying never uses the network.
    let isLive = recorder != nil || mode == .live
    let isOpen = registry.policy.isOpen
    frame = RecordingInUse(
      recorder, where: recording.condition, filter: RedactionRules(recording.redacting),
      unmatched: isLive ? .passThrough : isOpen ? .fail : nil,
      remedy: isLive ? nil : RecordingFile.command(.newEpisodes, filter: filter), isOfTest: isOfTest)
    isBegun = registry.begin(frame)
    guard isBegun else {
      throw RecordingError(
        recording.name, .conflicting,
        "The recording \(recording.name.debugDescription) begins while another one is in use in the same scope, and not "
          + "inside of it, so that a request could belong to either. Open each in a scope of its own: "
          + "withStubs { try await withRecording(…) { … } }.")
    }
    recorder?.accept(true)
    // What an earlier part of the test has recorded is as good as in the file.
    let known = mode == .all || mode == .check ? nil : earlier?.archive.map(ReadRecording.init) ?? played
    stubs =
      known.map { known in
        known.archive.replay(
          ReplayPlan(known.sequences(comparison)), comparison, recording.timing, where: recording.condition,
          in: registry, at: location, call: recording.call)
      } ?? []
  }

  package func stop() {
    registry.end(frame)
    registry.retire(stubs)
    recorder?.accept(false)
    guard let condition = recording.condition, let recorder else { return }
    // They belong to the recording around it, if there is one.
    for entry in recorder.exclude(unless: condition) {
      guard let outer = registry.tap(forEnded: entry.request) as? ArchiveRecorder else { continue }
      outer.end(outer.begin(), entry)
    }
  }

  /// Ends the use, and writes the recorded entries. Blocks the thread while another process replaces the file.
  ///
  /// - Parameter reason: Why what was recorded goes into a file beside the recording, or `nil` if it replaces it.
  package func end(because reason: String?) throws {
    defer { giveBack() }
    guard var draft = try conclude(reason) else { return }
    while try !attempt(&draft) { usleep(RecordingLock.pause) }
  }

  /// Ends the use, and writes the recorded entries. Suspends the task while another process replaces the file.
  package func end(because reason: String?) async throws {
    defer { giveBack() }
    guard var draft = try conclude(reason) else { return }
    while try !attempt(&draft) {
      // Cancelling the task doesn't shorten the pause, because its recording is still written.
      await OwnTasks.make { Task { try? await Task.sleep(for: .microseconds(RecordingLock.pause)) } }.value
    }
  }

  private func giveBack() { if let file { RecordingClaims.release(file) } }

  /// What is to be written to a file, without secrets.
  private struct Draft {
    let file: RecordingFile
    /// The current bytes of the file, if the recording adds to them.
    let old: Data?
    let archive: HTTPArchive
    /// The bytes to write.
    let text: Data
    /// What was replaced in the new entries.
    let report: Replacements
    /// How many values of the old entries a rule would replace, if these were new.
    let oldSecretCount: Int
    /// A sentence about each thing that is left out of the archive. It then goes beside the recording.
    let problems: [String]
    var attemptCount = 0
  }

  /// What was recorded: the entries, those that are left out because a body is too long, and the number of requests
  /// that had not ended.
  private var recorded: (entries: [HTTPArchive.Entry], long: [HTTPArchive.Entry], unfinishedCount: Int) {
    let (entries, unfinishedCount) = recorder?.contents ?? ([], 0)
    return (entries.filter { $0.statedObstacle == nil }, entries.filter { $0.statedObstacle != nil }, unfinishedCount)
  }

  /// What its file will have, as far as it is recorded.
  private var archive: HTTPArchive? {
    guard let file else { return nil }
    var archive = draft(of: recorded.entries, file).archive
    archive.fileName = file.url.lastPathComponent
    return archive
  }

  /// Returns what remains to be written to the recording, or `nil` if there is nothing.
  private func conclude(_ reason: String?) throws(RecordingError) -> Draft? {
    if mode == .check, let live = recorder?.contents.entries { try check(live, isWhole: reason == nil) }
    guard let file else { return nil }
    let (entries, long, unfinishedCount) = recorded
    func keptAside() -> String? { entries.isEmpty ? nil : keepAside(draft(of: entries, file)) }
    if let reason {
      surroundings.say(file.keptAside(because: reason, keptAside()))
      return nil
    }
    if entries.isEmpty, !long.isEmpty { throw file.tooLong(long, isWritten: false) }
    if adds && entries.isEmpty && (mode == .all || played != nil) {
      if unfinishedCount > 0 { surroundings.say(file.unchanged(unfinishedCount: unfinishedCount)) }
      return nil
    }
    let isWorthless = mode == .all && !adds ? entries.allSatisfy { $0.response == nil } : entries.isEmpty
    if isWorthless, file.url.isThere || unfinishedCount > 0 {
      throw file.nothingRecorded(failedCount: entries.count, unfinishedCount: unfinishedCount, keptAside())
    }
    return draft(of: entries, file)
  }

  /// Writes the recording, if no other process replaces the file now, or has replaced it since it was read.
  ///
  /// - Throws: An error if it can't be written, or after it was written without an entry.
  private func attempt(_ draft: inout Draft) throws(RecordingError) -> Bool {
    let file = draft.file
    let (entries, long, unfinishedCount) = recorded
    func check(_ isRight: Bool, or cause: @autoclosure () -> String) throws(RecordingError) {
      if !isRight { throw file.notWritten(cause(), keepAside(draft)) }
    }
    let (folder, isThere) = (file.url.deletingLastPathComponent(), file.url.isThere)
    let names = isThere ? try? FileManager.default.contentsOfDirectory(atPath: folder.path) : nil
    try check(draft.problems.isEmpty, or: "It would not be played as it was recorded.")
    try check(surroundings.replacesFiles || !isThere, or: "The file was made meanwhile, and is unchanged.")
    let other = names.flatMap(file.namesake)
    try check(other == nil, or: "It would replace \(other ?? ""), because case doesn't count here. Rename one of them.")
    let isWritten: Bool?
    do {
      isWritten = try RecordingLock.attempt(file.url) {
        guard bytesToKeep(of: file) == draft.old else { return false }
        try draft.text.writeAsArchive(to: file.url)
        return true
      }
    } catch { throw file.notWritten(error.sentence, keepAside(draft)) }
    guard isWritten == true else {
      let count = draft.attemptCount + 1
      try check(
        count < RecordingLock.mostAttempts,
        or: "Another process has locked the folder \(folder.path) for a minute. End that process.")
      if isWritten == false { draft = self.draft(of: entries, file) }
      draft.attemptCount = count
      return false
    }
    RecordingClaims.noteWriter(user, of: file)
    try? FileManager.default.removeItem(at: file.failed)
    surroundings.say(file.written(entries, unfinishedCount: unfinishedCount, draft.report))
    if draft.oldSecretCount > 0 { surroundings.say(file.oldSecrets(draft.oldSecretCount)) }
    for line in draft.report.review() { surroundings.say(line) }
    if !long.isEmpty { throw file.tooLong(long, isWritten: true) }
    return true
  }

  /// Writes what was recorded into a file of its own, because the old recording may be the better one.
  ///
  /// - Returns: Sentences that say where it is, or why it is nowhere, and what is left out.
  private func keepAside(_ draft: Draft) -> String {
    var place = "What it has recorded\(draft.problems.isEmpty ? "" : " besides") "
    do { place += "is in \(try draft.file.writeAside(draft.text).path)" } catch {
      place += "can't be written: \(error.sentence)"
    }
    return (draft.problems + [place]).lines
  }

  /// Returns the current bytes of the file, if the recording adds to them.
  private func bytesToKeep(of file: RecordingFile) -> Data? { adds ? try? Data(contentsOf: file.url) : nil }

  /// Returns the document to which the recording adds, or `nil` for a new one.
  private func document(_ old: Data?, _ file: RecordingFile) throws -> ArchiveDocument? {
    if let old { return try ArchiveDocument(old, name: file.url.lastPathComponent, source: file.url) }
    // The bundle can have a recording where the folder has none.
    guard mode == .newEpisodes, let bundled = file.existing(bundleFirst: false) else { return nil }
    var document = try ArchiveDocument(Data(contentsOf: bundled), name: bundled.lastPathComponent, source: bundled)
    // Bodies in files beside it come along.
    try document.redact([], for: file.url)
    return document
  }

  /// Returns the archive to write, without secrets and without entries that would no longer be found on replay. The
  /// entries that were there before stay as they are.
  private func draft(of entries: [HTTPArchive.Entry], _ file: RecordingFile) -> Draft {
    let old = bytesToKeep(of: file)
    var problems: [String] = []
    var document: ArchiveDocument?
    if adds {
      do { document = try self.document(old, file) } catch {
        problems.append("the file can't be read any more: \(error.sentence)")
      }
    }
    let before = document?.archive.entries ?? []
    let original = HTTPArchive(entries: before + entries)
    // A secret of an old entry is one in the new entries, too.
    var (redacted, report) = original.redactedAndReported(recording.redacting)
    redacted.entries.replaceSubrange(..<min(before.count, redacted.entries.count), with: before)
    func text() -> Data {
      guard var document else { return redacted.data }
      document.append(redacted.entries.dropFirst(before.count))
      return document.data
    }
    var written = text()
    let proof = RedactionProof(
      of: redacted, as: written, in: file.url, against: original, recording.redacting, report, recording.comparison)
    if !proof.problems.isEmpty {
      problems += proof.problems.flatMap { [$0.sentence, $0.advice] }.filter { !$0.isEmpty }
      // If nobody knows which entry makes the archive unreadable, there is nothing to keep.
      let numbers = Set(proof.problems.map(\.entry))
      let lost = numbers.contains(0) ? Set(0...redacted.entries.count) : numbers.filter { $0 > before.count }
      report = report.without(lost)
      redacted.entries = redacted.entries.enumerated().filter { position, _ in
        position < before.count || !lost.contains(position + 1)
      }.map(\.element)
      written = text()
    }
    return Draft(
      file: file, old: old, archive: redacted, text: written, report: report.after(before.count),
      oldSecretCount: report.items.count { $0.entry <= before.count }, problems: problems)
  }

  /// Compares what came from the network with the recording.
  private func check(_ live: [HTTPArchive.Entry], isWhole: Bool) throws(RecordingError) {
    guard let played else { return }
    let check = RecordingCheck(of: live, against: played.archive, recording)
    // A test that has failed already says what is wrong in its own words, which the differences only explain.
    if isWhole, try surroundings.failsOnDrift(recording), !check.differences.isEmpty {
      throw RecordingError(
        recording.name, .outdated,
        """
        The network no longer answers as the recording \(recording.name.debugDescription) does:
        \((check.differences + check.unasked + [expired].compactMap(\.self)).lines)
        If the change is intended, record it again with STUBKIT_RECORD=all.
        """)
    }
    // A test that stopped early has not asked for everything.
    for line in check.differences + (isWhole ? check.unasked : []) where !surroundings.warn(line, user.location) {
      surroundings.say(line)
    }
    if isWhole, let expired { throw RecordingError(recording.name, .outdated, expired) }
  }
}
