import Foundation
import StubKit

extension HTTPArchive {
  /// Returns the archive with a placeholder in place of each secret that the redactions find.
  ///
  /// ```swift
  /// try archive.redacted(.standard).write(to: url)
  /// ```
  ///
  /// The archive is one conversation. What a rule finds anywhere in it, and what can't stand elsewhere by coincidence,
  /// is replaced everywhere in it: a token of a response also in the path, the header or the body of a later request,
  /// as it is, with escapes or in Base64. The same value always becomes the same placeholder, so that a
  /// replayed response gives the client the placeholder that the next recorded request contains.
  ///
  /// The first placeholder is ``Redaction/mark``, the second `REDACTED-2`, and so on. A number becomes a number of as
  /// many digits, and a UUID, a date, a URL, Base64 text or a JSON Web Token becomes one that can be decoded. Each
  /// entry knows its placeholders, and ``data`` contains them.
  ///
  /// A URL that the placeholders make invalid becomes `http://REDACTED/`. Unlike a recording and `stubkit redact`, this
  /// doesn't prove that each request still finds its entry on replay.
  public func redacted(_ redactions: [Redaction]) -> HTTPArchive { redactedAndReported(redactions).archive }

  /// Returns the archive without secrets, and what was replaced.
  package func redactedAndReported(_ redactions: [Redaction]) -> (archive: HTTPArchive, report: Replacements) {
    let rules = RedactionRules(redactions)
    guard rules.mistakes.isEmpty else { return (withoutEntries(because: rules.mistakes), Replacements()) }
    var redactor = ArchiveRedactor(rules)
    for (index, entry) in entries.enumerated() { redactor.visit(entry, index + 1) }
    redactor.beginReplacing()
    var archive = self
    for index in archive.entries.indices {
      var entry = redactor.visit(entries[index], index + 1)
      for change in rules.changes {
        let before = entry
        change(&entry)
        guard entry != before else { continue }
        redactor.report.add(index + 1, "entry", SecretReason(kind: .own, rule: "custom"))
        // The closure of a user has no other way to say what is a placeholder.
        let new = entry.placeholdersByLook.subtracting(before.placeholdersByLook)
        entry.redacted?.formUnion(new)
      }
      archive.entries[index] = entry
    }
    return (archive, redactor.report)
  }

  func withoutEntries(because mistakes: [String]) -> HTTPArchive {
    let sentences = mistakes.joined(separator: "\n")
    FileHandle.standardError.write(Data("StubKit: \(sentences)\nThe redacted archive has no entries.\n".utf8))
    var archive = self
    archive.entries = []
    return archive
  }
}

/// What a redaction has replaced, and why, and what it could not search.
package struct Replacements: Sendable {
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
  /// The values that look random and were kept.
  private var kept: [(place: String, name: String, isIdentifier: Bool)] = []
  private var keptNames: Set<String> = []
  /// The bodies that can't be searched, or not for names, such as `the request body of entry 3`.
  private var compressed: [String] = []
  private var binary: [String] = []

  /// The number of replaced values.
  package var count: Int { items.count }

  /// A line for each replaced value, such as `entry 3, request header X-Api-Key: REDACTED (name "X-Api-Key")`.
  package var lines: [String] {
    items.map { item in
      "\(Self.place(item.entry, item.place)): \(item.placeholder) (\(item.reason.rule))"
    }
  }

  mutating func add(_ entry: Int, _ place: String, _ reason: SecretReason, _ placeholder: String = "") {
    items.append(Item(entry: entry, place: place, placeholder: placeholder, reason: reason))
  }

  /// Leaves out items after the first ones.
  mutating func remove(after count: Int, where isCopy: (Item) -> Bool) {
    items.replaceSubrange(count..., with: items[count...].filter { !isCopy($0) })
  }

  /// Notes a body that can't be searched, or only for what needs no name.
  fileprivate mutating func skip(_ place: String, of entry: Int, isCompressed: Bool) {
    let body = "the \(place)\(entry > 0 ? " of entry \(entry)" : "")"
    if isCompressed { compressed.append(body) } else { binary.append(body) }
  }

  /// Notes a value that looks random and was kept, once for each name.
  fileprivate mutating func keep(_ name: String, isIdentifier: Bool, _ entry: Int, _ place: String) {
    let name = name.isEmpty ? "a value without a name" : name
    guard keptNames.insert(name).inserted else { return }
    kept.append((Self.place(entry, place), name, isIdentifier))
  }

  private static func place(_ entry: Int, _ place: String) -> String { entry > 0 ? "entry \(entry), \(place)" : place }

  /// A line for each value that looks random and was kept.
  package var keptLines: [String] { kept.map { "\($0.place): kept \($0.name), which looks random" } }

  /// A sentence that names what looks random and was kept, but for identifiers, digests, cursors and traces, such as
  /// `Kept 2 values that look random: upload, hint`, or `nil` if there is nothing.
  package var keptSummary: String? {
    let names = kept.filter { !$0.isIdentifier }.map(\.name)
    guard !names.isEmpty else { return nil }
    let verb = names.count == 1 ? "looks" : "look"
    return "Kept \(names.count.asCount("value", "values")) that \(verb) random: "
      + names.prefix(5).joined(separator: ", ") + (names.count > 5 ? ", …" : "")
  }

  /// The number and what they are, such as `3 values redacted: 1 carrier, 2 name`.
  package var summary: String {
    let kinds = SecretReason.Kind.allCases.compactMap { kind in
      let count = items.count { $0.reason.kind == kind }
      return count > 0 ? "\(count) \(kind.rawValue)" : nil
    }
    return "\(count.asCount("value", "values")) redacted\(kinds.isEmpty ? "" : ": ")\(kinds.joined(separator: ", "))"
      + unsearched
  }

  /// The end of a line that names the bodies that were not searched, and those in which no names were searched. Empty
  /// if there are none.
  package var unsearched: String {
    func named(_ bodies: [String], _ reason: String) -> String {
      let rest = bodies.count > 5 ? " and \(bodies.count - 5) more" : ""
      return bodies.isEmpty ? "" : "; \(reason): \(bodies.prefix(5).joined(separator: ", "))\(rest)"
    }
    return named(compressed, "not searched, because compressed")
      + named(binary, "not searched for names, because binary")
  }
}

