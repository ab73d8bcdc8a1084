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

/// One TCP connection of a server: reads requests and writes bytes, and blocks the thread that it is used on.
package struct LoopbackConnection: ~Copyable {
  private let descriptor: Int32
  private var unread: [UInt8] = []

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { _ = close(descriptor) }

  /// The head of the next request, or `nil` if the client has closed the connection.
  mutating func nextHead() -> LoopbackRequest? {
    guard let head = readLines() else { return nil }
    let start = head[0].split(separator: " ")
    guard start.count == 3 else { return nil }
    let fields = head.dropFirst().map { line in
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      return (name: String(parts[0]), value: parts.count == 2 ? parts[1].trimmingCharacters(in: .whitespaces) : "")
    }
    return LoopbackRequest(method: String(start[0]), target: String(start[1]), fields: fields)
  }

  /// Returns `false` if the client has closed the connection before the end of the body.
  mutating func readBody(of request: inout LoopbackRequest) -> Bool {
    if request["Expect"] != nil { _ = write(Data("HTTP/1.1 100 Continue\r\n\r\n".utf8)) }
    let body: Data? =
      if request["Transfer-Encoding"]?.lowercased() == "chunked" {
        readChunks()
      } else {
        read(request["Content-Length"].flatMap { Int($0) } ?? 0)
      }
    request.body = body ?? Data()
    return body != nil
  }

  /// Returns `false` if the client is gone.
  package func write(_ data: Data) -> Bool { sendAll(descriptor, data) }

  /// Makes the connection's end a reset, so that the client sees an error where it would see the end of the data.
  package func resetAtEnd() { makeEndReset(descriptor) }

  /// Blocks until the client closes the connection.
  package mutating func waitForEnd() { while readMore() {} }

  /// The lines up to an empty one.
  private mutating func readLines() -> [String]? {
    var lines: [String] = []
    while let line = readLine() {
      if line.isEmpty { return lines.isEmpty ? nil : lines }
      lines.append(line)
    }
    return nil
  }

  private mutating func readLine() -> String? {
    while true {
      if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: unread[..<end], as: UTF8.self)
        unread.removeFirst(end + 1)
        return line.hasSuffix("\r\n") || line.hasSuffix("\r") ? String(line.dropLast()) : line
      }
      guard readMore() else { return nil }
    }
  }

  private mutating func readChunks() -> Data? {
    var body = Data()
    while let line = readLine(), let length = Int(line, radix: 16) {
      guard let chunk = read(length), readLine() != nil else { return nil }
      if length == 0 { return body }
      body += chunk
    }
    return nil
  }

  private mutating func read(_ length: Int) -> Data? {
    while unread.count < length { guard readMore() else { return nil } }
    defer { unread.removeFirst(length) }
    return Data(unread[..<length])
  }

  private mutating func readMore() -> Bool { receive(descriptor, &unread) > 0 }
}
