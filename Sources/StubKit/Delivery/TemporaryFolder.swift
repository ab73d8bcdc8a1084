import Foundation

/// A folder for files that are needed for as long as somebody holds them. It is removed when nobody holds it any more.
///
/// If the process ends before, the next process that uses StubKit removes the folder
/// (`TemporaryFile.removeLeftovers(in:)`). One lock on the folder covers all of its files, however many there are.
package final class TemporaryFolder: Sendable {
  static let ending = ".recording"

  private struct Current: Sendable { weak var folder: TemporaryFolder? }
  private static let current = Protected(Current())

  private let url: URL
  private let descriptor: CInt

  /// Returns the folder that this process uses now, or a new one if there is none.
  package static func shared() throws -> TemporaryFolder {
    if let folder = current.withLock({ $0.folder }) { return folder }
    let made = try TemporaryFolder()
    return current.withLock {
      if let folder = $0.folder { return folder }
      $0.folder = made
      return made
    }
  }

  init(in directory: URL = FileManager.default.temporaryDirectory) throws {
    while true {
      let url = directory.appendingPathComponent(TemporaryFile.prefix + UUID().uuidString + Self.ending)
      guard mkdir(url.path, 0o700) == 0 else { throw URLError.writing(.cannotCreateFile, url.path) }
      let descriptor = open(url.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      if descriptor >= 0 {
        // On a file system without locks, nobody takes it for a leftover.
        while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
        var status = stat()
        if fstat(descriptor, &status) == 0, status.st_nlink > 0 {
          self.url = url
          self.descriptor = descriptor
          return
        }
        // Another process took it for a leftover before it was locked.
        close(descriptor)
      } else if errno != ENOENT {
        throw URLError.writing(.cannotCreateFile, url.path)
      }
    }
  }

  /// Returns a place for a file in the folder. Nothing is there yet.
  package func place() -> URL { url.appendingPathComponent(UUID().uuidString) }

  deinit {
    // Everyone who has a file here holds the folder, so it contains only files that were never finished.
    if rmdir(url.path) != 0 { try? FileManager.default.removeItem(at: url) }
    close(descriptor)
  }
}
