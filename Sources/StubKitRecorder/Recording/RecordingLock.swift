import Foundation
import StubKit
import StubKitArchive

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
