import Foundation
import StubKit

extension HTTPArchive {
  /// Returns the archive with a placeholder in place of each secret that the redactions find.
  ///
  /// ```swift
  /// try archive.redacted(.standard).write(to: url)
  /// ```
  ///
  /// The archive is one conversation. What a rule finds anywhere in it, and what can't stand elsewhere by coincidence, is
  /// replaced everywhere in it: a token of a response also in the path, the header or the body of a later request, as it is,
  /// with escapes, in Base64 or in hexadecimal. The same value always becomes the same placeholder, so that a replayed
  /// response gives the client the placeholder that the next recorded request contains.
  ///
  /// The first placeholder is ``Redaction/mark``, the second `REDACTED-2`, and so on. A number becomes a number of as many digits,
  /// and a UUID, a date, a URL, Base64 text or a JSON Web Token becomes one that can be decoded.
  public func redacted(_ redactions: [Redaction]) -> HTTPArchive { redactedAndReported(redactions).archive }

  /// Returns the archive without secrets, and what was replaced.
  package func redactedAndReported(_ redactions: [Redaction]) -> (archive: HTTPArchive, report: RedactionReport) {
    var texts: [OtherText] = []
    return redactedAndReported(redactions, with: &texts)
  }

  /// - Parameter texts: Other texts of the same file. They lose their secrets too, and have what was replaced in them.
  func redactedAndReported(
    _ redactions: [Redaction], with texts: inout [OtherText]
  ) -> (archive: HTTPArchive, report: RedactionReport) {
    let rules = RedactionRules(redactions)
    guard rules.mistakes.isEmpty else {
      return (withoutEntries(because: rules.mistakes), RedactionReport())
    }
    var redactor = ArchiveRedactor(rules)
    for entry in entries { redactor.visit(entry) }
    for other in texts { redactor.visit(other) }
    redactor.beginReplacing()
    var archive = self
    for index in archive.entries.indices {
      redactor.entry = index + 1
      archive.entries[index] = redactor.visit(archive.entries[index])
      for change in rules.changes {
        let before = archive.entries[index]
        change(&archive.entries[index])
        if archive.entries[index] != before {
          redactor.report.add(index + 1, "entry", SecretReason(kind: .own, rule: "custom"))
        }
      }
    }
    let report = redactor.report
    for index in texts.indices {
      (redactor.report, redactor.entry) = (RedactionReport(), texts[index].entry)
      texts[index].text = redactor.visit(texts[index])
      texts[index].items = redactor.report.items
    }
    return (archive, report)
  }

  private func withoutEntries(because mistakes: [String]) -> HTTPArchive {
    let sentences = mistakes.joined(separator: "\n")
    FileHandle.standardError.write(Data("StubKit: \(sentences)\nThe redacted archive has no entries.\n".utf8))
    var archive = self
    archive.entries = []
    return archive
  }
}

/// What a redaction has replaced, and why, and what it could not search.
package struct RedactionReport: Sendable {
  /// A value that was replaced. It is named, and never shown.
  package struct Item: Sendable {
    /// The number of the entry, or 0 outside of the entries.
    package let entry: Int
    /// Where it stands, such as `request header X-Api-Key`.
    package let place: String
    package let placeholder: String
    package let reason: SecretReason
  }
  package private(set) var items: [Item] = []
  /// The compressed bodies, such as `the request body of entry 3`.
  private var compressed: [String] = []

  /// The number of replaced values.
  package var count: Int { items.count }

  /// A line for each replaced value, such as `entry 3, request header X-Api-Key: REDACTED (name "X-Api-Key")`.
  package var lines: [String] {
    items.map { item in
      "\(item.entry > 0 ? "entry \(item.entry), " : "")\(item.place): \(item.placeholder) (\(item.reason.rule))"
    }
  }

  mutating func add(_ entry: Int, _ place: String, _ reason: SecretReason, _ placeholder: String = "") {
    items.append(Item(entry: entry, place: place, placeholder: placeholder, reason: reason))
  }

  mutating func add(_ items: [Item]) { self.items += items }

  /// Notes a body that can't be searched.
  fileprivate mutating func skip(_ place: String, of entry: Int) { compressed.append("the \(place) of entry \(entry)") }

  /// The number and what they are, such as `3 values redacted: 1 carrier, 2 name`.
  package var summary: String {
    let kinds = SecretReason.Kind.allCases.compactMap { kind in
      let count = items.count { $0.reason.kind == kind }
      return count > 0 ? "\(count) \(kind.rawValue)" : nil
    }
    return "\(count == 1 ? "1 value" : "\(count) values") redacted"
      + (kinds.isEmpty ? "" : ": \(kinds.joined(separator: ", "))") + unsearched
  }

  /// The end of a line that names the bodies that were not searched. Empty if there are none.
  package var unsearched: String {
    compressed.isEmpty ? "" : "; not searched, because compressed: \(compressed.joined(separator: ", "))"
  }
}

/// Visits the texts of all entries twice in the same order: once to find the secrets, and once to replace them.
private struct ArchiveRedactor {
  private var finder: SecretFinder
  private let table = SecretTable()
  /// What was found in each text.
  private var found: [[SecretFinder.Finding]] = []
  /// The number of the text that comes next, once secrets are replaced.
  private var next: Int?
  var report = RedactionReport()
  var entry = 0

