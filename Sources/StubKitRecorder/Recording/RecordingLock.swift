import Foundation
import StubKit
import StubKitArchive

/// A lock between processes for the recordings of a folder.
///
/// The folder itself is locked, so that nothing remains beside the recording, and all processes lock the same thing
/// whatever their temporary directories are. Without a lock, such as on a file system that has none, the work still
/// runs, because a write replaces the file in one step.
enum RecordingLock {
  /// The number of pauses of 5 ms in which another process can write an archive: about a minute. Only pauses count, so a
  /// process that is stopped meanwhile loses no time.
  private static let mostPauses = 12_000

  static func whileLocked<Result>(
    _ file: URL, exclusively: Bool = true, _ work: () throws -> Result
  ) throws -> Result {
    let folder = folder(of: file)
    if exclusively { try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
    let descriptor = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return try work() }
    defer { close(descriptor) }
    var pauseCount = 0
    while flock(descriptor, (exclusively ? LOCK_EX : LOCK_SH) | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR else { return try work() }
      guard pauseCount < mostPauses else {
        throw URLError(
          .cannotOpenFile,
          userInfo: [
            NSLocalizedDescriptionKey:
              "Another process has locked the folder \(folder.path) for a minute. End that process."
          ])
      }
      pauseCount += 1
      usleep(5_000)
    }
    return try work()
  }

  /// Returns the folder of a file, which is the same for each path that leads to it.
  static func folder(of file: URL) -> URL { file.deletingLastPathComponent().resolvingSymlinksInPath() }
}
