import Dispatch
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A server that answers every request with the same bytes: a dispatch source and a serial queue for each connection, and
/// no parser. It is the floor for a server of stubs.
final class BareServer: Sendable {
  let port: Int
  private let listener: Int32
  private let sources = Sources()

  private final class Sources: @unchecked Sendable {
    // @unchecked holds because `all` is touched under the lock only.
    private let lock = NSLock()
    private var all: [any DispatchSourceRead] = []

    func add(_ source: any DispatchSourceRead) { lock.withLock { all.append(source) } }
    func cancel() { lock.withLock { for source in all { source.cancel() } } }
  }

  init(body: String) throws {
    (listener, port) = try Loopback.listen()
    let response = Array(
      ("HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: \(body.utf8.count)\r\n"
        + "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n\r\n\(body)").utf8)
    Thread.detachNewThread { [listener, sources] in
      while case let connection = accept(listener, nil, nil), connection >= 0 {
        Loopback.sendAtOnce(on: connection)
        let source = DispatchSource.makeReadSource(
          fileDescriptor: connection, queue: DispatchQueue(label: "bare \(connection)"))
        source.setEventHandler {
          var bytes = [UInt8](repeating: 0, count: 4_096)
          let count = recv(connection, &bytes, bytes.count, 0)
          guard count > 0 else { return source.cancel() }
          // Each request arrives whole, because the client waits for its response.
          guard bytes[count - 1] == 0x0A else { return }
          _ = response.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Loopback.withoutSignal) }
        }
        source.setCancelHandler { close(connection) }
        source.activate()
        sources.add(source)
      }
      close(listener)
    }
  }

  func stop() {
    shutdown(listener, Int32(SHUT_RDWR))
    sources.cancel()
  }
}

/// Sockets on 127.0.0.1.
enum Loopback {
  #if canImport(Glibc)
    static let withoutSignal = Int32(MSG_NOSIGNAL)
    private static let stream = Int32(SOCK_STREAM.rawValue)
  #else
    static let withoutSignal: Int32 = 0
    private static let stream = SOCK_STREAM
  #endif

  static func listen() throws -> (descriptor: Int32, port: Int) {
    let descriptor = socket(AF_INET, stream, 0)
    var (address, size) = (address(port: 0), socklen_t(MemoryLayout<sockaddr_in>.size))
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, size) == 0 && systemListen(descriptor, SOMAXCONN) == 0
          && getsockname(descriptor, $0, &size) == 0
      }
    }
    guard isBound else { throw Probe.Failure(description: "No server can listen on 127.0.0.1.") }
    return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
  }

  static func connect(port: Int) throws -> Int32 {
    let descriptor = socket(AF_INET, stream, 0)
    var address = address(port: UInt16(port))
    let isConnected = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        systemConnect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isConnected else { throw Probe.Failure(description: "Nobody listens on port \(port).") }
    sendAtOnce(on: descriptor)
    return descriptor
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

// The system calls whose names are those of members above.
private func systemListen(_ descriptor: Int32, _ backlog: Int32) -> Int32 { listen(descriptor, backlog) }
private func systemConnect(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Int32 {
  connect(descriptor, address, length)
}
