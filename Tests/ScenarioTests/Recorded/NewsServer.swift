import Foundation
import TestSupport

/// A small real server, for a story about a recording: it counts what it is asked.
final class NewsServer: Sendable {
  private let server: LoopbackServer

  var port: UInt16 { server.port }
  /// The request lines that arrived.
  var requests: [String] { server.requests }

  init() throws {
    let counts = Locked<[String: Int]>([:])
    server = try LoopbackServer { line, _, send in
      let number = counts.withLock { counts in
        counts[line, default: 0] += 1
        return counts[line, default: 0]
      }
      send(Data(Self.response(to: line, number).utf8))
    }
  }

  /// Ends the server: from now on nobody answers at the port.
  func stop() { server.stop() }

  private static func response(to line: String, _ number: Int) -> String {
    func respond(_ head: String, _ body: String) -> String {
      "HTTP/1.1 \(head)\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"
    }
    switch line.split(separator: "?")[0] {
    case "GET /latest": return respond("302 Found\r\nLocation: /news/7", "")
    case "GET /news/7": return respond("200 OK\r\nContent-Type: application/json", #"{"title": "Zoë \#(number)"}"#)
    case "GET /missing": return respond("404 Not Found", "no such news\n")
    default: return respond("200 OK", "read \(number) times")
    }
  }
}