/// Visits the texts of all entries twice in the same order: once to find the secrets, and once to replace them.
struct ArchiveRedactor {
  private var finder: SecretFinder
  private let table = SecretTable()
  /// What was found in each text.
  private var found: [(secrets: [SecretFinder.Finding], kept: [SecretFinder.Kept])] = []
  /// The number of the text that comes next, once secrets are replaced.
  private var next: Int?
  var report = Replacements()
  /// The placeholders of each entry, by its number.
  private(set) var placeholders: [Int: Set<String>] = [:]
  private var entry = -1
  private var context = SecretFinder.Context()

  init(_ rules: RedactionRules) { finder = SecretFinder(rules, table) }

  mutating func beginReplacing() {
    table.assign()
    (next, entry) = (0, -1)
  }

  /// Begins with the texts of an entry.
  ///
  /// - Parameters:
  ///   - isCopy: Whether the file says elsewhere what the next text says.
  ///   - known: The placeholders that it lists, or `nil` if it lists none.
  mutating func begin(_ number: Int, isInRequest: Bool, isCopy: Bool = false, known: Set<String>?) {
    (context.isInRequest, context.isCopy) = (isInRequest, isCopy)
    guard number != entry else { return }
    (entry, context.placeholders) = (number, Placeholders(known))
    guard next == nil else { return }
    placeholders[number, default: []].formUnion(known ?? [])
    table.reserve(known ?? [])
  }

  @discardableResult
  mutating func visit(_ old: HTTPArchive.Entry, _ number: Int) -> HTTPArchive.Entry {
    var entry = old
    begin(number, isInRequest: true, known: entry.redacted)
    visit(&entry.request)
    context.isInRequest = false
    visitResponse(of: &entry)
    // Messages about the exchange can quote it.
    entry.stubName = entry.stubName.map { visit($0, at: "name") }
    entry.redirectedTo = entry.redirectedTo.map { visit($0, at: "redirect") }
    if let obstacle = entry.statedObstacle { entry.statedObstacle = visit(obstacle, at: "problem") }
    if let error = entry.error {
      // What else an error has, such as its URL, is in no file.
      let text = visit(error.localizedDescription, at: "error")
      entry.error = URLError(error.code, userInfo: [NSLocalizedDescriptionKey: text])
    }
    entry.redacted = placeholders[number]
    return entry
  }

  private mutating func visit(_ request: inout URLRequest) {
    request.url = request.url.map { visit($0, at: "request URL") }
    var headers = HTTPArchive.Headers((request.allHTTPHeaderFields ?? [:]).sorted { $0.key < $1.key }.map { ($0, $1) })
    let body = visit(&headers, request.httpBody, of: "request")
    if next != nil, !headers.isEmpty {
      request.allHTTPHeaderFields = Dictionary(uniqueKeysWithValues: headers.map { ($0.name, $0.value) })
    }
    if let body { request.httpBody = body.data }
  }

  private mutating func visitResponse(of entry: inout HTTPArchive.Entry) {
    guard var response = entry.response else { return }
    if let body = visit(&response.headers, response.body, of: "response") {
      let ends = body.moved(entry.pieces.map(\.end))
      entry.pieces = zip(entry.pieces, ends).map { .init(end: $1, time: $0.time) }
      response.body = body.data
    }
    entry.response = response
  }

