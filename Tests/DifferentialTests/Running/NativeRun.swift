import Foundation
import StubKit
import TestSupport

extension Cell {
  /// Runs the cell against the server.
  func runNatively(against server: ScriptedServer) async throws -> Transcript {
    var transcript = try await runNativeClient(of: server)
    add(server.received, to: &transcript)
    return transcript
  }

  /// Runs the cell against the server. Returns what the client alone can tell.
  func runNativeClient(of server: ScriptedServer) async throws -> Transcript {
    try await Conversation(
      cell: self, port: server.port, configuration: .unstubbed, arrival: server.arrival, release: server.release
    ).run()
  }

  /// Whether a request leaves the client at all.
  var isSent: Bool { !exchange.isRefused && disturbance != .cancelBeforeResume && !hasBodyOfGET }

  /// Whether the client refuses to send the request. Without bytes in the request itself, it has no body.
  var hasBodyOfGET: Bool {
    let isNone = exchange.requestBody.isEmpty && (kind == .data || kind == .download)
    return exchange.sendsBodyAlways && method == "GET" && !isNone
  }

  /// Adds what came to whoever answered, and the header fields that came with each request, a line for each.
  ///
  /// The native loader drops the connection of a task that is suspended, and mostly, but not always, asks again when it
  /// is resumed: how often the server was asked is no part of a sequence.
  func add(_ requests: [ReceivedRequest], to transcript: inout Transcript) {
    transcript.add("received", once(requests.map(Describing.received)))
    transcript.add("headers", once(requests.map(Describing.wholeHeaders)).flatMap(\.self))
  }

  private func once<Line: Equatable>(_ lines: [Line]) -> [Line] {
    guard disturbance == .suspendDuringWait else { return lines }
    return lines.enumerated().filter { $0.offset == 0 || $0.element != lines[$0.offset - 1] }.map(\.element)
  }
}
