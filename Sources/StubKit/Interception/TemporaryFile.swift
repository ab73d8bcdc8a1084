import Foundation

/// The file of a download, removed again unless its receiver gets it.
final class TemporaryFile: Sendable {
  private let url = FileManager.default.temporaryDirectory.appendingPathComponent("StubKit-\(UUID().uuidString).tmp")
  private let isHandedOver = Protected(false)

  init(_ body: DeliveryBody) throws { try body.write(to: url) }

  /// From here on the file is its receiver's.
  func handOver() -> URL {
    isHandedOver.withLock { $0 = true }
    return url
  }

  deinit {
    if !isHandedOver.withLock({ $0 }) { try? FileManager.default.removeItem(at: url) }
  }
}
