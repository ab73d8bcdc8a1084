import Foundation
import StubKitFormats

extension HTTPArchive {
  /// Returns the archive with a placeholder in place of each secret that the redactions find.
  ///
  /// ```swift
  /// try archive.redacted(.standard).write(to: url)
  /// ```
  ///
  /// The archive is one conversation. What a rule finds anywhere in it is replaced everywhere in it: a token that a
  /// response contains is also replaced in the path, the header or the body of a later request, as it is, percent-encoded
  /// or in Base64. The same value always becomes the same placeholder, so that a replayed response gives the client the
  /// placeholder that the next recorded request contains.
  ///
  /// The first placeholder is ``Redaction/mark``, the second `REDACTED-2`, and so on. A number becomes a number, and a UUID, a
  /// date, Base64 text or a JSON Web Token becomes one that can be decoded.
  public func redacted(_ redactions: [Redaction]) -> HTTPArchive { redactedAndCounted(redactions).archive }

  /// - Returns: The archive without secrets, and the number of replaced values.
  package func redactedAndCounted(_ redactions: [Redaction]) -> (archive: HTTPArchive, count: Int) {
    var texts: [String] = []
    return redactedAndCounted(redactions, with: &texts)
  }

  /// - Parameter texts: Other texts of the same file. They lose their secrets too, but don't count.
  func redactedAndCounted(
    _ redactions: [Redaction], with texts: inout [String]
  ) -> (archive: HTTPArchive, count: Int) {
    let rules = RedactionRules(redactions)
    guard rules.mistakes.isEmpty else { return (withoutEntries(because: rules.mistakes), entries.count) }
    var redactor = ArchiveRedactor(rules)
    for entry in entries { redactor.visit(entry) }
    for text in texts { redactor.visit(text) }
    redactor.beginReplacing()
    var archive = self
    for index in archive.entries.indices {
      archive.entries[index] = redactor.visit(archive.entries[index])
      for change in rules.changes {
        let before = archive.entries[index]
        change(&archive.entries[index])
        if archive.entries[index] != before { redactor.count += 1 }
      }
    }
    let count = redactor.count
    for index in texts.indices { texts[index] = redactor.visit(texts[index]) }
    return (archive, count)
  }

  private func withoutEntries(because mistakes: [String]) -> HTTPArchive {
    let sentences = mistakes.joined(separator: " ")
    FileHandle.standardError.write(Data("StubKit: \(sentences) The redacted archive has no entries.\n".utf8))
    var archive = self
    archive.entries = []
    return archive
  }
}

/// Visits the texts of all entries twice: once to collect the secrets, and once to replace them.
private struct ArchiveRedactor {
  private let walk: SecretWalk
  private let table = SecretTable()
  private let patterns: [Pattern]
  /// The number of replaced values.
  var count = 0

  init(_ rules: RedactionRules) {
    walk = SecretWalk(rules.secrets, table)
    patterns = rules.patterns
  }

  func beginReplacing() { table.beginReplacing() }

  @discardableResult
  mutating func visit(_ entry: HTTPArchive.Entry) -> HTTPArchive.Entry {
    var entry = entry
    table.isInRequest = true
    visit(&entry.request)
    table.isInRequest = false
    visitResponse(of: &entry)
    // Messages about the exchange can quote it.
    entry.stubName = entry.stubName.map { visit($0) }
    if let url = entry.redirectedTo { entry.redirectedTo = URL(string: visit(url.absoluteString)) ?? url }
    if let obstacle = entry.statedObstacle { entry.obstacle = visit(obstacle) }
    return entry
  }

  private mutating func visit(_ request: inout URLRequest) {
    if let url = request.url {
      let redacted = visit(url.absoluteString)
      if redacted != url.absoluteString { request.url = URL(string: redacted) ?? url }
    }
    let type = request.value(forHTTPHeaderField: "Content-Type") ?? ""
    let coding = request.value(forHTTPHeaderField: "Content-Encoding")
    for (name, value) in (request.allHTTPHeaderFields ?? [:]).sorted(by: { $0.key < $1.key }) {
      let redacted = visit(header: name, value)
      if redacted != value { request.setValue(redacted, forHTTPHeaderField: name) }
    }
    guard let body = request.httpBody, let redacted = visit(body, type, coding) else { return }
    if request.value(forHTTPHeaderField: "Content-Length") == String(body.count) {
      request.setValue(String(redacted.data.count), forHTTPHeaderField: "Content-Length")
    }
    request.httpBody = redacted.data
  }

  private mutating func visitResponse(of entry: inout HTTPArchive.Entry) {
    guard var response = entry.response else { return }
    let type = response.headers["Content-Type"] ?? ""
    let coding = response.headers["Content-Encoding"]
    response.headers = HTTPArchive.Headers(
      response.headers.map { (name: $0.name, value: visit(header: $0.name, $0.value)) })
    if !response.content.isMissing, response.content.count > 0,
      let redacted = visit(response.content.data, type, coding)
    {
      if response.headers["Content-Length"] == String(response.content.count) {
        response.headers["Content-Length"] = String(redacted.data.count)
      }
      for (index, end) in zip(entry.pieces.indices, redacted.moved(entry.pieces.map(\.end))) {
        entry.pieces[index].end = end
      }
      let file = response.content.file == nil ? nil : ArchivedFile(temporary: redacted.data)
      response.content = file.map { ArchivedBody($0) } ?? ArchivedBody(redacted.data)
    }
    entry.response = response
  }

