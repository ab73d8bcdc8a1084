import Foundation
import StubKitFormats

/// A file that contains the body of a response. StubKit looks for it when it answers a request, not before.
package struct Fixture: Sendable, Hashable {
  private enum Place: Sendable, Hashable {
    case url(URL)
    /// A path relative to the current directory.
    case path(String)
    /// Directories to look in, in this order.
    case directories([URL])
  }

  /// The file as the test names it.
  let name: String
  private let place: Place

  package init(url: URL) {
    name = url.isFileURL ? url.path : url.absoluteString
    place = .url(url)
  }

  init(path: String) {
    name = path
    place = .path(path)
  }

  init(named name: String, in bundle: Bundle, subdirectory: String?) {
    self.name = name
    // On Linux, the bundle of an executable can have a folder of resources and still keep files beside the
    // executable.
    var roots = [bundle.resourceURL ?? bundle.bundleURL]
    if bundle.bundleURL.path != roots[0].path { roots.append(bundle.bundleURL) }
    place = .directories(roots.map { root in subdirectory.map { root.appendingPathComponent($0) } ?? root })
  }

  /// The media type for the file's extension.
  var contentType: String? { ContentType.forExtension((name as NSString).pathExtension) }

  /// Returns all bytes.
  func load() throws(StubResponseError.Reason) -> Data {
    let file = try open()
    do { return try file.readToEnd() } catch { throw .fixture(file.path, error) }
  }

  /// Opens the file at the first place that has it.
  func open() throws(StubResponseError.Reason) -> RegularFile {
    for url in files {
      guard url.isFileURL else { throw .fixtureNotAFileURL(name) }
      do { return try RegularFile(url) } catch {
        if error != .missing { throw .fixture(url.path, error) }
      }
    }
    throw missing
  }

  private var files: [URL] {
    switch place {
    case .url(let url): [url]
    case .path(let path): [URL(fileURLWithPath: path)]
    case .directories(let directories): directories.map { $0.appendingPathComponent(name) }
    }
  }

  private var missing: StubResponseError.Reason {
    let directories = files.map { $0.deletingLastPathComponent() }
    let similar = SimilarFiles(to: files[0].lastPathComponent, in: directories).names
    let isNamed = if case .directories = place { true } else { false }
    return .fixtureMissing(name, lookedIn: directories.map(\.path), similar: similar, isResource: isNamed)
  }
}

/// A regular file, open for reading. Its bytes stay available if it is replaced or removed.
///
/// Other kinds of file are refused and not even opened: opening a FIFO can block for ever, and a device has no end.
package final class RegularFile: Sendable {
  /// Why a path leads to no bytes.
  package enum Problem: Error, Equatable {
    case missing
    case isDirectory
    /// The kind of file, with an article.
    case isNotRegular(String)
    case becameShorter
    /// The reason is that of the system.
    case isUnreadable(String)
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
    case S_IFIFO: throw .isNotRegular("a FIFO")
    case S_IFSOCK: throw .isNotRegular("a socket")
    case S_IFCHR: throw .isNotRegular("a character device")
    case S_IFBLK: throw .isNotRegular("a block device")
    default: throw .isNotRegular("a special file")
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
  /// The error of the last system call.
  fileprivate static var last: Self {
    switch errno {
    case ENOENT, ENOTDIR: .missing
    default: .isUnreadable(String(cString: strerror(errno)))
    }
  }
}

extension StubResponseError.Reason {
  /// Returns what is wrong with an existing fixture.
  static func fixture(_ path: String, _ problem: RegularFile.Problem) -> Self {
    switch problem {
    case .isDirectory: .fixtureIsDirectory(path)
    case .isNotRegular(let kind): .fixtureIsNotRegular(path, kind)
    case .becameShorter: .fixtureBecameShorter(path)
    case .isUnreadable(let reason): .fixtureUnreadable(path, reason)
    case .missing: .fixtureUnreadable(path, "It no longer exists")
    }
  }
}

/// The files whose names come nearest to that of a missing file. A report asks about them: "Did you mean …?"
struct SimilarFiles {
  /// At most three names, nearest first. A file of the right name in a subfolder comes with its folder.
  let names: [String]

  init(to name: String, in directories: [URL]) {
    let wanted = Array(name.lowercased())
    let limit = max(1, wanted.count / 3)
    var candidates: [(name: String, distance: Int)] = []
    for directory in directories {
      let entries = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
      for entry in entries.sorted() {
        let below = directory.appendingPathComponent(entry).appendingPathComponent(name)
        if FileManager.default.fileExists(atPath: below.path) {
          candidates.append((entry + "/" + name, 0))
        } else if !FileManager.default.fileExists(atPath: directory.appendingPathComponent(entry).path) {
          // A dangling link, which can be the missing file itself.
          continue
        } else if Self.stem(of: entry) == Self.stem(of: name) {
          candidates.append((entry, 1))
        } else {
          let found = Array(entry.lowercased())
          guard abs(found.count - wanted.count) <= limit else { continue }
          let distance = wanted.editDistance(to: found)
          if distance <= limit { candidates.append((entry, distance)) }
        }
      }
    }
    var seen: Set<String> = []
    names = Array(
      candidates.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }.map(\.name)
        .filter { seen.insert($0).inserted }.prefix(3))
  }

  /// Returns a name without its extension, which stays the same if an extension is missing or different.
  private static func stem(of name: String) -> String { (name as NSString).deletingPathExtension.lowercased() }
}
