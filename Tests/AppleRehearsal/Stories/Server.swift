import Foundation

/// A server on 127.0.0.1: what reached it reached the network.
final class Server: @unchecked Sendable {
  // @unchecked holds because what changes is guarded by `lock`.
  struct Request: Sendable {
    let line: String
    let headers: [String: String]
    let body: Data
  }

  struct Reply: Sendable {
    var status = 200
    var headers: [String: String] = [:]
    var body = Data("real".utf8)
    /// How much of the body is sent before the connection is closed; nil for all.
    var sentLength: Int?
    /// Whether the connection is closed without an answer.
    var isLost = false

    /// Demands a credential.
    static let demand = Reply(
      status: 401, headers: ["WWW-Authenticate": "Basic realm=\"r\""], body: Data("who?".utf8))
  }

  /// Redirects from /from to /to.
  @Sendable static func redirecting(_ request: Request) -> Reply {
    request.line == "GET /from"
      ? Reply(status: 302, headers: ["Location": "/to"], body: Data("moved".utf8)) : Reply()
  }

  let port: UInt16
  private let listener: Int32
  private let answer: @Sendable (Request) -> Reply
  private let lock = NSLock()
  private var received: [Request] = []

  init(answer: @escaping @Sendable (Request) -> Reply = { _ in Reply() }) throws {
    self.answer = answer
    #if canImport(Glibc)
      let stream = Int32(SOCK_STREAM.rawValue)
    #else
      let stream = SOCK_STREAM
    #endif
    let listener = socket(AF_INET, stream, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && listen(listener, 64) == 0 && getsockname(listener, $0, &length) == 0
      }
    }
    guard isBound else { throw URLError(.cannotConnectToHost) }
    self.listener = listener
    port = UInt16(bigEndian: address.sin_port)
    Thread.detachNewThread { [self] in serve() }
  }

  func url(_ path: String) -> URL { URL(string: "http://127.0.0.1:\(port)\(path)")! }
  var requests: [Request] { lock.withLock { received } }
  var lines: [String] { requests.map(\.line) }

  /// From here on it refuses connections.
  func stop() {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  private func serve() {
    while case let connection = accept(listener, nil, nil), connection >= 0 {
      #if !canImport(Glibc)
        var one: Int32 = 1
        setsockopt(connection, SOL_SOCKET, SO_NOSIGPIPE, &one, socklen_t(MemoryLayout<Int32>.size))
      #endif
      Thread.detachNewThread { [self] in
        converse(connection)
        close(connection)
      }
    }
  }

  private func converse(_ connection: Int32) {
    var bytes = Data()
    var piece = [UInt8](repeating: 0, count: 4_096)
    func receive() -> Bool {
      let count = recv(connection, &piece, piece.count, 0)
      if count > 0 { bytes += piece[..<count] }
      return count > 0
    }
    while bytes.range(of: Data("\r\n\r\n".utf8)) == nil { guard receive() else { return } }
    let end = bytes.range(of: Data("\r\n\r\n".utf8))!
    let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
    bytes = Data(bytes[end.upperBound...])
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
      if parts.count == 2 { headers[parts[0].lowercased()] = parts[1] }
    }
    if headers["transfer-encoding"] == "chunked" {
      while bytes.suffix(5) != Data("0\r\n\r\n".utf8) { guard receive() else { return } }
      bytes = Self.joined(chunks: bytes)
    } else {
      while bytes.count < headers["content-length"].flatMap({ Int($0) }) ?? 0 { guard receive() else { return } }
    }
    let line = lines[0].split(separator: " ").prefix(2).joined(separator: " ")
    let request = Request(line: line, headers: headers, body: bytes)
    lock.withLock { received.append(request) }
    let reply = answer(request)
    if reply.isLost { return }
    var head = "HTTP/1.1 \(reply.status) OK\r\nContent-Length: \(reply.body.count)\r\nConnection: close\r\n"
    for (name, value) in reply.headers { head += "\(name): \(value)\r\n" }
    let sent = Data((head + "\r\n").utf8) + reply.body.prefix(reply.sentLength ?? reply.body.count)
    _ = sent.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Self.flags) }
  }

  #if canImport(Glibc)
    private static let flags = Int32(MSG_NOSIGNAL)
  #else
    private static let flags: Int32 = 0
  #endif

  private static func joined(chunks: Data) -> Data {
    var (rest, body) = (chunks, Data())
    while let end = rest.range(of: Data("\r\n".utf8)),
      let length = Int(String(decoding: rest[..<end.lowerBound], as: UTF8.self), radix: 16), length > 0
    {
      let chunk = rest[end.upperBound...].prefix(length)
      body += chunk
      rest = rest[chunk.endIndex...].dropFirst(2)
    }
    return body
  }
}
