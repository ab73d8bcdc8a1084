import Dispatch
import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A server on 127.0.0.1 that answers each request with `real METHOD /path`, to tell what reached the network.
final class LoopbackServer: Sendable {
  let port: UInt16
  private let listener: Int32
  private let lines = Mutex<[String]>([])

  /// The request lines that arrived, without the version.
  var requests: [String] { lines.withLock { $0 } }

  struct Failure: Error { let call: String }

  init() throws {
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard listener >= 0 else { throw Failure(call: "socket") }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = listener
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && listen(descriptor, 64) == 0 && getsockname(descriptor, $0, &length) == 0
      }
    }
    guard isBound else { throw Failure(call: "bind") }
    port = UInt16(bigEndian: address.sin_port)
    Thread.detachNewThread { [self] in serve() }
  }

  func url(_ path: String) -> URL { URL(string: "http://127.0.0.1:\(port)\(path)")! }

  /// Ends the server; the connections it has are answered.
  func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

  private func serve() {
    while case let connection = accept(listener, nil, nil), connection >= 0 {
      answer(connection)
      close(connection)
    }
    close(listener)
  }

  private func answer(_ connection: Int32) {
    var received: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4_096)
    while !String(decoding: received, as: UTF8.self).contains("\r\n\r\n") {
      let count = recv(connection, &piece, piece.count, 0)
      guard count > 0 else { return }
      received += piece[..<count]
    }
    let line = String(decoding: received, as: UTF8.self).split(separator: " ").prefix(2).joined(separator: " ")
    lines.withLock { $0.append(line) }
    let body = "real \(line)"
    let answer = "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"
    _ = Array(answer.utf8).withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
  }
}
