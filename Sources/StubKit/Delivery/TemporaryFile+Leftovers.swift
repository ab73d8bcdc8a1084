import Foundation

extension TemporaryFile {
  /// Removes what ended processes left behind in the middle of a download.
  ///
  /// A file is removed if its name has the right form, it belongs to this user, and nobody holds its lock.
  static func removeLeftovers(in directory: URL = FileManager.default.temporaryDirectory) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
    for name in names where isUnfinished(name) { removeLeftover(directory.appendingPathComponent(name).path) }
  }

  private static func isUnfinished(_ name: String) -> Bool {
    name.hasPrefix(prefix) && name.hasSuffix(unfinished)
      && UUID(uuidString: String(name.dropFirst(prefix.count).dropLast(unfinished.count))) != nil
  }

  private static func removeLeftover(_ path: String) {
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
      flock(descriptor, LOCK_EX | LOCK_NB) == 0
    else { return }
    // Under the lock, so that a process that is just creating the file creates it again, under another name. No other
    // file ever gets this name.
    unlink(path)
  }
}
