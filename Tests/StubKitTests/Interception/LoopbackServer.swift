import Dispatch
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A server on 127.0.0.1 that answers each request with `real METHOD /path`, to tell what reached the network.
final class LoopbackServer: Sendable {
  let port: UInt16
  private let listener: Int32
  private let realm: String?
  private let reply: Reply?
  private let lines = Locked<[String]>([])
  private let received = Locked<[Received]>([])

  /// The request lines that arrived, without the version.
  var requests: [String] { lines.withLock { $0 } }

  /// One request, as it came in.
  struct Received {
    /// The headers as they were sent, their names in lower case.
    let headers: [String: String]
    let body: Data
  }

  /// The requests that arrived whole.
  var arrivals: [Received] { received.withLock { $0 } }

  /// Sends what is to be answered, head and all, to a request with this line and these headers.
  typealias Reply = @Sendable (_ line: String, _ headers: [String: String], _ send: (Data) -> Void) -> Void

  /// - Parameters:
  ///   - realm: What it asks for a credential for, with a 401; nil for a server that asks for none.
  ///   - reply: What it answers instead.
  init(realm: String? = nil, reply: Reply? = nil) throws {
    self.realm = realm
    self.reply = reply
    let socket = try LoopbackListener()
    (listener, port) = (socket.descriptor, socket.port)
    Thread.detachNewThread { [self] in serve() }
  }

  func url(_ path: String) -> URL { URL(string: "http://127.0.0.1:\(port)\(path)")! }

  /// Ends the server; the connections it has are answered.
  func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

  private func serve() {
    while case let connection = accept(listener, nil, nil), connection >= 0 {
      guard reply != nil else {
        answer(connection)
        close(connection)
        continue
      }
      // An answer may wait for something.
      Thread.detachNewThread { [self] in
        answer(connection)
        close(connection)
      }
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
    receiveBody(on: connection, received)
    if let reply {
      let headers = self.received.withLock { $0.last?.headers ?? [:] }
      return reply(line, headers) { bytes in
        _ = bytes.withUnsafeBytes { sendWithoutSignal(connection, $0) }
      }
    }
    let isKnown = String(decoding: received, as: UTF8.self).lowercased().contains("\r\nauthorization:")
    let demand = isKnown ? nil : realm
    let body = demand == nil ? "real \(line)" : "who?"
    let head = demand.map { "401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"\($0)\"" } ?? "200 OK"
    let answer = "HTTP/1.1 \(head)\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"
    _ = Array(answer.utf8).withUnsafeBytes { sendWithoutSignal(connection, $0) }
  }

  private func receiveBody(on connection: Int32, _ beginning: [UInt8]) {
    var bytes = Data(beginning)
    guard let end = bytes.range(of: Data("\r\n\r\n".utf8)) else { return }
    let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n").dropFirst()
    var headers: [String: String] = [:]
    for line in lines {
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      headers[parts[0].lowercased()] = parts.last.map { $0.trimmingCharacters(in: .whitespaces) }
    }
    bytes = Data(bytes[end.upperBound...])
    if headers["expect"] != nil {
      _ = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8).withUnsafeBytes { sendWithoutSignal(connection, $0) }
    }
    let isChunked = headers["transfer-encoding"] == "chunked"
    let length = headers["content-length"].flatMap { Int($0) } ?? 0
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while isChunked ? bytes.suffix(5) != Data("0\r\n\r\n".utf8) : bytes.count < length {
      let count = recv(connection, &piece, piece.count, 0)
      guard count > 0 else { return }
      bytes.append(contentsOf: piece[..<count])
    }
    let body = isChunked ? Self.joined(chunks: bytes) : bytes
    received.withLock { $0.append(Received(headers: headers, body: body)) }
  }

  /// What chunks carry (RFC 9112, section 7.1).
  private static func joined(chunks: Data) -> Data {
    var rest = chunks
    var body = Data()
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
