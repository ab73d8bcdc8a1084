import Foundation
import StubKitFormats

extension HTTPArchive {
  /// Returns the archive with ``Redaction/mark`` in place of each secret that the redactions find.
  ///
  /// ```swift
  /// try archive.redacted(.standard).write(to: url)
  /// ```
  public func redacted(_ redactions: [Redaction]) -> HTTPArchive { redactedAndCounted(redactions).archive }

  /// - Returns: The archive without secrets, and the number of replaced values.
  package func redactedAndCounted(_ redactions: [Redaction]) -> (archive: HTTPArchive, count: Int) {
    let rules = RedactionRules(redactions)
    var archive = self
    var count = 0
    for index in archive.entries.indices { rules.redact(&archive.entries[index], &count) }
    return (archive, count)
  }
}

extension RedactionRules {
  func redact(_ entry: inout HTTPArchive.Entry, _ count: inout Int) {
    redactRequest(&entry.request, &count)
    if let url = entry.redirectedTo { entry.redirectedTo = redactedURL(url, &count) }
    redactResponse(&entry, &count)
    // Messages about the exchange can quote it.
    entry.stubName = entry.stubName.map { redactedText($0, &count) }
    if let obstacle = entry.statedObstacle { entry.obstacle = redactedText(obstacle, &count) }
    for change in changes {
      let before = entry
      change(&entry)
      if entry != before { count += 1 }
    }
  }

  private func redactRequest(_ request: inout URLRequest, _ count: inout Int) {
    if let url = request.url { request.url = redactedURL(url, &count) }
    let type = request.value(forHTTPHeaderField: "Content-Type") ?? ""
    for (name, value) in (request.allHTTPHeaderFields ?? [:]).sorted(by: { $0.key < $1.key }) {
      let redacted = redactedHeader(name, value, &count)
      if redacted != value { request.setValue(redacted, forHTTPHeaderField: name) }
    }
    guard let body = request.httpBody, let redacted = redacted(body, contentType: type) else { return }
    count += redacted.count
    if request.value(forHTTPHeaderField: "Content-Length") == String(body.count) {
      request.setValue(String(redacted.data.count), forHTTPHeaderField: "Content-Length")
    }
    request.httpBody = redacted.data
  }

  private func redactResponse(_ entry: inout HTTPArchive.Entry, _ count: inout Int) {
    guard var response = entry.response else { return }
    let type = response.headers["Content-Type"] ?? ""
    response.headers = HTTPArchive.Headers(
      response.headers.map { (name: $0.name, value: redactedHeader($0.name, $0.value, &count)) })
    if !response.content.isMissing, let redacted = redacted(response.content.data, contentType: type) {
      count += redacted.count
      if response.headers["Content-Length"] == String(response.content.count) {
        response.headers["Content-Length"] = String(redacted.data.count)
      }
      for index in entry.pieces.indices { entry.pieces[index].end = redacted.moved(entry.pieces[index].end) }
      let file = response.content.file == nil ? nil : ArchivedFile(temporary: redacted.data)
      response.content = file.map { ArchivedBody($0) } ?? ArchivedBody(redacted.data)
    }
    entry.response = response
  }

  private func redactedHeader(_ name: String, _ value: String, _ count: inout Int) -> String {
    if headers.contains(name.redactionName) {
      guard !value.isEmpty, value != Redaction.mark else { return value }
      count += 1
      return Redaction.mark
    }
    return switch name.lowercased() {
    case "cookie": redactedText(redactedCookies(value, &count), &count)
    case "set-cookie": redactedText(redactedCookie(value, &count), &count)
    default: redactedText(value, &count)
    }
  }

  /// Redacts a `Cookie` field such as `a=1; b=2`.
  private func redactedCookies(_ field: String, _ count: inout Int) -> String {
    field.pieces(at: ";").map { pair in
      guard let (name, value) = pair.cut(at: "="), redactsCookie(name.withoutOuterSpace), isSecret(value) else {
        return String(pair)
      }
      count += 1
      return "\(name)=\(Redaction.mark)"
    }.joined(separator: ";")
  }

  /// Redacts a `Set-Cookie` field such as `a=1; Path=/`, or several that Foundation has joined with commas.
  private func redactedCookie(_ field: String, _ count: inout Int) -> String {
    var cookies: [String] = []
    for piece in field.pieces(at: ",") {
      if cookies.isEmpty || piece.beginsCookie {
        cookies.append(String(piece))
      } else {
        cookies[cookies.count - 1] += "," + piece
      }
    }
    return cookies.map { cookie in
      let end = cookie.utf8.firstIndex(of: UInt8(ascii: ";")) ?? cookie.endIndex
      guard let (name, value) = cookie[..<end].cut(at: "="), redactsCookie(name.withoutOuterSpace), isSecret(value)
      else {
        return cookie
      }
      count += 1
      return "\(name)=\(Redaction.mark)\(cookie[end...])"
    }.joined(separator: ",")
  }

  private func isSecret(_ value: Substring) -> Bool {
    let value = value.withoutOuterSpace
    return !value.isEmpty && value != Redaction.mark
  }

  private func redactedURL(_ url: URL, _ count: inout Int) -> URL {
    let text = url.absoluteString
    var redacted = redactedURLs(text, &count)
    for pattern in patterns {
      redacted = pattern.redacted(redacted, &count)
      redacted = redactedParts(of: redacted, pattern, &count)
    }
    return redacted == text ? url : URL(string: redacted) ?? url
  }

  /// Redacts what a pattern matches only in the decoded parts of a URL.
  private func redactedParts(of url: String, _ pattern: Pattern, _ count: inout Int) -> String {
    guard url.has("%") || url.has("+") else { return url }
    var result = ""
    var part: [UInt8] = []
    func flush() {
      let text = String(decoding: part, as: UTF8.self)
      part = []
      guard text.has("%") || text.has("+") else { return result += text }
      let decoded = text[...].formDecoded
      let redacted = pattern.redacted(decoded, &count)
      result += redacted == decoded ? text : redacted.percentEncodedPart
    }
    for byte in url.utf8 {
      guard "/?&=#".utf8.contains(byte) else {
        part.append(byte)
        continue
      }
      flush()
      result.unicodeScalars.append(Unicode.Scalar(byte))
    }
    flush()
    return result
  }

  func redactedText(_ text: String, _ count: inout Int) -> String {
    patterns.reduce(redactedURLs(text, &count)) { $1.redacted($0, &count) }
  }
}

extension Substring {
  /// Whether the text begins with a cookie's name and value. The part of a date after its comma doesn't.
  fileprivate var beginsCookie: Bool {
    guard let name = pieces(at: ";")[0].cut(at: "=")?.before.withoutOuterSpace else { return false }
    return !name.isEmpty && !name.has(" ")
  }
}

extension String {
  fileprivate var percentEncodedPart: String {
    addingPercentEncoding(
      withAllowedCharacters: .alphanumerics.intersection(.urlHostAllowed).union(["-", ".", "_", "~"]))
      ?? Redaction.mark
  }
}
