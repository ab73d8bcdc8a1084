import Foundation

extension TemporaryFile {
  /// Removes the leftovers of ended processes in the background. The first call in a process does it.
  static func removeLeftoversOnce() { _ = hasRemovedLeftovers }

  private static let hasRemovedLeftovers: Bool = {
    WorkerPool.background.run { removeLeftovers() }
    return true
  }()

  /// Removes what ended processes left behind: the files of downloads, and the folders of recordings.
  ///
  /// A file or a folder is removed if its name has the right form, it belongs to this user, and nobody holds its lock.
  static func removeLeftovers(in directory: URL = FileManager.default.temporaryDirectory) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
    for name in names where name.hasPrefix(prefix) {
      let path = directory.appendingPathComponent(name).path
      if isOurs(name, unfinished) { removeLeftover(path, S_IFREG) }
      if isOurs(name, TemporaryFolder.ending) { removeLeftover(path, S_IFDIR) }
    }
  }

  private static func isOurs(_ name: String, _ ending: String) -> Bool {
    name.hasPrefix(prefix) && name.hasSuffix(ending)
      && UUID(uuidString: String(name.dropFirst(prefix.count).dropLast(ending.count))) != nil
  }

  private static func removeLeftover(_ path: String, _ kind: mode_t) {
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == kind, status.st_uid == geteuid(),
      flock(descriptor, LOCK_EX | LOCK_NB) == 0
    else { return }
    // The removal is under the lock, so that a process that is just creating the file or folder creates it again, under
    // another name. Nothing else ever gets this name.
    if kind == S_IFREG { unlink(path) } else { try? FileManager.default.removeItem(atPath: path) }
  }
}
