import Foundation

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
