import Foundation

/// A place in the temporary directory for a file or a folder, where nothing is left when the process ends: not by a
/// test in a process of its own either, which ends before it lets go of anything.
package func temporaryPlace(_ suffix: String = "") -> URL {
  let url = FileManager.default.temporaryDirectory.appendingPathComponent("StubKitTests-\(UUID().uuidString)\(suffix)")
  places.withLock { _ = $0.insert(url) }
  return url
}

/// Removes what is in a temporary place.
package func removePlace(_ url: URL) {
  try? FileManager.default.removeItem(at: url)
  places.withLock { _ = $0.remove(url) }
}

/// Leaves nothing of the files to which URLSession's own loader writes downloads now. It leaves those of downloads that
/// fail behind, and doesn't tell their names.
package func removeNativeDownloads() {
  #if os(Linux)
    for descriptor in (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? [] {
      let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
      guard let file = path.map(URL.init(fileURLWithPath:)), file.pathExtension == "tmp",
        UUID(uuidString: file.deletingPathExtension().lastPathComponent) != nil
      else { continue }
      places.withLock { _ = $0.insert(file) }
    }
  #endif
}

private let places: Locked<Set<URL>> = {
  _ = atexit { for url in places.withLock({ $0 }) { try? FileManager.default.removeItem(at: url) } }
  return Locked([])
}()

/// A folder that is gone when the test lets go of it.
package final class TestFolder: Sendable {
  package let url = temporaryPlace()

  package init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

  /// Of what is in it, in order.
  package var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted() }

  package func file(_ name: String) -> URL { url.appendingPathComponent(name) }

  package func write(_ text: String, to name: String) throws { try Data(text.utf8).write(to: file(name)) }

  deinit { removePlace(url) }
}
