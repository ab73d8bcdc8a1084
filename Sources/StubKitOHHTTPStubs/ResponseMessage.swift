import Foundation
import StubKit

/// A response as `curl -i` prints it: a status line, header fields, a blank line, and the body (RFC 9112).
struct ResponseMessage: Equatable {
  var status = 200
  var headers = StubHeaders()
  var body: Data

  /// Reads a message. Bytes that don't begin with a complete head are a body with the status 200.
  ///
  /// - Parameter name: The file that contains the message, for errors, or `nil`.
  init(_ data: Data, named name: String? = nil) throws(StubResponseError.Reason) {
    body = data
    var lines = MessageLines(data)
    // curl prints a head for each redirect, challenge, 100 (Continue) and proxy on the way. The last one has the body.
    repeat {
      guard let match = lines.next()?.wholeMatch(of: #/HTTP/\d+(?:\.\d+)? +(\d{3})(?: .*)?/#) else { break }
      var fields: [(number: Int, text: String)] = []
      var line = lines.next()
      while let text = line, !text.isEmpty {
        // An old way to write a long value (RFC 9112, section 5.2).
        if text.first == " " || text.first == "\t", let last = fields.indices.last {
          fields[last].text += " " + text.trimmingCharacters(in: .whitespaces)
        } else {
          fields.append((lines.number, text))
        }
        line = lines.next()
      }
      guard line != nil else { break }
      status = Int(match.1) ?? 0
      headers = [:]
      body = lines.rest
      for (number, text) in fields {
        guard let field = StubHeaders.Field(line: text) else { throw .invalidMessage(name, line: number, text) }
        headers.append(field.name, field.value)
      }
    } while isFollowed
    guard !headers.fields.isEmpty else { return }
    // curl has joined the chunks of the body.
    headers.remove("Transfer-Encoding")
    // A message without a body can answer HEAD. Its length is then that of the body that GET receives.
    if !body.isEmpty, headers.contains("Content-Length") { headers.replace("Content-Length", String(body.count)) }
  }

  /// A Boolean value that indicates whether another head can follow, so that what looks like one is no body.
  private var isFollowed: Bool {
    switch status {
    case 100...199, 300...399, 401, 407: true
    // That of a proxy, which says nothing of a body.
    case 200: !headers.fields.contains { ["content-", "transfer-"].contains(where: $0.name.lowercased().hasPrefix) }
    default: false
    }
  }
}

/// The lines at the beginning of some bytes, and the bytes after those that were read.
struct MessageLines {
  private(set) var rest: Data
  /// The number of the line that was read last, from 1.
  private(set) var number = 0

  init(_ data: Data) { rest = data }

  /// Returns the next line without its end, which is LF or CRLF, or `nil` if no further line ends.
  mutating func next() -> String? {
    guard let end = rest.firstIndex(of: .newline) else { return nil }
    let line = Self.text(rest[..<end])
    rest = rest[(end + 1)...]
    number += 1
    return line
  }

  /// Returns all that is left, as a line.
  mutating func last() -> String {
    let line = Self.text(rest)
    rest = rest[rest.endIndex...]
    number += 1
    return line
  }

  /// Older servers write Latin-1 (RFC 9110, section 5.5).
  private static func text(_ bytes: Data) -> String {
    let line = bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes
    return String(validUTF8: line) ?? String(line.map { Character(Unicode.Scalar($0)) })
  }
}

extension StubHeaders.Field {
  /// A field as a message contains it: `name: value`. Returns `nil` for a line that has no name.
  init?(line: String) {
    guard let colon = line.firstIndex(of: ":"), colon > line.startIndex else { return nil }
    let name = String(line[..<colon])
    guard StubHeaders.problem(name, "") == nil else { return nil }
    self.init(name: name, value: String(line[line.index(after: colon)...]))
  }
}

extension StubResponse {
  /// Returns the response in a file, as `curl -i` prints it: the status line, the header fields, a blank line and the
  /// body.
  ///
  /// ```swift
  /// // curl -i https://api.example.com/login > Fixtures/login.http
  /// stub(
  ///   condition: isPath("/login"),
  ///   response: .message(filePath: "Fixtures/login.http"))
  /// ```
  ///
  /// StubKit reads the file when it creates the response, because the head determines the status and the header
  /// fields. Lines can end with CRLF or LF. If there are several heads, of redirects, challenges, proxies or 100
  /// (Continue), the last one counts. A file without a complete head is a body with the status 200. StubKit corrects
  /// the `Content-Length` of an edited body, and drops `Transfer-Encoding`, because curl prints the body in one
  /// piece.
  ///
  /// - Parameter filePath: The path of the file. A relative path starts at the current directory of the process.
  /// - Returns: A response. If the file can't be read, or if a line of its head is not a header field, it fails the
  ///   request with a `StubResponseError`.
  public static func message(filePath: String) -> StubResponse { message(Fixture(path: filePath)) }

  /// Returns the response in some bytes, in the format that `message(filePath:)` describes.
  ///
  /// ```swift
  /// .message(
  ///   Data("HTTP/1.1 404 Not Found\r\nRetry-After: 60\r\n\r\nNo user".utf8))
  /// ```
  public static func message(_ data: Data) -> StubResponse { message(named: nil) { data } }

  fileprivate static func message(_ fixture: Fixture) -> StubResponse { message(named: fixture.name, fixture.load) }

  private static func message(
    named name: String?, _ load: () throws(StubResponseError.Reason) -> Data
  ) -> StubResponse {
    do {
      let message = try ResponseMessage(load(), named: name)
      return StubResponse(status: message.status, headers: message.headers, body: .data(message.body))
    } catch { return StubResponse(status: 200, headers: [:], body: .empty, problem: error) }
  }
}

/// Returns a response from a file in the resources of a bundle that contains all of it, as `curl -i` prints it.
///
/// ```swift
/// stub(
///   condition: isPath("/login"),
///   response: fixture(
///     message: "login.http", in: .module, subdirectory: "Fixtures"))
/// ```
///
/// For the format of the file, see `StubResponse.message(filePath:)`.
///
/// - Parameters:
///   - name: The name of the file, with its extension.
///   - bundle: The bundle. For a test target of a package, this is `.module`. Defaults to the main bundle.
///   - subdirectory: The folder in the bundle, for resources that are declared with `.copy`.
/// - Returns: A response. If the file can't be read, or if a line of its head is not a header field, it fails the
///   request with a `StubResponseError`.
public func fixture(message name: String, in bundle: Bundle = .main, subdirectory: String? = nil) -> StubResponse {
  .message(Fixture(named: name, in: bundle, subdirectory: subdirectory))
}
