import Foundation
import StubKit
import StubKitServer
import TestSupport

extension Cell {
  /// Runs the cell against stubs that a server serves, with the native loader.
  func runServed(deadline: Double = Conversation.longestTime) async throws -> Transcript {
    try await withStubServer { server in
      let (arrival, release) = (Latch(), Latch())
      defer { release.open() }
      let port = UInt16(server.port)
      exchange.stub(kind, onPort: port, arrival: disturbance == .none ? nil : arrival, release: release)
      let configuration = URLSessionConfiguration.ephemeral
      HTTPStubs.setEnabled(false, for: configuration)
      StubRegistry.current.onStubActivation { _, _, _ in removeNativeDownloads() }
      let conversation = Conversation(
        cell: self, url: exchange.url(port: port), configuration: configuration, arrival: arrival, release: release,
        deadline: deadline)
      return try await conversation.run()
    }
  }

  /// The run of the same cell against a server that sends what the stubs say.
  func runNativelyAlone(deadline: Double = Conversation.longestTime) async throws -> Transcript {
    let server = try ScriptedServer(exchange.routes)
    defer {
      server.release.open()
      server.stop()
    }
    let configuration = URLSessionConfiguration.ephemeral
    HTTPStubs.setEnabled(false, for: configuration)
    return try await Conversation(
      cell: self, url: exchange.url(port: server.port), configuration: configuration, arrival: server.arrival,
      release: server.release, deadline: deadline
    ).run()
  }
}
