import Foundation

/// A folder that is gone when the test lets go of it.
package final class TestFolder: Sendable {
  package let url = FileManager.default.temporaryDirectory.appendingPathComponent("StubKitTests-\(UUID().uuidString)")

  package init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

  /// Of what is in it, in order.
  package var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted() }

  deinit { try? FileManager.default.removeItem(at: url) }
}
