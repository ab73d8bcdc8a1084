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

  /// Suspends the task between two attempts. Cancelling the task doesn't shorten it, because its recording is still
  /// written.
  static func suspend() async {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().asyncAfter(deadline: .now() + .microseconds(Int(pause))) { continuation.resume() }
    }
  }

  /// Runs work while no other process replaces a file of the folder, or returns `nil` if one does so now.
  ///
  /// Without a lock, such as on a file system that has none, the work still runs, because a write replaces the file in
  /// one step.
  static func attempt<Result>(_ file: URL, _ work: () throws -> Result) rethrows -> Result? {
    let folder = folder(of: file)
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let descriptor = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return try work() }
    defer { close(descriptor) }
    if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK || errno == EINTR { return nil }
    return try work()
  }

  /// Returns the folder of a file, which is the same for each path that leads to it.
  static func folder(of file: URL) -> URL { file.deletingLastPathComponent().resolvingSymlinksInPath() }
}

/// The test or the code that uses a recording.
struct RecordingUser: Sendable, Hashable, CustomStringConvertible {
  let location: StubLocation
  /// The filter that selects the test on the command line, or `nil` if it isn't known.
  let filter: String?

  /// All tests of a class can use a recording at one line.
  var description: String { "\(filter ?? "the one") at \(location)" }
}

/// The files that are being recorded in this process, or have been, and the tests that record them.
enum RecordingClaims {
  private static let state = Protected((users: [String: RecordingUser](), writers: [String: RecordingUser]()))

  /// - Parameter replaces: Whether nothing of the file stays.
  /// - Throws: An error if another test records to the file at the same time, or has recorded what would be replaced.
  static func claim(_ file: RecordingFile, by user: RecordingUser, replaces: Bool) throws(RecordingError) {
    let key = key(file)
    let isThere = replaces && FileManager.default.fileExists(atPath: key)
    let problem: (other: RecordingUser, when: String)? = state.withLock { state in
      if let other = state.users[key] { return (other, "at the same time") }
      if isThere, let other = state.writers[key], other != user { return (other, "one after the other") }
      state.users[key] = user
      return nil
    }
    guard let (other, when) = problem else { return }
    throw RecordingError(
      file.name, .conflicting,
      "Two tests record to \(file.url.path) \(when): \(other), and \(user). Give each test its own recording: one that is "
        + "made later replaces the other.")
  }

  /// Notes who has written the file.
  static func noteWriter(_ user: RecordingUser, of file: RecordingFile) {
    state.withLock { $0.writers[key(file)] = user }
  }

  static func release(_ file: RecordingFile) { state.withLock { $0.users[key(file)] = nil } }

  private static func key(_ file: RecordingFile) -> String {
    RecordingLock.folder(of: file.url).appendingPathComponent(file.url.lastPathComponent).path
  }
}