  /// Visits the fields and the body of a message. A correct `Content-Length` stays correct.
  private mutating func visit(
    _ headers: inout HTTPArchive.Headers, _ body: Data?, of message: String
  ) -> EditedBytes? {
    let (type, coding) = (headers["Content-Type"] ?? "", headers["Content-Encoding"])
    let fields = headers.map { ($0, visit($1, .value($0, .header), at: "\(message) header \($0)")) }
    headers = HTTPArchive.Headers(fields)
    guard let body, let edited = visit(body, .body(type: type), coding, at: "\(message) body") else { return nil }
    if headers["Content-Length"] == String(body.count) { headers["Content-Length"] = String(edited.data.count) }
    return edited
  }

  // MARK: Texts

  /// What placeholders make invalid never keeps a secret.
  mutating func visit(url text: String, at place: String) -> String {
    let redacted = visit(text, .url, at: place)
    guard redacted != text, URL(archived: redacted) == nil else { return redacted }
    placeholders[entry]?.insert(PlaceholderText.mark)
    return "http://\(PlaceholderText.mark)/"
  }

  private mutating func visit(_ url: URL, at place: String) -> URL {
    URL(archived: visit(url: url.absoluteString, at: place)) ?? url
  }

  mutating func visit(_ text: String, _ kind: SecretFinder.Kind = .text, at place: String) -> String {
    text.withUTF8Bytes { visit($0, kind, at: place) }?.text ?? text
  }

  /// - Returns: `nil` if nothing was replaced.
  mutating func visit(_ body: Data, _ kind: SecretFinder.Kind, _ coding: String?, at place: String) -> EditedBytes? {
    guard !body.isCompressed(as: coding) else {
      if next != nil { report.skip(place, of: entry, isCompressed: true) }
      return nil
    }
    if case .body(let type) = kind, let text = UTF16Body(body, type: type) {
      guard let edited = text.utf8.withUTF8Bytes({ visit($0, kind, at: place) }) else { return nil }
      // What counts in a body without a type are the bytes that stand there.
      for placeholder in edited.placeholders { placeholders[entry]?.insert(text.bytesAsText(placeholder)) }
      return text.applied(edited)
    }
    return body.withUnsafeBytes { visit($0.bindMemory(to: UInt8.self), kind, at: place) }
  }

  /// - Returns: `nil` if nothing was replaced.
  private mutating func visit(
    _ text: UnsafeBufferPointer<UInt8>, _ kind: SecretFinder.Kind, at place: String
  ) -> EditedBytes? {
    guard let number = next else {
      let placeholders = table.reserve(text)
      if context.placeholders.isByLook { self.placeholders[entry]?.formUnion(placeholders) }
      found.append((finder.findings(in: text, kind, context), finder.kept))
      if finder.isBinary { report.skip(place, of: entry, isCompressed: false) }
      return nil
    }
    next = number + 1
    let edits = edits(text, found[number].secrets)
    guard !edits.isEmpty || !found[number].kept.isEmpty else { return nil }
    let edited = edits.applied(to: text)
    for kept in found[number].kept where !edited.touches(kept.range) {
      report.keep(kept.name, isIdentifier: kept.isIdentifier, entry, place)
    }
    guard !edits.isEmpty else { return nil }
    for case let (placeholder, reason)? in edited.edits.map(\.secret) {
      report.add(entry, place, reason, placeholder)
      placeholders[entry]?.insert(placeholder)
    }
    return edited
  }

  private func edits(_ text: UnsafeBufferPointer<UInt8>, _ findings: [SecretFinder.Finding]) -> ByteEdits {
    var edits = ByteEdits()
    for finding in findings {
      let secret = table.secrets[finding.secret]
      guard let placeholder = secret.placeholder else { continue }
      edits.replace(finding.range, of: text, with: placeholder, because: secret.reason)
    }
    table.replaceOccurrences(in: text, &edits)
    return edits
  }
}

extension HTTPArchive.Entry {
  /// What looks like a placeholder in the request, which is all that replay compares.
  fileprivate var placeholdersByLook: Set<String> {
    var texts = [request.url?.absoluteString ?? ""] + (request.allHTTPHeaderFields ?? [:]).values
    texts.append(String(decoding: request.httpBody ?? Data(), as: UTF8.self))
    return Set(texts.flatMap { $0.withUTF8Bytes(Placeholders.byLook.texts) })
  }
}

extension Data {
  /// Returns whether the bytes are compressed, so that nothing can be found or replaced in them.
  ///
  /// - Parameter coding: The value of `Content-Encoding`. A body in gzip is recognised without it, and text is none of
  ///   it.
  fileprivate func isCompressed(as coding: String?) -> Bool {
    if starts(with: [0x1F, 0x8B, 8]) { return true }
    let coding = coding?[...].withoutOuterSpace.lowercased() ?? ""
    return !["", "identity"].contains(coding) && !isArchivedAsText
  }
}
