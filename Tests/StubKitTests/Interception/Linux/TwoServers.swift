#if os(Linux)
  import Foundation
  import TestSupport

  @testable import StubKit

  /// Two servers: one of this machine, whose requests pass where those to others don't, and one at 127.0.0.2, which
  /// counts as another machine.
  ///
  /// Both redirect what asks for a path that begins with `/to`, and answer everything else.
  final class TwoServers: Sendable {
    let near: LoopbackServer
    let far: LoopbackServer
    private let target: Locked<String>

    /// Another machine, for each test of the process. No other test asks it.
    private static let isFar: Void = String.foreignHostsForTests.discard { $0.insert("127.0.0.2") }

    /// - Parameters:
    ///   - status: The status of a redirect.
    ///   - fields: Other header fields of a redirect, as lines.
    ///   - realm: What the near server asks for a credential for, before it redirects. Defaults to `nil`: nothing.
    init(status: Int = 302, fields: String = "", realm: String? = nil) throws {
      _ = Self.isFar
      let target = Locked("")
      func server(_ host: UInt8, _ realm: String?) throws -> LoopbackServer {
        try LoopbackServer(host: host) { request, connection in
          let isRedirected = request.target.hasPrefix("/to")
          var body = request.method == "HEAD" ? "" : isRedirected ? "away" : "real \(request.line)"
          var head = "200 OK"
          if let realm, request["Authorization"] == nil {
            head = "401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"\(realm)\""
            body = ""
          } else if isRedirected {
            head = "\(status) Moved\r\nLocation: \(target.withLock { $0 })\r\n\(fields)".trimmingCharacters(
              in: .newlines)
          }
          _ = connection.write(
            Data("HTTP/1.1 \(head)\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)".utf8))
          return false
        }
      }
      self.target = target
      near = try server(1, realm)
      far = try server(2, nil)
      lead("FAR/x")
    }

    /// Lets both redirect to a place, in which NEAR and FAR stand for the servers and PORT for the port of the far one.
    func lead(_ location: String) {
      let location = location.replacing("NEAR", with: "http://127.0.0.1:\(near.port)")
        .replacing("FAR", with: "http://127.0.0.2:\(far.port)").replacing("PORT", with: "\(far.port)")
      target.withLock { $0 = location }
    }

    /// What reached the servers, with the fields that are the client's own.
    var arrivals: [String] {
      [("near", near), ("far", far)].flatMap { name, server in
        server.arrivals.map { request in
          let fields = request.fields.filter { Self.shown.contains($0.name.lowercased()) }
          return "\(name) \(request.line) \(fields.map { "\($0.name): \($0.value)" }.sorted()) \(request.body.text)"
        }
      }
    }

    private static let shown: Set = ["authorization", "content-length", "content-type", "cookie", "x-own"]
  }
#endif
