import Dispatch
import Foundation

/// A server that answers every request with the same bytes: a dispatch source and a serial queue for each connection,
/// and no parser. It is the floor for a server of stubs.
final class BareServer: Sendable {
  let port: Int
  private let listener: Int32

  init(body: String) throws {
    (listener, port) = try Loopback.listener()
    let response = Array(
      ("HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: \(body.utf8.count)\r\n"
        + "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n\r\n\(body)").utf8)
    Thread.detachNewThread { [listener] in
      while case let connection = accept(listener, nil, nil), connection >= 0 {
        Loopback.sendAtOnce(on: connection)
        let source = DispatchSource.makeReadSource(
          fileDescriptor: connection, queue: DispatchQueue(label: "bare \(connection)"))
        source.setEventHandler {
          var bytes = [UInt8](repeating: 0, count: 4_096)
          let count = recv(connection, &bytes, bytes.count, 0)
          // The source holds itself until its client closes the connection.
          guard count > 0 else { return source.cancel() }
          // Each request arrives whole, because the client waits for its response.
          if bytes[count - 1] == 0x0A { Loopback.send(response, on: connection) }
        }
        source.setCancelHandler { close(connection) }
        source.activate()
      }
      close(listener)
    }
  }

  func stop() { shutdown(listener, Int32(SHUT_RDWR)) }
}

/// Sockets on 127.0.0.1.
enum Loopback {
  #if canImport(Glibc)
    private static let stream = Int32(SOCK_STREAM.rawValue)
  #else
    private static let stream = SOCK_STREAM
  #endif

  static func listener() throws -> (descriptor: Int32, port: Int) {
    let descriptor = socket(AF_INET, stream, 0)
    var (address, size) = (address(port: 0), socklen_t(MemoryLayout<sockaddr_in>.size))
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, size) == 0 && listen(descriptor, SOMAXCONN) == 0 && getsockname(descriptor, $0, &size) == 0
      }
    }
    guard isBound else { throw Probe.Failure(description: "No server can listen on 127.0.0.1.") }
    return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
  }

  static func connection(to port: Int) throws -> Int32 {
    let descriptor = socket(AF_INET, stream, 0)
    var address = address(port: UInt16(port))
    let isConnected = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isConnected else { throw Probe.Failure(description: "Nobody listens on port \(port).") }
    sendAtOnce(on: descriptor)
    return descriptor
  }

  /// Sends all bytes, unless the other end closes the connection.
  static func send(_ bytes: [UInt8], on descriptor: Int32) {
    bytes.withUnsafeBytes { bytes in
      var sent = 0
      while sent < bytes.count {
        let count = write(descriptor, bytes.baseAddress! + sent, bytes.count - sent)
        guard count > 0 else { return }
        sent += count
      }
    }
  }

  static func sendAtOnce(on descriptor: Int32) {
    var yes: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
  }

  private static func address(port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }
}
