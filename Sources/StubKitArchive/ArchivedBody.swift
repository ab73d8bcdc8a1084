import Foundation
import StubKit

/// The body of a recorded response, or only its length.
package struct ArchivedBody: Sendable, Equatable {
  /// The longest body, in bytes, that an archive keeps.
  package static let longest = 64 << 20
  /// The limit in words.
  package static let limit = "64 MB"

  /// The bytes. A missing body has none.
  package let data: Data
  /// The number of bytes, even if they are missing.
  package let count: Int
  /// Whether the bytes are lost, and only the length is known.
  package let isMissing: Bool

  package init(_ data: Data) { (self.data, count, isMissing) = (data, data.count, false) }

  package init(missing count: Int) { (data, self.count, isMissing) = (Data(), count, true) }
}

/// A file with a body beside an archive, which another tool has written.
enum BodyFile {
  /// Reads a file below the folder of its archive.
  ///
  /// An archive can come from anywhere, so a name or a link that leads out of the folder is refused here, where the
  /// file is opened. So is everything but a regular file, because reading a pipe or a device can take forever.
  ///
  /// - Parameter folder: The folder, or `nil` if it is unknown.
  /// - Throws: Why it wasn't read, as the end of a sentence about the file.
  static func read(_ name: String, below folder: URL?) throws(UsageMistake) -> Data {
    guard let folder else { throw UsageMistake("StubKit can't find: read the archive with init(contentsOf:)") }
    let outside = UsageMistake("is not in the archive's folder")
    let missing = UsageMistake("is missing from the archive's folder")
    guard !name.isEmpty, !name.has("\0"), !name.starts(withBytesOf: "/"), !name.pieces(at: "/").contains("..") else {
      throw outside
    }
    guard let root = resolved(folder.path), let path = resolved("\(root)/\(name)") else { throw missing }
    guard path.utf8.starts(with: (root == "/" ? root : root + "/").utf8) else { throw outside }
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw missing }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var status = stat()
    try require(fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG, "is not a regular file")
    guard let data = try? handle.read(upToCount: ArchivedBody.longest + 1) ?? Data() else { throw missing }
    try require(
      data.count <= ArchivedBody.longest,
      "has more than \(ArchivedBody.limit), which is the most that StubKit reads")
    return data
  }

  /// Returns the path without links, or `nil` if there is nothing.
  private static func resolved(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
