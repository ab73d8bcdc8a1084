import Dispatch
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A small real server on 127.0.0.1, for a story about a recording: it counts what it is asked.
final class NewsServer: Sendable {
  let port: UInt16
  private let listener: Int32
  private let lines = Lines()

  /// The request lines that arrived.
  var requests: [String] { lines.all }

  private final class Lines: @unchecked Sendable {
    // @unchecked holds because `stored` is touched under the lock only.
    private let lock = NSLock()
    private var stored: [String] = []

    var all: [String] { lock.withLock { stored } }
    func add(_ line: String) { lock.withLock { stored.append(line) } }
  }

  init() throws {
    #if canImport(Glibc)
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && listen(descriptor, 16) == 0 && getsockname(descriptor, $0, &length) == 0
      }
    }
    guard isBound else { throw CocoaError(.fileReadUnknown) }
    listener = descriptor
    port = UInt16(bigEndian: address.sin_port)
    Thread.detachNewThread { [self] in
      while case let connection = accept(listener, nil, nil), connection >= 0 {
        answer(connection)
        close(connection)
      }
      close(listener)
    }
  }

  /// Ends the server: from now on nobody answers at the port.
  func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

  private func answer(_ connection: Int32) {
    var received: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4_096)
    while !String(decoding: received, as: UTF8.self).contains("\r\n\r\n") {
      let count = recv(connection, &piece, piece.count, 0)
      guard count > 0 else { return }
      received += piece[..<count]
    }
    let text = String(decoding: received, as: UTF8.self)
    let line = text.split(separator: " ").prefix(2).joined(separator: " ")
    lines.add(line)
    let number = requests.count { $0 == line }
    let answer = Array(response(to: line, number).utf8)
    _ = answer.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, 0) }
  }

  private func response(to line: String, _ number: Int) -> String {
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
