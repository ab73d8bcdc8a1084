import Foundation

/// A file that contains the body of a response. StubKit looks for it when it answers a request, not before.
package struct Fixture: Sendable {
  /// The file as the test names it.
  package let name: String
  /// The places to look at, in this order.
  private let files: [URL]
  private let isResource: Bool

  package init(url: URL) {
    name = url.isFileURL ? url.path : url.absoluteString
    files = [url]
    isResource = false
  }

  package init(path: String) {
    name = path
    files = [URL(fileURLWithPath: path)]
    isResource = false
  }

  package init(named name: String, in bundle: Bundle, subdirectory: String? = nil) {
    // On Linux, the bundle of an executable can have a folder of resources and still keep files beside the
    // executable.
    var roots = [bundle.resourceURL ?? bundle.bundleURL]
    if bundle.bundleURL.path != roots[0].path { roots.append(bundle.bundleURL) }
    let folders = roots.map { root in subdirectory.map { root.appendingPathComponent($0) } ?? root }
    self.name = name
    files = folders.map { $0.appendingPathComponent(name) }
    isResource = true
  }

  /// The media type for the file's extension.
  var contentType: String? { ContentType.forExtension((name as NSString).pathExtension) }

  /// Returns all bytes.
  package func load() throws(StubResponseError.Reason) -> Data { try Self.load(open()) }

  /// Returns all bytes of the file that was opened.
  static func load(_ file: RegularFile) throws(StubResponseError.Reason) -> Data {
    do { return try file.readToEnd() } catch { throw .fixture(file.path, error) }
  }

  /// Opens the file at the first place that has it.
  func open() throws(StubResponseError.Reason) -> RegularFile {
    for url in files {
      guard url.isFileURL else { throw .fixtureNotAFileURL(name) }
      do { return try RegularFile(url) } catch {
        if !error.isMissing { throw .fixture(url.path, error) }
      }
    }
    let directories = files.map { $0.deletingLastPathComponent() }
    // A resource is named with its folder.
    let folder = isResource ? (name as NSString).deletingLastPathComponent : ""
    let similar = Self.names(similarTo: files[0].lastPathComponent, in: directories)
      .map { folder.isEmpty ? $0 : "\(folder)/\($0)" }
    throw .fixtureMissing(name, lookedIn: directories.map(\.path), similar: similar, isResource: isResource)
  }

  /// Returns at most three names of files that come nearest to that of a missing file, closest first. A file of the
  /// right name in a subfolder comes with its folder.
  static func names(similarTo name: String, in directories: [URL]) -> [String] {
    func stem(_ name: String) -> String { (name as NSString).deletingPathExtension.lowercased() }
    let wanted = Array(name.lowercased().utf8)
    var distances: [String: Int] = [:]
    for directory in directories {
      // A link of the right name that leads nowhere can be the missing file itself.
      for entry in (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? [] where entry != name {
        let nested = entry + "/" + name
        let isNested = FileManager.default.fileExists(atPath: directory.appendingPathComponent(nested).path)
        let edits = stem(entry) == stem(name) ? 1 : wanted.editDistance(to: Array(entry.lowercased().utf8))
        let distance = isNested ? 0 : edits
        // An abbreviation of another file of its kind lacks more of it.
        let isOfKind = (entry as NSString).pathExtension == (name as NSString).pathExtension
        let length = isOfKind ? max(wanted.count, entry.utf8.count) : wanted.count
        if distance <= max(1, length / 3) {
          distances[isNested ? nested : entry] = distance
        }
      }
    }
    return distances.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.prefix(3).map(\.key)
  }
}

/// A regular file, open for reading. Its bytes stay available if it is replaced or removed.
///
/// Other kinds of file are refused and not even opened: opening a FIFO can block for ever, and a device has no end.
package final class RegularFile: Sendable {
  /// Why a path leads to no bytes, as the rest of a sentence: `is a FIFO, not a regular file. Write …`.
  package struct Problem: Error, Equatable {
    package let description: String
    /// A Boolean value that indicates whether there is nothing at the path.
    package let isMissing: Bool

    fileprivate init(_ description: String, isMissing: Bool = false) {
      self.description = description
      self.isMissing = isMissing
    }
  }

  let path: String
  /// The length in bytes when the file was opened.
  let length: Int
  private let handle: FileHandle

  package init(_ url: URL) throws(Problem) {
    var status = stat()
    guard stat(url.path, &status) == 0 else { throw .last }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw .isDirectory
    default: throw .isNotRegular
    }
    // `FileHandle(forReadingFrom:)` doesn't tell the reason of the system.
    let descriptor = open(url.path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .last }
    handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    path = url.path
    length = Int(status.st_size)
  }

  /// Returns the bytes at these positions, in memory of their own. They aren't mapped, because a mapping would change
  /// when the file is rewritten, and would end the process where the file became shorter.
  ///
  /// One call must end before the next one begins.
  func read(_ range: Range<Int>) throws(Problem) -> Data {
    let bytes = try read(from: range.lowerBound) { try $0.read(upToCount: range.count) }
    guard bytes.count == range.count else { throw .becameShorter }
    return bytes
  }

  /// Returns all bytes up to the end, also of a file whose length doesn't say how many there are, such as some files
  /// of the system.
  package func readToEnd() throws(Problem) -> Data { try read(from: 0) { try $0.readToEnd() } }

  private func read(from start: Int, _ read: (FileHandle) throws -> Data?) throws(Problem) -> Data {
    do {
      try handle.seek(toOffset: UInt64(start))
      return try read(handle) ?? Data()
    } catch { throw .isUnreadable(error.localizedDescription) }
  }
}

extension RegularFile.Problem {
  package static let isDirectory = Self("is a directory. Write the path of a file in it.")
  static let becameShorter = Self(
    "became shorter while StubKit sent it. Replace the file atomically (.atomic), or write to it only while no response "
      + "uses it.")

  static let isNotRegular = Self(
    "is not a regular file. Write the path of one. For no body, write .status(204). For bytes that are produced over "
      + "time, write .stream { … }.")

  static func isUnreadable(_ reason: String) -> Self {
    Self("can't be read: \(reason.asSentence) Make sure that the user who runs the tests can read it.")
  }

  /// The error of the last system call.
  fileprivate static var last: Self {
    guard errno == ENOENT || errno == ENOTDIR else { return isUnreadable(errno.systemError) }
    return Self("doesn't exist. Write the full path. A relative path starts at the current directory.", isMissing: true)
  }
}

extension Int32 {
  /// What the system says about the error with this number.
  package var systemError: String { String(cString: strerror(self)) }
}
