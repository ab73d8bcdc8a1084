import Foundation
import StubKit

/// A lock between processes for the recordings of a folder, which is held only while a file is compared and replaced.
///
/// The folder itself is locked, so that nothing remains beside the recording, and all processes lock the same thing
/// whatever their temporary directories are. Nobody waits in here: who doesn't get the lock tries again after a pause,
/// so that a task can be suspended meanwhile.
enum RecordingLock {
  /// The time between two attempts, in microseconds.
  static let pause: UInt32 = 5_000
  /// The number of attempts in which another process can write an archive: about a minute. Only pauses count, so a
  /// process that is stopped meanwhile loses no time.
  static let mostAttempts = 12_000

  /// Runs work while no other process replaces a file of the folder, or returns `nil` if one does so now.
  ///
  /// Without a lock, such as on a file system that has none, the work still runs, because a write replaces the file in
  /// one step.
  static func attempt<Result>(_ file: URL, _ work: () throws -> Result) rethrows -> Result? {
    let folder = file.deletingLastPathComponent()
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let descriptor = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return try work() }
    defer { close(descriptor) }
    if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK || errno == EINTR { return nil }
    return try work()
  }
}

/// The test or the code that uses a recording.
struct RecordingUser: CustomStringConvertible {
  let location: StubLocation
  /// The test, or the function outside of a test's scope, or `nil` if it isn't known.
  let test: String?
  /// Whether only the function is known, whose name a function in another file can have, too.
  let isFunction: Bool

  /// Returns whether both are uses by one test, which can have several.
  func isSameTest(as other: RecordingUser) -> Bool {
    guard test != nil || other.test != nil else { return location == other.location }
    return test == other.test && isFunction == other.isFunction
      && (!isFunction || location.fileID == other.location.fileID)
  }

  /// All tests of a class can use a recording at one line.
  var description: String { "\(test ?? "the one") at \(location)" }
}

/// The files that are being recorded in this process, or have been, and the tests that record them.
enum RecordingClaims {
  private static let state = Protected((users: [String: RecordingUser](), writers: [String: RecordingUser]()))

  /// What a use may do with its file.
  enum Claim {
    /// It writes nothing.
    case none
    case replaces
    /// It adds to the file. In mode `.all`, the same test has written it in this run, for another of its cases or with
    /// another `withRecording`.
    case adds
  }

  /// Returns what a use may do with its file. If it writes, it has the only claim.
  ///
  /// A test that runs again replaces what it has recorded before. Nothing tells a second run of the same
  /// `withRecording` outside of a scope from a loop around it, nor a second run of a case from another case, so that
  /// these add.
  ///
  /// - Parameter isCase: Whether the use is that of one case of a parameterized test.
  /// - Throws: An error if another test records to the file at the same time, or has recorded what would be replaced.
  static func claim(
    _ file: RecordingFile, _ mode: RecordingMode, by user: RecordingUser, isCase: Bool = false
  ) throws(RecordingError) -> Claim {
    guard [.once, .newEpisodes, .all].contains(mode) else { return .none }
    let key = file.key
    var (other, when): (RecordingUser?, String) = (nil, "at the same time")
    let claim = state.withLock { state -> Claim in
      // A claim is released after its file is written.
      if mode == .once, file.existing(bundleFirst: false) != nil { return .none }
      var claim: Claim = mode == .newEpisodes ? .adds : .replaces
      other = state.users[key]
      if other == nil, mode == .all, file.url.isThere, let writer = state.writers[key] {
        if !writer.isSameTest(as: user) {
          (other, when) = (writer, "one after the other")
        } else if isCase || user.isFunction {
          claim = .adds
        }
      }
      if other == nil { state.users[key] = user }
      return claim
    }
    guard let other else { return claim }
    let areCases = isCase && other.isSameTest(as: user)
    let cure =
      areCases
      ? "Run them one after the other, with .serialized, or give each case its own recording."
      : "Give each test its own recording: one that is made later replaces the other."
    throw RecordingError(
      file.name, .conflicting,
      "Two \(areCases ? "cases of a test" : "tests") record to \(file.url.path) \(when): \(other), and \(user). \(cure)"
    )
  }

  /// Notes who has written the file.
  static func noteWriter(_ user: RecordingUser, of file: RecordingFile) {
    state.withLock { $0.writers[file.key] = user }
  }

  /// Returns who records to the file now, or `nil`.
  static func user(of file: RecordingFile) -> RecordingUser? { state.withLock { $0.users[file.key] } }

  static func release(_ file: RecordingFile) { state.withLock { $0.users[file.key] = nil } }
}
