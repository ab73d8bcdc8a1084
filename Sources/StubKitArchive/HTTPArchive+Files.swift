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
  /// bodies, or the new one with its own. Bodies that only the replaced archive named are removed, and so is what a
  /// process has left that died while it wrote.
  ///
  /// - Throws: An ``HTTPArchiveError`` that says what the file system refused.
  public func write(to url: URL) throws { try ArchiveFiles(url).write(self) }
}

/// The extensions of files with bodies, so that editors recognise their content.
enum BodyFileType {
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

/// The file of an archive and its bodies as they are at one moment, to be put back.
package struct ArchiveBackup: Sendable {
  private let url: URL
  /// The bytes of the file, or `nil` if there is none.
  private let bytes: Data?
  private let bodies: [String: ArchivedBody]

  package init(of url: URL) {
    self.url = url
    // The mapping keeps the bytes, because a write replaces the file and never changes it.
    bytes = try? Data(contentsOf: url, options: .mappedIfSafe)
    var bodies: [String: ArchivedBody] = [:]
    if bytes != nil, let files = try? ArchiveFiles(url), case let names = files.bodyNames(in: files.file),
      !names.isEmpty
    {
      for entry in (try? HTTPArchive(contentsOf: url))?.entries ?? [] {
        guard let content = entry.response?.content, let name = content.file?.url.lastPathComponent else { continue }
        if names.contains(name) { bodies[name] = content }
      }
    }
    self.bodies = bodies
  }

  /// Whether the files of two moments contain the same bytes.
  package func isSameArchive(as other: ArchiveBackup) -> Bool { bytes == other.bytes }

  /// Writes the file and its bodies again, or removes them if there were none.
  package func restore() throws {
    let files = try ArchiveFiles(url)
    if let bytes { try files.write(bytes, bodies: bodies) } else { files.remove() }
  }

  /// Removes the file of an archive and its bodies. Does nothing if there is none.
  package static func remove(_ url: URL) {
    guard FileManager.default.fileExists(atPath: url.path) else { return }
    (try? ArchiveFiles(url))?.remove()
  }
}
