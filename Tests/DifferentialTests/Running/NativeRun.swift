import Foundation
import StubKit

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension Cell {
  /// Runs the cell against a real server.
  func runNatively() async throws -> Transcript {
    let release = Latch()
    let server = try ScriptedServer(exchange.routes, release: release)
    if exchange.isRefused { server.stop() }
    defer {
      release.open()
      server.stop()
    }
    let configuration = URLSessionConfiguration.ephemeral
    HTTPStubs.setEnabled(false, for: configuration)
    let conversation = Conversation(
      cell: self, url: exchange.url(port: server.port), configuration: configuration, arrival: server.arrival,
      release: release)
    var transcript = await conversation.run()
    transcript.add("received", server.received.map(Describing.received))
    return transcript
  }
}

extension Exchange {
  func url(port: UInt16) -> URL { URL(string: "http://127.0.0.1:\(port)\(target)")! }
}
