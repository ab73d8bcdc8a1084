import Foundation

/// A server on 127.0.0.1: what reached it reached the network. It is stopped when the story lets go of it.
final class Server: Sendable {
  typealias Request = LoopbackRequest

  struct Reply: Sendable {
    var status = 200
    var headers: [String: String] = [:]
    var body = Data("real".utf8)
    /// How much of the body is sent before the connection is closed; nil for all.
    var sentLength: Int?
    /// Whether the connection is closed without an answer.
    var isLost = false

    /// Demands a credential.
    static let demand = Reply(status: 401, headers: ["WWW-Authenticate": "Basic realm=\"r\""], body: Data("who?".utf8))
  }

  /// Redirects from /from to /to.
  @Sendable static func redirecting(_ request: Request) -> Reply {
    request.line == "GET /from"
      ? Reply(status: 302, headers: ["Location": "/to"], body: Data("moved".utf8)) : Reply()
  }

  private let server: LoopbackServer

  init(answer: @escaping @Sendable (Request) -> Reply = { _ in Reply() }) throws {
    server = try LoopbackServer { request, connection in
      let reply = answer(request)
      if reply.isLost { return false }
      var head = "HTTP/1.1 \(reply.status) OK\r\nContent-Length: \(reply.body.count)\r\nConnection: close\r\n"
      for (name, value) in reply.headers { head += "\(name): \(value)\r\n" }
      _ = connection.write(Data((head + "\r\n").utf8) + reply.body.prefix(reply.sentLength ?? reply.body.count))
      return false
    }
  }

  var port: UInt16 { server.port }
  func url(_ path: String) -> URL { server.url(path) }
  var requests: [Request] { server.arrivals }
  var lines: [String] { requests.map(\.line) }

  /// From here on it refuses connections.
  func stop() { server.stop() }
}
