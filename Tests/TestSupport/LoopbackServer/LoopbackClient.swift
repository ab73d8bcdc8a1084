import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#elseif canImport(Darwin)
  import Darwin
#endif

/// A TCP connection to a server on this machine, for requests byte by byte. It blocks the thread that it is used on, so
/// a test uses it inside `onOwnThread`.
package final class LoopbackClient: @unchecked Sendable {
  // @unchecked holds because one thread after the other uses it, and only `deinit` closes the descriptor.
  private let descriptor: Int32
  private var unread: [UInt8] = []

  /// How a connection ended.
  package enum End: Equatable, Sendable { case closed, reset, timedOut }

  /// - Parameter receiveBuffer: The number of bytes that the system keeps for the client, or `nil` for its default.
  package init(port: Int, isIPv6: Bool = false, receiveBuffer: Int32? = nil) throws {
    descriptor = socket(isIPv6 ? AF_INET6 : AF_INET, LoopbackListener.stream, 0)
    guard descriptor >= 0 else { throw LoopbackListener.Failure(call: "socket") }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    // In a whole run on two cores, the code that makes the server answer can wait a minute for a thread.
    var limit = timeval(tv_sec: 300, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    if var receiveBuffer {
      setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, socklen_t(MemoryLayout<Int32>.size))
    }
    let isConnected =
      isIPv6
      ? connectSocket(descriptor, to: Self.addressIPv6(port))
      : connectSocket(descriptor, to: sockaddr_in(loopbackPort: port))
    guard isConnected else { throw LoopbackListener.Failure(call: "connect") }
  }

  deinit { _ = close(descriptor) }

  private static func addressIPv6(_ port: Int) -> sockaddr_in6 {
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_port = UInt16(port).bigEndian
    address.sin6_addr = in6addr_loopback
    return address
  }

  /// Returns `false` if the server is gone.
  @discardableResult
  package func send(_ bytes: some Sequence<UInt8>) -> Bool { sendAll(descriptor, bytes) }

  @discardableResult
  package func send(_ text: String) -> Bool { send(text.utf8) }

  /// Tells the server that nothing more follows.
  package func endWriting() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Ends the connection with a reset when the client is released.
  package func resetAtEnd() { makeEndReset(descriptor) }

  /// Reads to the end of the connection.
  package func readToEnd() -> (bytes: [UInt8], end: End) {
    while true { if let end = readMore() { return (take(unread.count), end) } }
  }

  /// Reads until the bytes contain a text. Returns them up to its end, or `nil` if the connection ends before.
  package func read(through text: String) -> String? {
    while true {
      if let found = Data(unread).range(of: Data(text.utf8)) {
        return String(decoding: take(found.upperBound), as: UTF8.self)
      }
      guard readMore() == nil else { return nil }
    }
  }

  /// Reads a number of bytes, or as many as there are before the end of the connection.
  package func read(_ count: Int) -> [UInt8] {
    while unread.count < count { guard readMore() == nil else { break } }
    return take(min(count, unread.count))
  }

  private func take(_ count: Int) -> [UInt8] {
    defer { unread.removeFirst(count) }
    return Array(unread[..<count])
  }

  /// Returns `nil` if something was read.
  private func readMore() -> End? {
    let count = receive(descriptor, &unread)
    guard count > 0 else { return count == 0 ? .closed : errno == EAGAIN || errno == EWOULDBLOCK ? .timedOut : .reset }
    return nil
  }
}
