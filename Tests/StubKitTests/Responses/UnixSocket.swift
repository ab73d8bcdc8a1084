import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A socket with a name in the file system. The name is short: it has 104 bytes on Apple platforms, and a temporary
/// folder there takes nearly all of them.
final class UnixSocket {
  let path = "/tmp/StubKit-\(getpid()).socket"
  private let descriptor: CInt

  init() throws {
    unlink(path)
    descriptor = socket(AF_UNIX, Self.stream, 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    try #require(path.utf8.count < MemoryLayout.size(ofValue: address.sun_path))
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let isBound = withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    try #require(isBound)
  }

  deinit {
    close(descriptor)
    unlink(path)
  }
}

extension UnixSocket {
  #if canImport(Glibc)
    private static let stream = CInt(SOCK_STREAM.rawValue)
  #else
    private static let stream = SOCK_STREAM
  #endif
}
