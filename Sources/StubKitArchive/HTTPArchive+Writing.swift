import Foundation

extension HTTPArchive {
  /// Writes the archive to a file in the format of ``data``, and creates the folder if necessary.
  ///
  /// ```swift
  /// try archive.write(to: URL(fileURLWithPath: "Recordings/users.har"))
  /// ```
  ///
  /// The archive replaces an older one in one step. At any moment, even if the process dies, either the old archive
  /// exists or the new one. A symbolic link stays, and the file that it leads to is replaced, with its permissions.
  ///
  /// - Throws: An ``HTTPArchiveError`` that says what the file system refused.
  public func write(to url: URL) throws { try data.writeAsArchive(to: url) }
}

extension Data {
  func writeAsArchive(to url: URL) throws {
    let file = url.resolvingSymlinksInPath()
    if let obstacle = file.obstacleToWriting {
      throw HTTPArchiveError(
        file: url.path, problem: "The archive can't be written there: \(obstacle)", remedy: "Choose another file.")
    }
    do {
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      let mode = file.mode
      try write(to: file, options: .atomic)
      if let mode { chmod(file.path, mode) }
    } catch {
      throw HTTPArchiveError(
        file: file.path, problem: "The archive could not be written: \(error.sentence)",
        remedy: "An existing file is unchanged.")
    }
  }
}

extension URL {
  /// The permissions of the file, or `nil` if there is none.
  fileprivate var mode: mode_t? {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & 0o777 : nil
  }

  /// What is in the place of a file, or `nil` if that is a file or nothing.
  fileprivate var obstacleToWriting: String? {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return nil
    case S_IFDIR: return "it is a folder."
    // What remains of a link after resolving leads nowhere, or in a circle.
    case S_IFLNK: return "it is a symbolic link that leads to no file."
    default: return "it is not a file, but a pipe, a socket or a device."
    }
  }
}
