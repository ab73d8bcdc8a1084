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
  /// A URL that the placeholders make invalid becomes `http://REDACTED/`. Unlike a recording and `stubkit-har redact`,
  /// this doesn't prove that each request still finds its entry on replay.
  ///
  /// - Throws: An ``HTTPArchiveError`` if a rule can't be applied, such as one with an invalid regular expression.
  public func redacted(_ redactions: [Redaction]) throws -> HTTPArchive {
    if let mistake = RedactionRules(redactions).mistakes.first {
      throw HTTPArchiveError(
        file: nil, problem: "A redaction can't be applied: \(mistake)", remedy: "Correct it, and redact again.")
    }
    return redactedAndReported(redactions).archive
  }

  /// Returns the archive without secrets, and what was replaced. With a rule that can't be applied, the archive has no
  /// entries, so that no secret passes.
  package func redactedAndReported(_ redactions: [Redaction]) -> (archive: HTTPArchive, report: Replacements) {
    guard var redactor = ArchiveRedactor(redactions) else { return (HTTPArchive(), Replacements()) }
    for (number, entry) in zip(1..., entries) { redactor.visit(entry, number) }
    redactor.beginReplacing()
    var archive = self
    archive.entries = zip(1..., entries).map { number, entry in
      var entry = redactor.visit(entry, number)
      for change in redactor.rules.changes {
        let before = entry
        change(&entry)
        guard entry != before else { continue }
        redactor.report.items.append(
          .init(entry: number, place: "entry", placeholder: "changed", reason: .init(kind: .own, rule: "custom")))
        // The closure of a user has no other way to say what is a placeholder.
        let text = String(utf8: HTTPArchive(entries: [entry]).data)
        entry.redacted?.formUnion(text.withUTF8Bytes(Placeholders.byLook.texts))
      }
      return entry
    }
    return (archive, redactor.report)
  }
}

/// What a redaction has replaced, and why, and what it could not search.
package struct Replacements: Sendable {
  /// A value that was replaced, or looks random and was kept. It is named, and never shown.
  package struct Item: Sendable {
    /// The number of the entry, or 0 outside of the entries.
    package let entry: Int
    /// Where it stands, such as `request header X-Api-Key`.
    package let place: String
    /// What became of it.
    package let placeholder: String
    package let reason: SecretReason

    /// The item in a line, such as `request header X-Api-Key: REDACTED (name "X-Api-Key")`. The claims of a token
    /// aren't printed.
    package var line: String {
      "\(place): \(placeholder.hasPrefix("eyJ") ? "a token without its signature" : placeholder) (\(reason.rule))"
    }
  }
  package var items: [Item] = []
  fileprivate var kept: [Item] = []
  /// The bodies that can't be searched, or not for names, such as `the request body of entry 3`, by the reason.
  fileprivate var skipped: [String: [(place: String, entry: Int)]] = [:]

  /// Returns the report of what is left of the archive without some of its entries.
  package func without(_ entries: Set<Int>) -> Replacements {
    // How many of them there are up to each number.
    var counts = [entries.contains(0) ? 1 : 0]
    for number in stride(from: 1, through: entries.max() ?? 0, by: 1) {
      counts.append(counts[number - 1] + (entries.contains(number) ? 1 : 0))
    }
    func left(_ entry: Int) -> Int? {
      entries.contains(entry) ? nil : entry - counts[min(entry, counts.count - 1)]
    }
    func left(_ items: [Item]) -> [Item] {
      items.compactMap { item in
        left(item.entry).map { .init(entry: $0, place: item.place, placeholder: item.placeholder, reason: item.reason) }
      }
    }
    var report = Replacements()
    (report.items, report.kept) = (left(items), left(kept))
    report.skipped = skipped.mapValues { $0.compactMap { item in left(item.entry).map { (item.place, $0) } } }
    report.skipped = report.skipped.filter { !$0.value.isEmpty }
    return report
  }

  /// Returns the report of the entries after one.
  package func after(_ entry: Int) -> Replacements {
    var report = Replacements()
    (report.items, report.kept) = (items.filter { $0.entry > entry }, kept.filter { $0.entry > entry })
    report.skipped = skipped.mapValues { $0.filter { $0.entry > entry } }.filter { !$0.value.isEmpty }
    return report
  }

  /// What was replaced in requests, by the numbers of their entries.
  package var itemsOfRequests: [Int: [Item]] {
    Dictionary(grouping: items.filter { $0.place.hasPrefix("request") }, by: \.entry)
  }

  /// The number of replaced values.
  package var count: Int { items.count }

  /// A line for each replaced value, and one for each name and place in which a value looks random and was kept.
  package var lines: [String] {
    func line(_ item: Item) -> String { (item.entry > 0 ? "entry \(item.entry), " : "") + item.line }
    return items.map(line) + kept.map(line).unique
  }

  /// The sentences to read before a recording is committed: what was replaced although only its look speaks for it, and
  /// what looks random and was kept. Identifiers, digests, cursors and traces aren't listed.
  ///
  /// - Parameter isInTool: Whether to name the options of the tool in place of the rules in Swift.
  package func review(isInTool: Bool = false) -> [String] {
    func names(_ items: [Item]) -> [String] { items.filter { $0.reason.kind == .random }.map(\.reason.name).unique }
    func cure(_ verb: String, _ names: [String], _ rule: String) -> String {
      guard let name = names.last(where: { $0 != SecretReason.noName }) else { return "." }
      let text = isInTool ? "--\(rule) \(name)" : ".\(rule)(\(name.debugDescription))"
      return ". \(verb) \(names.count == 1 ? "it" : "one") with \(text)."
    }
    let (replaced, kept) = (names(items), names(kept))
    var lines: [String] = []
    if !replaced.isEmpty {
      let reason = replaced.count == 1 ? "it looks" : "they look"
      lines.append(
        "Replaced \(replaced.count.asCount("value", "values")) only because \(reason) random: \(replaced.beginning)"
          + cure("Keep", replaced, "keep"))
    }
    if !kept.isEmpty {
      lines.append(
        "Kept \(kept.count.asCount("value that looks", "values that look")) random: \(kept.beginning)"
          + cure("Redact", kept, "secret"))
    }
    return lines
  }

  /// The number and what they are, such as `3 values redacted: 1 by name, 2 by shape`.
  package var summary: String {
    let kinds = SecretReason.Kind.allCases.compactMap { kind in
      let count = items.count { $0.reason.kind == kind }
      return count > 0 ? "\(count) \(kind.rawValue)" : nil
    }
    return "\(count.asCount("value", "values")) redacted\(kinds.isEmpty ? "" : ": ")\(kinds.listed)\(unsearched)"
  }

  /// The end of a line that names the bodies that were not searched, and those in which no names were searched. Empty
  /// if there are none.
  package var unsearched: String {
    skipped.sorted { $0.key < $1.key }
      .map { "; \($0): \($1.map { "the \($0.place) of entry \($0.entry)" }.beginning)" }.joined()
  }
}

