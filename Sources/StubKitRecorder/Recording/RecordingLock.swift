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

/// The files that are being recorded in this process, and the tests that record them.
enum RecordingClaims {
  private static let claims = Protected<[String: StubLocation]>([:])

  /// - Throws: An error if another test records to the file at the same time.
  static func claim(_ file: RecordingFile, at location: StubLocation) throws(RecordingError) {
    let other = claims.withLock { claims in
      defer { claims[key(file)] = claims[key(file)] ?? location }
      return claims[key(file)]
    }
    guard let other else { return }
    throw RecordingError(
      file.name, .conflicting,
      "Two tests record to \(file.url.path) at the same time: the one at \(other) and the one at \(location). Give each test "
        + "its own recording: one that is made later replaces the other.")
  }

  static func release(_ file: RecordingFile) { claims.withLock { $0[key(file)] = nil } }

  private static func key(_ file: RecordingFile) -> String {
    RecordingLock.folder(of: file.url).appendingPathComponent(file.url.lastPathComponent).path
  }
}
