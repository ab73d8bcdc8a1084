import Foundation
import StubKitFormats

extension HTTPArchive {
  /// Reads an HTTP Archive: JSON as ``data`` returns it, or as browsers and proxies export it.
  ///
  /// StubKit reads the archives of Chrome, Firefox, Safari, Charles, mitmproxy and Playwright. It turns each response
  /// into what a server would have sent for the decoded body: it drops the pseudo-headers of HTTP/2,
  /// `Content-Encoding` and `Transfer-Encoding`, and corrects `Content-Length`. Entries that can't be replayed, such
  /// as WebSockets and responses whose body was not saved, stay in the archive. A request that asks for such an entry
  /// fails with an error that names it.
  ///
  /// - Throws: An ``HTTPArchiveError`` if the data is not an HTTP Archive of version 1.1 to 1.3, or if an entry has
  ///   no method or no URL.
  public init(_ data: Data) throws { try self.init(data, fileName: nil, folder: nil) }

  /// Reads an HTTP Archive from a file, like ``init(_:)``, including bodies in files of their own beside it.
  ///
  /// ```swift
  /// let archive = try HTTPArchive(
  ///   contentsOf: URL(fileURLWithPath: "users.har"))
  /// ```
  ///
  /// - Throws: An ``HTTPArchiveError``, or the error of the file system if the file can't be read.
  public init(contentsOf url: URL) throws {
    let data = try Data(contentsOf: url, options: .mappedIfSafe)
    try self.init(data, fileName: url.lastPathComponent, folder: url.deletingLastPathComponent())
  }

  init(_ data: Data, fileName: String?, folder: URL?) throws {
    let read = try HARReader(fileName: fileName, folder: folder).read(data)
    self.init(entries: read.entries)
    problems = read.problems
    self.fileName = fileName
  }
}
