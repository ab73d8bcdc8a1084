import Foundation
import FoundationNetworking

/// One request and its answer on a connection of its own to this machine, the only one that there is.
struct Exchange {
  private let url: URL
  private let client: LoopbackClient
  private let hasBody: Bool

  init(_ request: URLRequest, _ body: Data) throws {
    guard let url = request.url, let host = url.host else { throw URLError(.badURL) }
    self.url = url
    hasBody = request.httpMethod != "HEAD"
    guard ["127.0.0.1", "localhost"].contains(host) else { throw Self.failure(.cannotFindHost, url) }
    guard let client = try? LoopbackClient(port: url.port ?? 80) else { throw Self.failure(.cannotConnectToHost, url) }
    self.client = client
    let path = (url.path.isEmpty ? "/" : url.path) + (url.query.map { "?\($0)" } ?? "")
    var head = "\(request.httpMethod ?? "GET") \(path) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n"
    for (name, value) in request.allHTTPHeaderFields ?? [:] { head += "\(name): \(value)\r\n" }
    if !body.isEmpty { head += "Content-Length: \(body.count)\r\n" }
    // No field of the request shows it.
    if !body.isEmpty, request.httpMethod == "POST", request.value(forHTTPHeaderField: "Content-Type") == nil {
      head += "Content-Type: application/x-www-form-urlencoded\r\n"
    }
    client.send(Data((head + "\r\n").utf8) + body)
  }

  private static func failure(_ code: URLError.Code, _ url: URL) -> URLError {
    URLError(code, userInfo: [NSURLErrorFailingURLErrorKey: url])
  }

  func readHead() throws -> HTTPURLResponse {
    guard let head = client.read(through: "\r\n\r\n") else { throw Self.failure(.networkConnectionLost, url) }
    let lines = head.components(separatedBy: "\r\n")
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
      if parts.count == 2 { headers[parts[0]] = parts[1] }
    }
    let status = lines[0].split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    guard
      let response = HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: headers)
    else { throw URLError(.badServerResponse) }
    return response
  }

  /// Tells the body of a response in pieces.
  func readBody(of response: HTTPURLResponse, _ tell: (Data) -> Void) throws {
    guard hasBody else { return }
    let length = response.value(forHTTPHeaderField: "Content-Length").flatMap { Int($0) }
    var count = 0
    while count != length {
      let piece = client.read(length.map { min($0 - count, 4_096) } ?? 4_096)
      if !piece.isEmpty { tell(Data(piece)) }
      count += piece.count
      if piece.isEmpty, length == nil { return }
      if piece.isEmpty { throw Self.failure(.networkConnectionLost, url) }
    }
  }
}
