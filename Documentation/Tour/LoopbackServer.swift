import Foundation

/// A server on 127.0.0.1, for the chapter that records it.
final class LoopbackServer: @unchecked Sendable {
  // @unchecked holds because `count` is used only under the lock, and the rest never changes.
  private let listener: CInt
  private let port: UInt16
  private let lock = NSLock()
  private var count = 0

  struct Failure: Error {}

  init() throws {
    #if canImport(Darwin)
      let stream = SOCK_STREAM
    #else
      let stream = CInt(SOCK_STREAM.rawValue)
    #endif
    let listener = socket(AF_INET, stream, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && listen(listener, 16) == 0 && getsockname(listener, $0, &length) == 0
      }
    }
    guard isBound else { throw Failure() }
    self.listener = listener
    port = UInt16(bigEndian: address.sin_port)
    Thread.detachNewThread { [self] in serve() }
  }

  var url: String { "http://127.0.0.1:\(port)" }

  /// The number of requests so far.
  var requestCount: Int { lock.withLock { count } }

  func stop() { shutdown(listener, CInt(SHUT_RDWR)) }

  private func serve() {
    while case let connection = accept(listener, nil, nil), connection >= 0 {
      lock.withLock { count += 1 }
      // Each connection has its own thread, so a slow one doesn't delay the others.
      Thread.detachNewThread { Self.answer(connection) }
    }
    close(listener)
  }

  private static func answer(_ connection: CInt) {
    var received: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4_096)
    while received.suffix(4) != Array("\r\n\r\n".utf8)[...] {
      let count = recv(connection, &piece, piece.count, 0)
      guard count > 0 else { break }
      received += piece[..<count]
    }
    let path = String(decoding: received, as: UTF8.self).split(separator: " ").dropFirst().first ?? "/"
    let (delay, body) = reply(to: path)
    Thread.sleep(forTimeInterval: delay)
    let head =
      "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n"
    var bytes = Array((head + body).utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, 0) }
      guard count > 0 else { break }
      bytes = bytes.dropFirst(count)
    }
    close(connection)
  }

  private static func reply(to path: Substring) -> (delay: TimeInterval, body: String) {
    switch path {
    case "/config": (0.02, #"{"version": 2}"#)
    case "/me": (0.03, #"{"name": "Ann"}"#)
    case "/news": (0.06, #"{"news": 3}"#)
    default: (0.1, "\"\(String(repeating: "photo ", count: 7_000))\"")
    }
  }
}
