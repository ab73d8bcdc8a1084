#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#elseif canImport(Darwin)
  import Darwin
#endif

/// The system calls of sockets. Every socket is non-blocking, and closed in the processes that the test starts, which
/// would otherwise hold its connection open.
enum Sockets {
  /// A failed system call.
  struct Failure: Error {
    let call: String
    var code = errno

    var isAddressInUse: Bool { code == EADDRINUSE }
  }

  /// Returns a socket that listens on 127.0.0.1 or ::1, and its port.
  ///
  /// - Parameter port: The port, or 0 for any free one.
  static func listener(port: UInt16, isIPv6: Bool) throws(Failure) -> (descriptor: Int32, port: UInt16) {
    #if canImport(Darwin)
      // With SO_REUSEADDR, BSD's sockets bind the loopback address of a port on which a listener of all addresses
      // waits.
      if port != 0, isTakenForAllAddresses(port) { throw Failure(call: "bind", code: EADDRINUSE) }
    #endif
    let descriptor = socket(isIPv6 ? AF_INET6 : AF_INET, stream, 0)
    guard descriptor >= 0 else { throw Failure(call: "socket") }
    _ = prepare(descriptor)
    // Connections that were closed a moment ago don't keep the port.
    set(SOL_SOCKET, SO_REUSEADDR, of: descriptor)
    if isIPv6 { set(Int32(IPPROTO_IPV6), IPV6_V6ONLY, of: descriptor) }
    if let bound = boundPort(of: descriptor, isIPv6, port: port, isLoopback: true),
      listen(descriptor, SOMAXCONN) == 0
    {
      return (descriptor, bound)
    }
    let failure = Failure(call: "bind")
    Sockets.close(descriptor)
    throw failure
  }

  /// Returns whether a listener of all addresses has a port. Connections that were closed a moment ago don't count.
  static func isTakenForAllAddresses(_ port: UInt16) -> Bool {
    [AF_INET, AF_INET6].contains { family in
      let descriptor = socket(family, stream, 0)
      guard descriptor >= 0 else { return false }
      defer { Sockets.close(descriptor) }
      set(SOL_SOCKET, SO_REUSEADDR, of: descriptor)
      return boundPort(of: descriptor, family == AF_INET6, port: port, isLoopback: false) == nil && errno == EADDRINUSE
    }
  }

  /// Binds a socket, and returns its port, or `nil` if that fails.
  private static func boundPort(of descriptor: Int32, _ isIPv6: Bool, port: UInt16, isLoopback: Bool) -> UInt16? {
    if isIPv6 {
      var address = sockaddr_in6(port: port, isLoopback: isLoopback)
      return isBound(descriptor, to: &address) ? UInt16(bigEndian: address.sin6_port) : nil
    }
    var address = sockaddr_in(port: port, isLoopback: isLoopback)
    return isBound(descriptor, to: &address) ? UInt16(bigEndian: address.sin_port) : nil
  }

  private static func isBound<Address>(_ descriptor: Int32, to address: inout Address) -> Bool {
    var length = socklen_t(MemoryLayout<Address>.size)
    // The address may be rebound, because the system reads and writes at most `length` bytes, which is its size.
    return withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
      }
    }
  }

  enum Accepted {
    case socket(Int32)
    /// Nobody waits.
    case none
    /// The process has no free descriptor.
    case exhausted
  }

  static func nextConnection(of listener: Int32) -> Accepted {
    while true {
      let descriptor = accept(listener, nil, nil)
      if descriptor >= 0 {
        // Darwin refuses the option for a connection that the client has reset, where `send` would raise SIGPIPE.
        guard prepare(descriptor) else {
          close(descriptor)
          continue
        }
        set(Int32(IPPROTO_TCP), TCP_NODELAY, of: descriptor)
        return .socket(descriptor)
      }
      switch errno {
      // The client may have gone meanwhile.
      case EINTR, ECONNABORTED: continue
      case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .exhausted
      default: return .none
      }
    }
  }

  /// The two ends of a pipe.
  static func makePipe() throws(Failure) -> (read: Int32, write: Int32) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw Failure(call: "pipe") }
    for end in ends { _ = prepare(end) }
    return (ends[0], ends[1])
  }

  enum Transfer {
    case bytes(Int)
    /// It would have to wait.
    case later
    /// The other end has closed its side, or is gone.
    case over
  }

  static func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Transfer {
    transfer { recv(descriptor, buffer.baseAddress, buffer.count, 0) }
  }

  /// Sends bytes without the signal that a connection raises whose other end is gone.
  ///
  /// - Parameter bytes: At least one byte.
  static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Transfer {
    transfer { send(descriptor, bytes.baseAddress, bytes.count, sendFlags) }
  }

  private static func transfer(_ call: () -> Int) -> Transfer {
    while true {
      let count = call()
      if count > 0 { return .bytes(count) }
      if count == 0 { return .over }
      if errno == EINTR { continue }
      return errno == EAGAIN || errno == EWOULDBLOCK ? .later : .over
    }
  }

  static func close(_ descriptor: Int32) { _ = systemClose(descriptor) }

  /// Tells the other end that nothing more follows.
  static func endWriting(_ descriptor: Int32) { _ = shutdown(descriptor, Int32(SHUT_WR)) }

  /// Closes a connection so that the other end sees a reset.
  static func reset(_ descriptor: Int32) {
    var value = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &value, socklen_t(MemoryLayout<linger>.size))
    close(descriptor)
  }

  /// Returns whether `send` can raise no signal.
  private static func prepare(_ descriptor: Int32) -> Bool {
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    #if canImport(Darwin)
      return set(SOL_SOCKET, SO_NOSIGPIPE, of: descriptor)
    #else
      return true
    #endif
  }

  @discardableResult
  private static func set(_ level: Int32, _ option: Int32, of descriptor: Int32) -> Bool {
    var yes: Int32 = 1
    return setsockopt(descriptor, level, option, &yes, socklen_t(MemoryLayout<Int32>.size)) == 0
  }

  #if canImport(Glibc)
    static let stream = Int32(SOCK_STREAM.rawValue)
  #elseif canImport(Darwin)
    static let stream = Darwin.SOCK_STREAM
  #else
    static let stream = SOCK_STREAM
  #endif

  #if canImport(Darwin)
    private static let sendFlags: Int32 = 0

    /// The number of bytes that the other end has not acknowledged.
    static func unsentByteCount(_ descriptor: Int32) -> Int {
      var count: Int32 = 0
      var length = socklen_t(MemoryLayout<Int32>.size)
      return getsockopt(descriptor, SOL_SOCKET, SO_NWRITE, &count, &length) == 0 ? Int(count) : 0
    }
  #else
    private static let sendFlags = Int32(MSG_NOSIGNAL)

    /// The number of bytes that the other end has not acknowledged.
    static func unsentByteCount(_ descriptor: Int32) -> Int {
      var count: Int32 = 0
      return ioctl(descriptor, numericCast(TIOCOUTQ), &count) == 0 ? Int(count) : 0
    }
  #endif
}

// The system call whose name is that of a member above.
private func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }

// Without an address of their own, they stand for all addresses.
extension sockaddr_in {
  fileprivate init(port: UInt16, isLoopback: Bool) {
    self.init()
    sin_family = sa_family_t(AF_INET)
    sin_port = port.bigEndian
    if isLoopback { sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian }
  }
}

extension sockaddr_in6 {
  fileprivate init(port: UInt16, isLoopback: Bool) {
    self.init()
    sin6_family = sa_family_t(AF_INET6)
    sin6_port = port.bigEndian
    if isLoopback { sin6_addr = in6addr_loopback }
  }
}