extension [String] {
  /// The first five, and how many there are besides.
  fileprivate var beginning: String { prefix(5).listed + (count > 5 ? " and \(count - 5) more" : "") }
}

/// Visits the texts of all entries twice in the same order: once to find the secrets, and once to replace them.
struct ArchiveRedactor {
  let rules: RedactionRules
  private let finder: SecretFinder
  private let table = SecretTable()
  /// What was found in each text, from the last one on when secrets are replaced.
  private var found: [SecretFinder.Findings] = []
  private var isReplacing = false
  var report = Replacements()
  /// The placeholders of each entry, by its number.
  private(set) var placeholders: [Int: Set<String>] = [:]
  private var entry = -1

  /// - Returns: `nil` if a rule can't be applied. Standard error says why.
  init?(_ redactions: [Redaction]) {
    rules = RedactionRules(redactions)
    finder = SecretFinder(rules: rules, table: table)
    guard rules.mistakes.isEmpty else {
      RunningTest.tell("\(rules.mistakes.lines)\nThe redacted archive has no entries.")
      return nil
    }
  }

  mutating func beginReplacing() {
    table.assign()
    found.reverse()
    isReplacing = true
  }

  /// Begins with the texts of an entry.
  ///
  /// - Parameters:
  ///   - isCopy: Whether the file says elsewhere what the next text says.
  ///   - known: The placeholders that it lists, or `nil` if it lists none.
  mutating func begin(_ number: Int, isInRequest: Bool, isCopy: Bool = false, known: Set<String>?) {
    (finder.isInRequest, finder.isCopy) = (isInRequest, isCopy)
    guard number != entry else { return }
    // A list that another tool wrote, or nobody knows who, protects no secret.
    (entry, finder.placeholders) = (number, Placeholders(known.map { $0.filter(PlaceholderText.isOne) }))
    placeholders[number, default: []].formUnion(known ?? [])
    table.used.formUnion(known ?? [])
  }

