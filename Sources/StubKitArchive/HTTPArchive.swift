import Foundation
import StubKit

/// Requests and their responses, which are the contents of an HTTP Archive (HAR 1.2), the format that browsers
/// export.
///
/// ```swift
/// let archive = HTTPStubs.journal.archive
/// let slow = archive.entries.filter { $0.duration > .seconds(1) }
/// ```
///
/// An archive is a value. It doesn't change if the file that it was read from changes.
public struct HTTPArchive: Sendable, Equatable {
  /// The entries, in the order in which the requests began. Messages number them from 1.
  public var entries: [Entry]

  /// What isn't as HAR 1.2 requires in the file that the archive was read from, and was taken at its obvious meaning,
  /// such as a status that is a string. Empty for other archives. It doesn't count when archives are compared.
  ///
  /// ```swift
  /// for problem in archive.problems { print(problem) }
  /// // users.har, entry 3: "response.status" is a string. …
  /// ```
  public internal(set) var problems: [HTTPArchiveError] = []

  /// The name of the file that the archive was read from, for messages, or `nil`.
  package var fileName: String?

  /// Creates an archive with these entries.
  public init(entries: [Entry] = []) { self.entries = entries }

  /// Returns whether the entries of two archives are equal.
  public static func == (left: HTTPArchive, right: HTTPArchive) -> Bool { left.entries == right.entries }
}

extension HTTPArchive {
  /// Reads an HTTP Archive: JSON as ``data`` returns it, or as browsers and proxies export it.
  ///
  /// StubKit reads the archives of Chrome, Firefox, Safari, Charles, mitmproxy and Playwright. It turns each response
  /// into what a server would have sent for the decoded body: it drops the pseudo-headers of HTTP/2,
  /// `Content-Encoding` and `Transfer-Encoding`, and corrects `Content-Length`. Entries that can't be replayed, such
  /// as WebSockets and responses whose body was not saved, stay in the archive. A request that asks for such an entry
  /// fails with an error that names it.
  ///
  /// A member of another type than HAR 1.2 requires counts as missing, or is taken at its obvious meaning.
  ///
  /// - Throws: An ``HTTPArchiveError`` that names the entry and the key if the data is not an HTTP Archive of version
  ///   1.1 to 1.3, if an object has a key twice, or if an entry has no method or no URL.
  public init(_ data: Data) throws { try self.init(HARFile(data, name: nil), source: nil) }

  /// Reads an HTTP Archive from a file, like ``init(_:)``, including bodies that other tools have put into files of
  /// their own in its folder. StubKit reads up to 64 MiB (67,108,864 bytes) of such a file.
  ///
  /// ```swift
  /// let archive = try HTTPArchive(
  ///   contentsOf: URL(fileURLWithPath: "users.har"))
  /// ```
  ///
  /// - Throws: An ``HTTPArchiveError``, or the error of the file system if the file can't be read.
  public init(contentsOf url: URL) throws { try self.init(try Data(contentsOf: url), in: url) }

  /// Reads the bytes of a file.
  package init(_ data: Data, in file: URL) throws {
    try self.init(HARFile(data, name: file.lastPathComponent), source: file)
  }
}

extension URL {
  package var isThere: Bool { FileManager.default.fileExists(atPath: path) }

  /// The folder that contains the file itself, wherever a link to it is.
  var folderOfFile: URL { resolvingSymlinksInPath().deletingLastPathComponent() }
}
