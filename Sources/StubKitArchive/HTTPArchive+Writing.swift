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
  /// Writes an archive in one step.
  ///
  /// - Parameter source: A file whose permissions a new file gets, or `nil`.
  /// - Throws: An ``HTTPArchiveError`` that says what the file system refused.
  package func writeAsArchive(to url: URL, like source: URL? = nil) throws {
    let file = url.resolvingSymlinksInPath()
    var status = stat()
    let mode = lstat(file.path, &status) == 0 ? status.st_mode : nil
    let newMode = source.flatMap { stat($0.path, &status) == 0 ? status.st_mode : nil }
    if let obstacle = mode.flatMap(Self.obstacleToWriting) {
      throw HTTPArchiveError(
        file: url.path, problem: "The archive can't be written there: \(obstacle)", remedy: "Choose another file.")
    }
    do {
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try write(to: file, options: .atomic)
      if let mode = mode ?? newMode { chmod(file.path, mode & 0o777) }
    } catch {
      throw HTTPArchiveError(
        file: file.path, problem: "The archive could not be written: \(error.sentence)",
        remedy: "An existing file is unchanged.")
    }
  }

  /// Returns what is in the place of a file, by its mode, or `nil` if that is a file.
  private static func obstacleToWriting(_ mode: mode_t) -> String? {
    switch mode & S_IFMT {
    case S_IFREG: nil
    case S_IFDIR: "it is a folder."
    // What remains of a link after resolving leads nowhere, or in a circle.
    case S_IFLNK: "it is a symbolic link that leads to no file."
    default: "it is not a file, but a pipe, a socket or a device."
    }
  }
}