  init(_ rules: RedactionRules) { finder = SecretFinder(rules.secrets, rules.patterns, table) }

  mutating func beginReplacing() {
    table.assign()
    next = 0
  }

  @discardableResult
  mutating func visit(_ entry: HTTPArchive.Entry) -> HTTPArchive.Entry {
    var entry = entry
    finder.isInRequest = true
    visit(&entry.request)
    finder.isInRequest = false
    visitResponse(of: &entry)
    // Messages about the exchange can quote it.
    entry.stubName = entry.stubName.map { visit($0, at: "name") }
    if let url = entry.redirectedTo {
      entry.redirectedTo = URL(string: visit(url.absoluteString, .url, at: "redirect")) ?? url
    }
    if let obstacle = entry.statedObstacle { entry.obstacle = visit(obstacle, at: "problem") }
    return entry
  }

  private mutating func visit(_ request: inout URLRequest) {
    if let url = request.url {
      let redacted = visit(url.absoluteString, .url, at: "request URL")
      if redacted != url.absoluteString { request.url = URL(string: redacted) ?? url }
    }
    let type = request.value(forHTTPHeaderField: "Content-Type") ?? ""
    let coding = request.value(forHTTPHeaderField: "Content-Encoding")
    for (name, value) in (request.allHTTPHeaderFields ?? [:]).sorted(by: { $0.key < $1.key }) {
      let redacted = visit(value, .header(name), at: "request header \(name)")
      if redacted != value { request.setValue(redacted, forHTTPHeaderField: name) }
    }
    guard let body = request.httpBody, let redacted = visit(body, type, coding, at: "request body") else { return }
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
      response.headers.map { field in
        (field.name, visit(field.value, .header(field.name), at: "response header \(field.name)"))
      })
    if let redacted = visit(response.body, type, coding, at: "response body") {
      if response.headers["Content-Length"] == String(response.body.count) {
        response.headers["Content-Length"] = String(redacted.data.count)
      }
      for (index, end) in zip(entry.pieces.indices, redacted.moved(entry.pieces.map(\.end))) {
        entry.pieces[index].end = end
      }
      response.body = redacted.data
    }
    entry.response = response
  }

  // MARK: Texts

  @discardableResult
  mutating func visit(_ other: OtherText) -> String {
    finder.isInRequest = other.place.starts(withBytesOf: "request.")
    let kind = other.name.map { SecretFinder.Kind.value($0.percentDecoded, finder.isInRequest ? .form : .other) }
    return visit(other.text, kind ?? .text, at: other.place)
  }

  @discardableResult
  mutating func visit(_ text: String, _ kind: SecretFinder.Kind = .text, at place: String) -> String {
    var text = text
    let result = text.withUTF8 { visit($0, kind, at: place) }
    return result?.text ?? text
  }

  /// - Returns: `nil` if nothing was replaced.
  private mutating func visit(
    _ body: Data, _ contentType: String, _ coding: String?, at place: String
  ) -> EditedBytes? {
    guard !body.isCompressed(as: coding) else {
      if next != nil { report.skip(place, of: entry) }
      return nil
    }
    return body.withUnsafeBytes { visit($0.bindMemory(to: UInt8.self), .body(type: contentType), at: place) }
  }

  /// - Returns: `nil` if nothing was replaced.
  private mutating func visit(
    _ text: UnsafeBufferPointer<UInt8>, _ kind: SecretFinder.Kind, at place: String
  ) -> EditedBytes? {
    guard let number = next else {
      found.append(finder.findings(in: text, kind))
      return nil
    }
    next = number + 1
    let edits = edits(text, found[number])
    guard !edits.isEmpty else { return nil }
    let edited = edits.applied(to: text)
    for edit in edited.edits {
      guard let reason = edit.reason else { continue }
      report.add(entry, place, reason, String(decoding: edit.replacement, as: UTF8.self))
    }
    return edited
  }

  private func edits(_ text: UnsafeBufferPointer<UInt8>, _ findings: [SecretFinder.Finding]) -> ByteEdits {
    var edits = ByteEdits()
    for finding in findings {
      let secret = table.secrets[finding.secret]
      guard let placeholder = secret.placeholder else { continue }
      // On replay, a day could be any, so that a request has a placeholder that is recognised.
      let isDay = finder.isInRequest && secret.value.isDate && !Redacted.isWhole(placeholder)
      let plain =
        finding.isNumber
        ? Redacted.number(like: placeholder, secret.value) : isDay ? Redacted.mark : placeholder
      // What is escaped stays so.
      let isEscaped = text[finding.range].contains(UInt8(ascii: "%"))
      edits.replace(finding.range, with: (isEscaped ? plain.percentEncoded : plain).utf8, because: secret.reason)
    }
    edits.append(table.occurrences(in: text))
    return edits
  }
}

extension Data {
  /// Returns whether the bytes are compressed, so that nothing can be found or replaced in them.
  ///
  /// - Parameter coding: The value of `Content-Encoding`. A body in gzip is recognised without it, and text is none of it.
  fileprivate func isCompressed(as coding: String?) -> Bool {
    if starts(with: [0x1F, 0x8B, 8]) { return true }
    let coding = coding?[...].withoutOuterSpace.lowercased() ?? ""
    return !["", "identity"].contains(coding) && !isArchivedAsText
  }
}