  // MARK: Texts

  private mutating func visit(header name: String, _ value: String) -> String {
    let redacted = walk.redacted(header: name, value)
    if redacted != value { count += redacted.placeholderCount - value.placeholderCount }
    return visitAll(redacted)
  }

  @discardableResult
  mutating func visit(_ text: String) -> String {
    let redacted = walk.redacted(text)
    if redacted != text { count += redacted.placeholderCount - text.placeholderCount }
    return visitAll(redacted)
  }

  /// Visits everything in a text that doesn't depend on its structure.
  private mutating func visitAll(_ text: String) -> String {
    visitBytes(Data(text.utf8)).map { String(decoding: $0.data, as: UTF8.self) } ?? text
  }

  /// - Returns: `nil` if nothing was replaced.
  private mutating func visitBytes(_ bytes: Data) -> EditedBytes? {
    bytes.withUnsafeBytes { raw -> EditedBytes? in
      let text = raw.bindMemory(to: UInt8.self)
      if !table.isReplacing { table.reserve(text) }
      var edits = ByteEdits()
      for pattern in patterns {
        for match in pattern.matches(in: bytes) {
          if let replacement = walk.replacement(of: match.text) { edits.replace(match.range, with: replacement) }
        }
        // Escapes can hide a match. What is collected here is found in any encoding.
        if !table.isReplacing, let decoded = bytes.percentDecoded {
          for match in pattern.matches(in: decoded) { _ = walk.replacement(of: match.text) }
        }
      }
      edits.append(table.occurrences(in: text))
      guard !edits.isEmpty else { return nil }
      let edited = edits.applied(to: text)
      count += edited.count
      return edited
    }
  }

  /// - Returns: `nil` if nothing was replaced.
  private mutating func visit(_ body: Data, _ contentType: String, _ coding: String?) -> RedactedBody? {
    guard let compression = Compression(coding, body), let plain = compression.decompressed(body) else {
      return visit(body, contentType)
    }
    return visit(plain, contentType).map { RedactedBody(data: compression.compressed($0.data)) }
  }

  private mutating func visit(_ body: Data, _ contentType: String) -> RedactedBody? {
    let edited = body.withUnsafeBytes { raw -> EditedBytes? in
      let text = raw.bindMemory(to: UInt8.self)
      let edits = walk.edits(ofBody: text, contentType: contentType)
      return edits.isEmpty ? nil : edits.applied(to: text)
    }
    count += edited?.count ?? 0
    let all = visitBytes(edited?.data ?? body)
    guard edited != nil || all != nil else { return nil }
    return RedactedBody(data: all?.data ?? edited?.data ?? body, steps: [edited, all].compactMap(\.self))
  }
}

/// A body without its secrets.
private struct RedactedBody {
  var data: Data
  var steps: [EditedBytes] = []

  /// Returns the new places of positions in the body. In a compressed body, all are at its end.
  func moved(_ positions: [Int]) -> [Int] {
    steps.isEmpty ? positions.map { _ in data.count } : steps.reduce(positions) { $1.moved($0) }
  }
}

extension String {
  fileprivate var placeholderCount: Int { betweenPlaceholders.count - 1 }
}

extension Data {
  /// The bytes with their percent escapes decoded, or `nil` if there are none.
  fileprivate var percentDecoded: Data? {
    guard contains(UInt8(ascii: "%")) else { return nil }
    return Data(String(decoding: self, as: UTF8.self)[...].formDecoded.utf8)
  }
}

extension Pattern {
  /// Returns the matches of the pattern in bytes of any kind, with their byte ranges. Bytes that aren't UTF-8 are read as
  /// ISO 8859-1.
  func matches(in bytes: Data) -> [(text: String, range: Range<Int>)] {
    guard let text = String(validUTF8: bytes) else {
      let text = String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
      return matches(in: text) { $0 }
    }
    // The offset continues from the last match, so that the text is read only once.
    var (utf16, utf8, index) = (0, 0, text.startIndex)
    return matches(in: text) { position in
      let next = text.utf16.index(index, offsetBy: position - utf16)
      utf8 += text.utf8.distance(from: index, to: next)
      (utf16, index) = (position, next)
      return utf8
    }
  }

  /// - Parameter offset: A closure that returns the byte offset of a UTF-16 offset. Calls are in ascending order.
  private func matches(in text: String, offset: (Int) -> Int) -> [(text: String, range: Range<Int>)] {
    expression.matches(in: text, range: NSRange(location: 0, length: text.utf16.count)).compactMap { match in
      guard match.range.length > 0 else { return nil }
      let lower = offset(match.range.location)
      let upper = offset(match.range.location + match.range.length)
      return Range(match.range, in: text).map { (String(text[$0]), lower..<upper) }
    }
  }
}
