import Foundation
import StubKit

extension Cell {
  /// Runs the cell against the server.
  func runNatively(
    against server: ScriptedServer, deadline: Double = Conversation.longestTime
  ) async throws -> Transcript {
    let configuration = URLSessionConfiguration.ephemeral
    HTTPStubs.setEnabled(false, for: configuration)
    let conversation = Conversation(
      cell: self, url: exchange.url(port: server.port), configuration: configuration,
      arrival: server.arrival, release: server.release, deadline: deadline)
    var transcript = try await conversation.run()
    transcript.add("received", received(server.received))
    transcript.add("headers", receivedHeaders(server.received))
    return transcript
  }

  /// Whether a request leaves the client at all.
  var isSent: Bool {
    !exchange.isRefused && disturbance != .cancelBeforeResume && !hasBodyOfGET
  }

  /// Whether the client refuses to send the request. Without bytes in the request itself, it has no body.
  var hasBodyOfGET: Bool {
    let isNone = exchange.requestBody.isEmpty && (kind == .data || kind == .download)
    return exchange.sendsBodyAlways && method == "GET" && !isNone
  }

  /// What came to whoever answered.
  ///
  /// The native loader drops the connection of a task that is suspended, and mostly, but not always, asks again when it
  /// is resumed: how often the server was asked is no part of a sequence.
  func received(_ requests: [ReceivedRequest]) -> [String] { once(requests.map(Describing.received)) }

  /// The header fields that came with each request, a line for each.
  func receivedHeaders(_ requests: [ReceivedRequest]) -> [String] {
    once(requests.map(Describing.wholeHeaders)).flatMap(\.self)
  }

  private func once<Line: Equatable>(_ lines: [Line]) -> [Line] {
    guard disturbance == .suspendDuringWait else { return lines }
    return lines.enumerated().filter { $0.offset == 0 || $0.element != lines[$0.offset - 1] }.map(\.element)
  }
}

extension Exchange {
  func url(port: UInt16) -> URL { URL(string: "http://\(user)127.0.0.1:\(port)\(target)")! }
}
