import Foundation

/// A place in the temporary directory for a file or a folder, where nothing is left when the process ends: not by a test in a
/// process of its own either, which ends before it lets go of anything.
package func temporaryPlace(_ suffix: String = "") -> URL {
  let url = FileManager.default.temporaryDirectory.appendingPathComponent("StubKitTests-\(UUID().uuidString)\(suffix)")
  _ = removal
  places.withLock { _ = $0.insert(url) }
  return url
}

/// Removes what is in a temporary place.
package func removePlace(_ url: URL) {
  try? FileManager.default.removeItem(at: url)
  places.withLock { _ = $0.remove(url) }
}

private let places = Locked<Set<URL>>([])
private let removal: Void = {
  _ = atexit { for url in places.withLock({ $0 }) { try? FileManager.default.removeItem(at: url) } }
}()

/// A folder that is gone when the test lets go of it.
package final class TestFolder: Sendable {
  package let url = temporaryPlace()

  package init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

  /// Of what is in it, in order.
  package var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted() }

  deinit { removePlace(url) }
}
