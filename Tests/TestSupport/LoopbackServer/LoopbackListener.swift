#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#elseif canImport(Darwin)
  import Darwin
#endif

/// A socket on this machine, at a port of the system's choice.
struct LoopbackListener: Sendable {
  let descriptor: Int32
  let port: UInt16

  struct Failure: Error { let call: String }

  /// - Parameters:
  ///   - host: The last byte of its address, 127.0.0.x.
  ///   - isListening: False for one that refuses connections, at a port that nobody else gets meanwhile.
  init(host: UInt8 = 1, isListening: Bool = true) throws {
    let descriptor = socket(AF_INET, Self.stream, 0)
    guard descriptor >= 0 else { throw Failure(call: "socket") }
    Self.closeOnExec(descriptor)
    var address = sockaddr_in(loopbackPort: 0, host: host)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && (!isListening || listen(descriptor, Int32(SOMAXCONN)) == 0)
          && getsockname(descriptor, $0, &length) == 0
      }
    }
    guard isBound else {
      close(descriptor)
      throw Failure(call: "bind")
    }
    self.descriptor = descriptor
    port = UInt16(bigEndian: address.sin_port)
  }
}

extension LoopbackListener {
  /// Blocks until a client connects. Returns a number below zero once the listener is shut down.
  static func accept(on listener: Int32) -> Int32 {
    while true {
      let descriptor = systemAccept(listener)
      // The client may have gone meanwhile, and a signal says nothing of the listener.
      if descriptor < 0, errno == EINTR || errno == ECONNABORTED { continue }
      guard descriptor >= 0 else { return descriptor }
      closeOnExec(descriptor)
      var yes: Int32 = 1
      setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
      return descriptor
    }
  }

  /// Keeps a socket from the processes that a test starts. They would hold its connection open.
  private static func closeOnExec(_ descriptor: Int32) { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }

  #if canImport(Glibc)
    static let stream = Int32(SOCK_STREAM.rawValue)
  #else
    static let stream = SOCK_STREAM
  #endif
}

extension sockaddr_in {
  /// A port of 127.0.0.x, or 0 for any free one.
  init(loopbackPort port: Int, host: UInt8 = 1) {
    self.init()
    sin_family = sa_family_t(AF_INET)
    sin_port = UInt16(port).bigEndian
    sin_addr.s_addr = (0x7F00_0000 + UInt32(host)).bigEndian
  }
}

/// Connects a socket. Returns `false` if nobody listens.
func connectSocket<Address>(_ descriptor: Int32, to address: Address) -> Bool {
  withUnsafePointer(to: address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      connect(descriptor, $0, socklen_t(MemoryLayout<Address>.size)) == 0
    }
  }
}

/// The system call, which has the name of a member there.
private func systemAccept(_ listener: Int32) -> Int32 { accept(listener, nil, nil) }

/// Sends all bytes, without the signal that a connection raises whose other end is gone. Returns `false` if it is gone.
func sendAll(_ descriptor: Int32, _ bytes: some Sequence<UInt8>) -> Bool {
  #if canImport(Darwin)
    var yes: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<Int32>.size))
    let flags: Int32 = 0
  #else
    let flags = Int32(MSG_NOSIGNAL)
  #endif
  var rest = Array(bytes)[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, flags) }
    guard count > 0 else { return false }
    rest = rest.dropFirst(count)
  }
  return true
}

/// Waits for bytes, and appends them. Returns how many came: none at the end, and below zero for an error.
func receive(_ descriptor: Int32, _ bytes: inout [UInt8]) -> Int {
  var piece = [UInt8](repeating: 0, count: 65_536)
  var count = 0
  repeat { count = recv(descriptor, &piece, piece.count, 0) } while count < 0 && errno == EINTR
  bytes += piece[..<max(0, count)]
  return count
}

/// Makes the end of a connection a reset.
func makeEndReset(_ descriptor: Int32) {
  var value = linger(l_onoff: 1, l_linger: 0)
  setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &value, socklen_t(MemoryLayout<linger>.size))
}
