import Foundation

/// A file that a response takes its body from. It is looked for when a request is answered, not before.
struct Fixture: Sendable, Hashable {
  private enum Place: Sendable, Hashable {
    case url(URL)
    /// Relative to the current directory.
    case path(String)
    /// Directories to look in, in this order.
    case directories([URL])
  }

  /// The file as the test names it.
  let name: String
  private let place: Place

  init(url: URL) {
    name = url.isFileURL ? url.path : url.absoluteString
    place = .url(url)
  }

  init(path: String) {
    name = path
    place = .path(path)
  }

  init(named name: String, in bundle: Bundle, subdirectory: String?) {
    self.name = name
    // An executable's bundle on Linux may have a folder of resources and still keep files beside the executable.
    var roots = [bundle.resourceURL ?? bundle.bundleURL]
    if bundle.bundleURL.path != roots[0].path { roots.append(bundle.bundleURL) }
    place = .directories(roots.map { root in subdirectory.map { root.appendingPathComponent($0) } ?? root })
  }

  /// The media type that the file's extension stands for.
  var contentType: String? { ContentType.forExtension((name as NSString).pathExtension) }

  func load() throws(StubResponseError.Reason) -> Data {
    for file in files {
      guard file.isFileURL else { throw .fixtureNotAFileURL(name) }
      do {
        // Not mapped: the bytes have to stay what they are when the file is written anew.
        return try Data(contentsOf: file)
      } catch {
        var isDirectory: ObjCBool = false
        if !FileManager.default.fileExists(atPath: file.path, isDirectory: &isDirectory) { continue }
        if isDirectory.boolValue { throw .fixtureIsDirectory(file.path) }
        throw .fixtureUnreadable(file.path, "\(error.localizedDescription)")
      }
    }
    throw missing
  }

  /// The file, open, if it is larger than that. Nil if it is to be loaded, which explains what is wrong with it too.
  func open(largerThan length: Int) -> FixtureFile? {
    let file = files.first { !$0.isFileURL || FileManager.default.fileExists(atPath: $0.path) }
    return file.flatMap { $0.isFileURL ? FixtureFile($0, largerThan: length) : nil }
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
