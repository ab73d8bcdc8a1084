import Foundation
import StubKitFormats

extension HTTPArchive {
  /// The longest body, in bytes, that the archive itself contains.
  static let longestEmbeddedBody = 256_000

  /// Writes the archive to a file, and creates the folder if necessary. The format is that of ``data``, except for
  /// long bodies.
  ///
  /// ```swift
  /// try archive.write(to: URL(fileURLWithPath: "Recordings/users.har"))
  /// ```
  ///
  /// The body of a response goes into a file of its own if it has more than 256 KB (256,000 bytes). The name of that
  /// file consists of the archive's name and a hash of the body: `users.4c1d53a0e98b7f26.json`. The archive replaces
  /// an older one in one step. At any moment, even if the process dies, either the old archive exists with its
  /// bodies, or the new one with its own. Bodies that only the old one had are removed.
  ///
  /// - Throws: An ``HTTPArchiveError`` that says what the file system refused.
  public func write(to url: URL) throws { try ArchiveFiles(url).write(self) }
}

/// The file of an archive, and the files with bodies beside it.
private struct ArchiveFiles {
  let file: URL
  let folder: URL
  /// The beginning of the names of the files with bodies.
  let stem: String

  init(_ url: URL) {
    // A link stays a link to what is written.
    file = url.resolvingSymlinksInPath()
    folder = file.deletingLastPathComponent()
    stem = file.deletingPathExtension().lastPathComponent + "."
  }

  func write(_ archive: HTTPArchive) throws {
    try attempt { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
    var writer = HARWriter()
    var made: [URL] = []
    do {
      for (index, entry) in archive.entries.enumerated() {
        guard let content = entry.response?.content, !content.isMissing, content.count > HTTPArchive.longestEmbeddedBody
        else { continue }
        let name = name(of: content, type: entry.response?.headers["Content-Type"] ?? "")
        if try place(content, as: folder.appendingPathComponent(name)) {
          made.append(folder.appendingPathComponent(name))
        }
        writer.bodyFiles[index] = name
      }
      try replace(file) { handle in
        var text = HARTextWriter { try handle.write(contentsOf: $0) }
        try writer.write(archive, to: &text) { if $0.utf8.count > 1 << 20 { try $0.flushAll() } }
        try text.flushAll()
      }
    } catch {
      for url in made { unlink(url.path) }
      throw error
    }
    removeBodies(except: Set(writer.bodyFiles.values))
  }

  /// - Returns: `false` if the body existed already. Its name is made from its content.
  private func place(_ body: ArchivedBody, as url: URL) throws -> Bool {
    if let present = try? FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int, present == body.count {
      return false
    }
    if let file = body.file, file.isTemporary {
      let temporary = temporaryURL()
      if link(file.url.path, temporary.path) == 0 {
        chmod(temporary.path, 0o644)
        try move(temporary, to: url)
        return true
      }
    }
    // If the body is in a file, only a piece of it is in memory at a time.
    var rest = body.data
    try replace(url) { handle in
      while !rest.isEmpty {
        try handle.write(contentsOf: rest.prefix(1 << 20))
        rest = rest.dropFirst(1 << 20)
      }
    }
    return true
  }

  /// Writes a file beside the one that it then replaces.
  private func replace(_ url: URL, _ write: (FileHandle) throws -> Void) throws {
    let temporary = temporaryURL()
    do {
      try attempt {
        guard FileManager.default.createFile(atPath: temporary.path, contents: nil) else { throw systemError }
        let handle = try FileHandle(forWritingTo: temporary)
        defer { try? handle.close() }
        try write(handle)
        // The bytes must be on the disk before the name is.
        try handle.synchronize()
      }
      try move(temporary, to: url)
    } catch {
      unlink(temporary.path)
      throw error
    }
  }

  private func temporaryURL() -> URL { folder.appendingPathComponent(".\(stem)\(UUID().uuidString).tmp") }

  private func move(_ temporary: URL, to url: URL) throws {
    guard rename(temporary.path, url.path) == 0 else {
      let error = systemError
      unlink(temporary.path)
      throw self.error(error)
    }
  }

  /// Removes the files with bodies that belong to no entry any more, including those of processes that died.
  private func removeBodies(except names: Set<String>) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] {
      if isBodyName(name), !names.contains(name) { unlink(folder.appendingPathComponent(name).path) }
    }
  }

  private static let hashLength = 16

  private func isBodyName(_ name: String) -> Bool {
    guard name.starts(withBytesOf: stem) else { return false }
    let rest = name.utf8.dropFirst(stem.utf8.count)
    let hash = rest.prefix(Self.hashLength)
    let type = rest.dropFirst(Self.hashLength)
    return hash.count == Self.hashLength && hash.allSatisfy { $0.hexadecimalDigit != nil && !(0x41...0x46 ~= $0) }
      && type.first == UInt8(ascii: ".") && BodyFileType.all.contains(String(Substring(type.dropFirst())))
  }

  private func name(of body: ArchivedBody, type: String) -> String {
    let hash = String(body.data.contentHash, radix: 16)
    return stem + String(repeating: "0", count: Self.hashLength - hash.count) + hash + "." + BodyFileType.of(type)
  }

  private func attempt(_ work: () throws -> Void) throws {
    do { try work() } catch { throw self.error(error) }
  }

  private var systemError: any Error { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }

  private func error(_ error: any Error) -> any Error {
    HTTPArchiveError(
      file: file.path, problem: "The archive could not be written: \(error.localizedDescription)",
      remedy: "An existing file is unchanged.")
  }
}

/// The extensions of files with bodies, so that editors recognise their content.
private enum BodyFileType {
  private static let byType = [
    "application/json": "json", "text/html": "html", "text/plain": "txt", "text/css": "css", "text/csv": "csv",
    "text/javascript": "js", "application/javascript": "js", "application/xml": "xml", "text/xml": "xml",
    "text/event-stream": "txt", "image/png": "png", "image/jpeg": "jpg", "image/gif": "gif", "image/webp": "webp",
    "image/svg+xml": "svg", "image/heic": "heic", "application/pdf": "pdf", "application/zip": "zip",
    "audio/mpeg": "mp3", "audio/mp4": "m4a", "video/mp4": "mp4", "video/quicktime": "mov", "font/woff2": "woff2",
  ]

  static let all = Set(byType.values).union(["bin"])

  static func of(_ contentType: String) -> String {
    let type = (contentType.cut(at: ";")?.before ?? contentType[...]).withoutOuterSpace.lowercased()
    return byType[type] ?? (type.hasSuffix("+json") ? "json" : type.hasSuffix("+xml") ? "xml" : "bin")
  }
}
