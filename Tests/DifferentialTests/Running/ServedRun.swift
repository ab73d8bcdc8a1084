import Foundation
import StubKitServer
import TestSupport

extension Cell {
  /// Runs the cell against stubs that a server serves, with the native loader.
  func runServed() async throws -> Transcript {
    try await withStubServer { server in
      let (arrival, release) = (Latch(), Latch())
      defer { release.open() }
      let port = UInt16(server.port)
      exchange.stub(onPort: port, arrival: disturbance == .none ? nil : arrival, release: release)
      StubRegistry.current.onActivation { _, _, _ in removeNativeDownloads() }
      return try await Conversation(
        cell: self, port: port, configuration: .unstubbed, arrival: arrival, release: release
      ).run()
    }
  }
}
