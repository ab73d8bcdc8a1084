import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A server on 127.0.0.1 that answers every request with a body of a given length. The body is never in memory as a
/// whole.
final class BodyServer: Sendable {
  let port: UInt16
  private let listener: Int32
  private let length: Int
  private static let piece = [UInt8](repeating: 0x2E, count: 1 << 16)

  init(length: Int) throws {
    #if canImport(Glibc)
      let stream = Int32(SOCK_STREAM.rawValue)
    #else
      let stream = SOCK_STREAM
    #endif
    let listener = socket(AF_INET, stream, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, size) == 0 && listen(listener, 8) == 0 && getsockname(listener, $0, &size) == 0
      }
    }
    guard isBound else { throw Probe.Failure(description: "No server can listen on 127.0.0.1.") }
    self.listener = listener
    self.length = length
    port = UInt16(bigEndian: address.sin_port)
    Thread.detachNewThread { [self] in serve() }
  }

  private func serve() {
    while case let connection = accept(listener, nil, nil), connection >= 0 {
      answer(connection)
      close(connection)
    }
  }

  private func answer(_ connection: Int32) {
    var received = [UInt8](repeating: 0, count: 4_096)
    // The requests are small, so each arrives in one piece.
    guard recv(connection, &received, received.count, 0) > 0 else { return }
    let head =
      "HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Length: \(length)\r\nConnection: close\r\n\r\n"
    guard send(Array(head.utf8)) else { return }
    var rest = length
    while rest > 0 {
      guard send(rest < Self.piece.count ? Array(Self.piece.prefix(rest)) : Self.piece) else { return }
      rest -= Self.piece.count
    }

    func send(_ bytes: [UInt8]) -> Bool {
      bytes.withUnsafeBytes { bytes in
        var sent = 0
        while sent < bytes.count {
          let count = write(connection, bytes.baseAddress! + sent, bytes.count - sent)
          guard count > 0 else { return false }
          sent += count
        }
        return true
      }
    }
  }
}
