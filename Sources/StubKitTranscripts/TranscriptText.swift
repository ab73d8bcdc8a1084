import Foundation
import StubKit

/// The text of a transcript: requests in the format of `.http` files, with `###` between them.
///
/// ```text
/// POST https://api.example.com/login
/// Content-Type: application/json
///
/// {
///   "user": "ann"
/// }
///
/// ### ×2
/// GET https://api.example.com/me
/// Authorization: Bearer {{token}}
/// ```
struct TranscriptText: Sendable {
  private(set) var requests: [TranscribedRequest] = []
  /// The placeholders that one writing run has made, with hashes of their values then.
  private(set) var once: [String: String] = [:]

  /// What a transcript says in comments.
  static let redirect = "# after a redirect"
  static let timeout = "# timeout "
  static let onceHeading = "# Written once. What the next writing run repeats becomes a value:"

  /// Prints requests, with equal ones in a row as one.
  static func text(of requests: [TranscribedRequest], once: [String: String] = [:]) -> String {
    var blocks: [(lines: [String], count: Int)] = []
    for lines in requests.map(\.lines) {
      if blocks.last?.lines == lines { blocks[blocks.count - 1].count += 1 } else { blocks.append((lines, 1)) }
    }
    var lines: [String] = []
    if !once.isEmpty {
      let notes = once.sorted { ($0.key.count, $0.key) < ($1.key.count, $1.key) }.map { "{{\($0.key)}} \($0.value)" }
      lines.append("\(onceHeading) \(notes.listed)")
    }
    for (index, block) in blocks.enumerated() {
      if block.count > 1 { lines.append("### ×\(block.count)") } else if index > 0 { lines.append("###") }
      lines += block.lines
      if index < blocks.count - 1 { lines.append("") }
    }
    return lines.lines
  }

  /// - Parameters:
  ///   - methods: Methods that are known besides those of the standards.
  ///   - untranscribed: The names of header fields to leave out, in lower case.
  init(parsing text: String, methods: Set<String> = [], without untranscribed: Set<NamedValue> = []) throws {
    var reader = TranscriptReader(text, methods: Self.methods.union(methods))
    try reader.read()
    (requests, once) = (reader.requests, reader.once)
    for index in requests.indices { requests[index].normalize(without: untranscribed) }
  }

  /// Reads a file.
  init(_ data: Data, methods: Set<String>, without untranscribed: Set<NamedValue>) throws {
    guard let text = String(validUTF8: data) else {
      let invalid = data.withUnsafeBytes { $0.bindMemory(to: UInt8.self).firstInvalidUTF8 } ?? 0
      let before = data.prefix(invalid)
      throw TranscriptError(
        line: before.count { $0 == .newline } + 1,
        column: before.reversed().prefix { $0 != .newline }.count { $0 & 0xC0 != 0x80 } + 1,
        problem: "expected UTF-8.")
    }
    try self.init(parsing: text, methods: methods, without: untranscribed)
  }

  /// Returns whether a line begins a request.
  static func isRequest(_ line: String, methods: Set<String> = methods) -> Bool {
    guard let (method, rest) = line.cut(at: " ") else { return false }
    return methods.contains(String(method)) && (rest.has("/") || rest.hasPrefix("{{")) && !rest.hasPrefix(" ")
  }

  /// The methods of the register that RFC 9110 opens, and the one of caches.
  static let methods: Set = [
    "ACL", "BASELINE-CONTROL", "BIND", "CHECKIN", "CHECKOUT", "CONNECT", "COPY", "DELETE", "GET", "HEAD", "LABEL",
    "LINK", "LOCK", "MERGE", "MKACTIVITY", "MKCALENDAR", "MKCOL", "MKREDIRECTREF", "MKWORKSPACE", "MOVE", "OPTIONS",
    "ORDERPATCH", "PATCH", "POST", "PROPFIND", "PROPPATCH", "PURGE", "PUT", "QUERY", "REBIND", "REPORT", "SEARCH",
    "TRACE", "UNBIND", "UNCHECKOUT", "UNLINK", "UNLOCK", "UPDATE", "UPDATEREDIRECTREF", "VERSION-CONTROL",
  ]
}

/// What can't be read in a transcript, and what was expected there.
struct TranscriptError: Error, CustomStringConvertible {
  /// The line, from 1.
  let line: Int
  /// The column in Unicode scalars, from 1.
  let column: Int
  let problem: String

  var description: String { "line \(line), column \(column): \(problem)" }
}