  @discardableResult
  mutating func visit(_ old: HTTPArchive.Entry, _ number: Int) -> HTTPArchive.Entry {
    var entry = old
    begin(number, isInRequest: true, known: entry.redacted)
    entry.request.url = entry.request.url.map { visit($0, at: MessagePart.url.place(isSent: true)) }
    let fields = (entry.request.allHTTPHeaderFields ?? [:]).sorted { $0.key < $1.key }
    var headers = StubHeaders(fields.map { ($0, $1) })
    let body = visit(&headers, entry.request.httpBody, isSent: true)
    entry.request.allHTTPHeaderFields = Dictionary(uniqueKeysWithValues: headers.map { ($0, $1) })
    if let body { entry.request.httpBody = body.data }
    finder.isInRequest = false
    if var response = entry.response {
      if let body = visit(&response.headers, response.body, isSent: false) {
        let ends = body.moved(entry.pieces.map(\.end))
        entry.pieces = zip(entry.pieces, ends).map { .init(end: $1, time: $0.time) }
        response.body = body.data
      }
      entry.response = response
    }
    // Messages about the exchange can quote it.
    entry.stubName = entry.stubName.map { visit($0, at: "name") }
    entry.redirectedTo = entry.redirectedTo.map { visit($0, at: "redirect") }
    entry.statedObstacle = entry.statedObstacle.map { visit($0, at: "problem") }
    entry.error = entry.error.map { error in
      // What else an error has, such as its URL, is in no file.
      URLError(error.code, userInfo: [NSLocalizedDescriptionKey: visit(error.localizedDescription, at: "error")])
    }
    entry.redacted = placeholders[number]
    return entry
  }

  /// Visits the fields and the body of a message. A correct `Content-Length` stays correct.
  private mutating func visit(
    _ headers: inout StubHeaders, _ body: Data?, isSent: Bool
  ) -> EditedBytes? {
    let (type, coding) = (headers["Content-Type"] ?? "", headers["Content-Encoding"])
    headers = StubHeaders(
      headers.map { name, value in
        let part = MessagePart.header(name)
        return (name, visit(value, part.kind, at: part.place(isSent: isSent)))
      })
    let part = MessagePart.body(type: type)
    guard let body, let edited = visit(body, part.kind, coding, at: part.place(isSent: isSent)) else { return nil }
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

  private mutating func visit(_ text: String, _ kind: SecretFinder.Kind = .text, at place: String) -> String {
    text.withUTF8Bytes { visit($0, kind, at: place) }?.text ?? text
  }

  /// - Returns: `nil` if nothing was replaced.
  mutating func visit(_ body: Data, _ kind: SecretFinder.Kind, _ coding: String?, at place: String) -> EditedBytes? {
    let isEncoded = (coding ?? "identity") != "identity" && !body.isArchivedAsText
    // A body in gzip is recognised without a header.
    if isEncoded || body.starts(with: [0x1F, 0x8B, 8]) {
      if isReplacing { skip(place, "not searched, because compressed") }
      return nil
    }
    return body.withUnsafeBytes { visit($0.bindMemory(to: UInt8.self), kind, at: place) }
  }

  /// - Returns: `nil` if nothing was replaced.
  private mutating func visit(
    _ text: Bytes, _ kind: SecretFinder.Kind, at place: String
  ) -> EditedBytes? {
    guard isReplacing else {
      table.reserve(text)
      placeholders[entry]?.formUnion(finder.placeholders.texts(in: text))
      found.append(finder.findings(in: text, kind))
      if finder.isBinary { skip(place, "not searched for names, because binary") }
      if finder.isCompressed { skip(place, "not searched as a whole, because a part is compressed") }
      if finder.isCutShort { skip(place, "not searched as a whole, because texts are too deep in it") }
      if finder.isSerialized { skip(place, "not searched as a whole, because a part is of PHP's serialize") }
      return nil
    }
    func item(_ placeholder: String, _ reason: SecretReason) -> Replacements.Item {
      Replacements.Item(entry: entry, place: place, placeholder: placeholder, reason: reason)
    }
    let edited = table.edited(text, found.removeLast())
    placeholders[entry]?.subtract(edited.replaced)
    for reason in edited.kept { report.kept.append(item("kept \(reason.name)", reason)) }
    for edit in edited.edits {
      for (placeholder, reason) in edit.secrets { report.items.append(item(placeholder, reason)) }
    }
    placeholders[entry]?.formUnion(edited.placeholders)
    return edited.edits.isEmpty ? nil : edited
  }

  private mutating func skip(_ place: String, _ reason: String) {
    report.skipped[reason, default: []].append((place, entry))
  }
}
