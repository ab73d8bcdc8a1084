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
    let (url, file) = try open()
    do { return try file.readToEnd() } catch { throw .fixture(url.path, error) }
  }

  /// Opens the file at the first place that has it, and returns that place.
  func open() throws(StubResponseError.Reason) -> (url: URL, file: RegularFile) {
    for url in files {
      guard url.isFileURL else { throw .fixtureNotAFileURL(name) }
      do { return (url, try RegularFile(url)) } catch {
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
