import Foundation
import StubKitServer
import TestSupport
import Testing

/// A request in a file in Fixtures.
struct RawRequest: Decodable {
  let text: String
  /// That of the refusal, or `nil` if it is taken.
  let status: Int?
  /// A part of what the refusal says.
  let sentence: String?
}

/// Returns the rows of a table in a file.
func fixture<Rows: Decodable>(_ name: String) throws -> Rows {
  let url = Bundle.module.url(forResource: "Fixtures/\(name)", withExtension: "json")
  return try JSONDecoder().decode(Rows.self, from: Data(contentsOf: try #require(url)))
}

extension StubServer.Limits {
  /// The default limits with changes.
  static func with(_ change: (inout Self) -> Void) -> Self {
    var limits = Self()
    change(&limits)
    return limits
  }
}

/// Runs a body with a server whose lines about its clients are kept.
func withLoggedServer(
  for origin: String? = nil, limits: StubServer.Limits = .init(),
  _ body: @Sendable (_ server: StubServer, _ lines: @Sendable () -> [String]) async throws -> Void
) async throws {
  try await withStubs {
    let lines = Locked<[String]>([])
    var hooks = StubServer.Hooks()
    hooks.log = { line in lines.withLock { $0.append(line) } }
    let server = try StubServer(for: origin, limits: limits, in: .current, hooks: hooks)
    try await body(server) { lines.withLock(\.self) }
    await server.stop()
  }
}

/// How the requests of the current scope have ended so far.
var outcomes: [RecordedRequest.Outcome] { StubRegistry.current.journal.entries.map(\.outcome) }

/// A response as a client reads it from its connection.
struct WireResponse: Sendable {
  var status: Int
  var fields: [(name: String, value: String)]
  var body: Data

  var text: String { body.text }

  subscript(name: String) -> String? { fields.first { $0.name.lowercased() == name.lowercased() }?.value }

  func values(of name: String) -> [String] { fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value) }
}

extension LoopbackClient {
  /// Reads the head of the next response, or returns `nil` if the connection ends before.
  func readHead() -> WireResponse? {
    guard let head = read(through: "\r\n\r\n") else { return nil }
    let lines = head.components(separatedBy: "\r\n")
    let start = lines[0].split(separator: " ", maxSplits: 2)
    guard start.count >= 2, start[0] == "HTTP/1.1", let status = Int(start[1]) else { return nil }
    let fields = lines.dropFirst().dropLast(2).compactMap { line -> (name: String, value: String)? in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      return (String(line[..<colon]), line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces))
    }
    return WireResponse(status: status, fields: fields, body: Data())
  }

  /// Reads the next response, with its body as its head describes it.
  func readResponse(toHead isHead: Bool = false) -> WireResponse? {
    guard var response = readHead() else { return nil }
    if isHead || response.status < 200 || response.status == 204 || response.status == 304 { return response }
    if response["Transfer-Encoding"] == "chunked" {
      while true {
        guard let line = read(through: "\r\n"), let size = Int(line.dropLast(1), radix: 16) else { return nil }
        response.body += read(size)
        guard read(through: "\r\n") == "\r\n" else { return nil }
        if size == 0 { return response }
      }
    } else if let length = response["Content-Length"].flatMap({ Int($0) }) {
      response.body = Data(read(length))
      return response.body.count == length ? response : nil
    } else {
      response.body = Data(readToEnd().bytes)
      return response
    }
  }
}

extension StubServer {
  /// Sends text on a connection of its own, and returns what a closure reads there.
  func connected<Result: Sendable>(
    _ text: String = "", isIPv6: Bool = false, _ read: @escaping @Sendable (LoopbackClient) -> Result
  ) async throws -> Result {
    let port = port
    return try await onOwnThread {
      let client = try LoopbackClient(port: port, isIPv6: isIPv6)
      client.send(text)
      return read(client)
    }
  }

  /// Sends a request, as it stands, on a connection of its own, and returns the response.
  func send(_ request: String, isHead: Bool = false) async throws -> WireResponse? {
    try await connected(request) { $0.readResponse(toHead: isHead) }
  }

  /// Sends requests at once on one connection, and returns the responses.
  func answers(_ lines: [String]) async throws -> [WireResponse?] {
    try await connected(lines.map { request(line: $0) }.joined()) { client in
      lines.map { client.readResponse(toHead: $0.hasPrefix("HEAD")) }
    }
  }

  func get(_ target: String, _ fields: String...) async throws -> WireResponse? {
    try await send(request(line: "GET \(target)", fields))
  }

  /// A request with the server's own Host field.
  func request(line: String, _ fields: [String] = [], body: String = "") -> String {
    let length = body.isEmpty ? [] : ["Content-Length: \(body.utf8.count)"]
    return (["\(line) HTTP/1.1", "Host: 127.0.0.1:\(port)"] + fields + length + ["", body]).joined(separator: "\r\n")
  }
}
