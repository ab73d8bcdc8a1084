import Foundation
import StubKit
import StubKitServer

/// A small server for a story about a recording: it counts what it is asked.
final class NewsServer: Sendable {
  private let server: StubServer
  private let service = StubRegistry()

  var url: URL { server.url }
  /// The number of requests that arrived.
  var requestCount: Int { service.journal.entries.count }

  init() async throws {
    server = try await StubServer(registry: service)
    stub(condition: isPath("/latest"), response: .redirect(to: "/news/7"), in: service)
    stub(condition: isPath("/news/7"), in: service) { _, match in .json(["title": "Zoë \(match.callNumber)"]) }
    stub(condition: isPath("/missing"), response: .text("no such news\n", status: 404), in: service)
    stub(condition: isPath("/count"), in: service) { _, match in .text("read \(match.callNumber) times") }
  }

  /// Ends the server: from now on nobody answers at the port.
  func stop() async { await server.stop() }
}
