import Foundation
import FoundationNetworking

/// One request and its answer on a socket.
final class Exchange {
  private let url: URL
  private let descriptor: Int32
  private let register: (Int32?) -> Bool
  private var rest = Data()
  private var length: Int?
  private var hasBody = true

  /// - Parameter register: Is told of the socket; says no once the load is cancelled.
  init(_ request: URLRequest, _ body: Data, register: @escaping (Int32?) -> Bool) throws {
    guard let url = request.url, let host = url.host else { throw URLError(.badURL) }
    self.url = url
    self.register = register
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(url.port ?? 80).bigEndian
    address.sin_addr.s_addr = inet_addr(host == "localhost" ? "127.0.0.1" : host)
    let isConnected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard register(descriptor) else {
      end()
      throw URLError(.cancelled)
    }
    guard address.sin_addr.s_addr != UInt32.max else {
      end()
      throw URLError(.cannotFindHost, userInfo: [NSURLErrorFailingURLErrorKey: url])
    }
    guard isConnected else {
      end()
      throw URLError(.cannotConnectToHost, userInfo: [NSURLErrorFailingURLErrorKey: url])
    }
    let path = (url.path.isEmpty ? "/" : url.path) + (url.query.map { "?\($0)" } ?? "")
    var head = "\(request.httpMethod ?? "GET") \(path) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n"
    for (name, value) in request.allHTTPHeaderFields ?? [:] { head += "\(name): \(value)\r\n" }
    if !body.isEmpty { head += "Content-Length: \(body.count)\r\n" }
    // No field of the request shows it.
    if !body.isEmpty, request.httpMethod == "POST", request.value(forHTTPHeaderField: "Content-Type") == nil {
      head += "Content-Type: application/x-www-form-urlencoded\r\n"
    }
    let bytes = Data((head + "\r\n").utf8) + body
    hasBody = request.httpMethod != "HEAD"
    _ = bytes.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
  }

  func end() {
    _ = register(nil)
    close(descriptor)
  }

  private func receive() -> Bool {
    var piece = [UInt8](repeating: 0, count: 4_096)
    let count = recv(descriptor, &piece, piece.count, 0)
    if count > 0 { rest += piece[..<count] }
    return count > 0
  }

  func readHead() throws -> HTTPURLResponse {
    while rest.range(of: Data("\r\n\r\n".utf8)) == nil {
      guard receive() else { throw URLError(.networkConnectionLost, userInfo: [NSURLErrorFailingURLErrorKey: url]) }
    }
    let end = rest.range(of: Data("\r\n\r\n".utf8))!
    let lines = String(decoding: rest[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
    rest = Data(rest[end.upperBound...])
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
      if parts.count == 2 { headers[parts[0]] = parts[1] }
    }
    length = headers["Content-Length"].flatMap { Int($0) }
    let status = lines[0].split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    guard
      let response = HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: headers)
    else { throw URLError(.badServerResponse) }
    return response
  }

  /// Tells each piece as it comes.
  func readBody(_ tell: (Data) -> Void) throws {
    guard hasBody else { return }
    var told = 0
    while true {
      let piece = length.map { rest.prefix($0 - told) } ?? rest
      if !piece.isEmpty { tell(Data(piece)) }
      told += piece.count
      rest = Data()
      if told == length { return }
      guard receive() else {
        if length == nil { return }
        throw URLError(.networkConnectionLost, userInfo: [NSURLErrorFailingURLErrorKey: url])
      }
    }
  }
}
