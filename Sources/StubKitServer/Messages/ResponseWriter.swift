import Foundation
import StubKit

/// Writes one response as HTTP/1.1 (RFC 9112): its head, the pieces of its body, and its end.
struct ResponseWriter {
  /// How the client learns where the body ends.
  private enum Framing: Equatable {
    case none
    case length(Int)
    case chunked
    case close
  }

  /// The bytes of the head.
  private(set) var head: [UInt8] = []
  /// Whether another response can follow on the connection.
  private(set) var keepsAlive: Bool
  private let framing: Framing
  private var writtenLength = 0

  var isChunked: Bool { framing == .chunked }

  /// Whether a client has everything, although the end has not been written.
  var isComplete: Bool { framing == .none || framing == .length(writtenLength) }

  /// - Parameters:
  ///   - reason: The reason phrase, or `nil` for the usual one of the status.
  ///   - headers: The fields, in order.
  ///   - hasBody: Whether a body follows. The fields can describe one that doesn't.
  ///   - request: The request that is answered.
  ///   - date: The value of the `Date` field, unless the fields contain one.
  init(
    status: Int, reason: String? = nil, headers: StubHeaders, hasBody: Bool, for request: RequestHead, date: String
  ) {
    // What frames the body is the server's: it names it itself, once. Lengths that differ are none.
    let lengths = headers.values(of: "Content-Length")
    let length = Set(lengths).count == 1 && lengths[0].utf8.allSatisfy(\.isDigit) ? Int(lengths[0]) : nil
    let knowsChunks = request.minorVersion > 0
    if !hasBody {
      framing = .none
    } else if let length {
      framing = .length(length)
    } else {
      framing = knowsChunks ? .chunked : .close
    }
    let options = headers.values(of: "Connection").flatMap(\.listElements)
    keepsAlive = request.keepsAlive && framing != .close && !options.contains { $0.lowercasedASCII == "close" }
    head += "HTTP/1.1 \(status) \(reason ?? Self.reasons[status] ?? "")\r\n".utf8
    for field in headers.fields where !Self.framingNames.contains(where: field.name.isHeaderName) {
      write(field.name, field.value)
    }
    if !headers.contains("Date") { write("Date", date) }
    if let length, status != 204 { write("Content-Length", "\(length)") }
    if framing == .chunked { write("Transfer-Encoding", "chunked") }
    var connection = options.filter { !["close", "keep-alive"].contains($0.lowercasedASCII) }
    if !keepsAlive { connection.append("close") } else if !knowsChunks { connection.append("keep-alive") }
    if !connection.isEmpty { write("Connection", connection.joined(separator: ", ")) }
    head += "\r\n".utf8
  }

  private static let framingNames = ["Content-Length", "Transfer-Encoding", "Connection"]

  private mutating func write(_ name: String, _ value: String) {
    head += name.utf8
    head += ": ".utf8
    head += value.utf8
    head += "\r\n".utf8
  }

  /// Returns what stands before and after a piece of the body, which isn't empty.
  mutating func frame(ofPiece byteCount: Int) -> (before: String, after: String) {
    writtenLength += byteCount
    return framing == .chunked ? ("\(String(byteCount, radix: 16))\r\n", "\r\n") : ("", "")
  }

  /// Returns what stands after the body. If the body isn't as long as the head says, the connection can't be used
  /// again.
  mutating func end() -> String {
    if case .length(let length) = framing, length != writtenLength { keepsAlive = false }
    return framing == .chunked ? "0\r\n\r\n" : ""
  }

  /// The reason phrases of RFC 9110, section 15, and of RFC 6585.
  private static let reasons: [Int: String] = [
    200: "OK", 201: "Created", 202: "Accepted",
    203: "Non-Authoritative Information", 204: "No Content", 205: "Reset Content", 206: "Partial Content",
    300: "Multiple Choices", 301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified",
    307: "Temporary Redirect", 308: "Permanent Redirect", 400: "Bad Request", 401: "Unauthorized",
    402: "Payment Required", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed", 406: "Not Acceptable",
    407: "Proxy Authentication Required", 408: "Request Timeout", 409: "Conflict", 410: "Gone",
    411: "Length Required", 412: "Precondition Failed", 413: "Content Too Large", 414: "URI Too Long",
    415: "Unsupported Media Type", 416: "Range Not Satisfiable", 417: "Expectation Failed",
    421: "Misdirected Request", 422: "Unprocessable Content", 426: "Upgrade Required",
    428: "Precondition Required", 429: "Too Many Requests", 431: "Request Header Fields Too Large",
    500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable",
    504: "Gateway Timeout", 505: "HTTP Version Not Supported", 511: "Network Authentication Required",
  ]
}
