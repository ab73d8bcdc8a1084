import Foundation
import StubKit
import StubKitArchive

/// A lock between processes for the file of a recording.
///
/// It is in the temporary directory, so that nothing remains beside the recording. Without a lock, such as on a
/// read-only file system, the work still runs, because a write replaces the file in one step.
enum RecordingLock {
  /// The time that another process has to write an archive.
  private static let patience = Duration.seconds(60)

  static func whileLocked<Result>(
    _ file: URL, exclusively: Bool = true, _ work: () throws -> Result
  ) throws -> Result {
    let descriptor = open(path(of: file), O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { return try work() }
    defer { close(descriptor) }
    let start = ContinuousClock.now
    while flock(descriptor, (exclusively ? LOCK_EX : LOCK_SH) | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR else { return try work() }
      guard ContinuousClock.now - start < patience else {
        throw URLError(
          .cannotOpenFile,
          userInfo: [
            NSLocalizedDescriptionKey:
              "Another process has locked it for a minute with \(path(of: file)). End that process."
          ])
      }
      usleep(5_000)
    }
    return try work()
  }

  /// Returns the path of the lock, which is the same for each path that leads to the file.
  static func path(of file: URL) -> String {
    let folder = file.deletingLastPathComponent().resolvingSymlinksInPath()
    let hash = Data(folder.appendingPathComponent(file.lastPathComponent).path.utf8).contentHash
    let name = "StubKit-recording-\(getuid())-\(String(hash, radix: 16)).lock"
    return FileManager.default.temporaryDirectory.appendingPathComponent(name).path
  }
}
