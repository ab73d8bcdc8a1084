import Foundation
import StubKit

/// The text of an HTTP Archive as a list of its strings and numbers. Redaction replaces the strings with secrets. All
/// other bytes stay, whatever StubKit understands of them.
package struct ArchiveDocument {
  /// The archive as it was read.
  package let archive: HTTPArchive
  private let file: HARFile
  /// The file that it was read from, or `nil`.
  private let source: URL?
  private var edits = ByteEdits()
  /// A sentence for each file beside the archive that still contains secrets.
  package private(set) var advice: [String] = []

  /// Reads the text of a file.
  ///
  /// - Parameters:
  ///   - name: The name of the file, for messages.
  ///   - source: The file, or `nil` if the text comes from elsewhere.
  /// - Throws: An ``HTTPArchiveError``.
  package init(_ text: Data, name: String, source: URL? = nil) throws {
    file = try HARFile(text, name: name)
    archive = try HTTPArchive(file, source: source)
    self.source = source
  }

  // MARK: Editing

  /// Replaces secrets in every string of the file. Rules that change entries with a closure don't apply to strings.
  ///
  /// A body in a file of its own moves into the archive if it changes, or if the archive goes to another folder. The
  /// file stays as it is.
  ///
  /// - Parameter target: The file that will be written, or `nil` if that is unknown.
  /// - Returns: The archive without secrets, and what was replaced.
  @discardableResult
  package mutating func redact(
    _ redactions: [Redaction], for target: URL?
  ) throws -> (archive: HTTPArchive, report: Replacements) {
    guard var redactor = ArchiveRedactor(redactions) else { return (HTTPArchive(), Replacements()) }
    let parts = file.parts.map { ($0, members(of: $0)) }
    let texts = parts.flatMap { self.texts(of: $0, $1) }.sorted { $0.order < $1.order }
    for text in texts { _ = visit(text, &redactor) }
    redactor.beginReplacing()
    var (edited, said) = (Set<Int>(), Set<[String]>())
    for text in texts {
      let count = redactor.report.count
      let change = visit(text, &redactor)
      redactor.report.items[count...].removeAll { text.isCopy && said.contains([String($0.entry), $0.placeholder]) }
      said.formUnion(redactor.report.items[count...].map { [String($0.entry), $0.placeholder] })
      let isElsewhere = text.isFile && source.map { $0.folderOfFile.path != target?.folderOfFile.path } ?? false
      guard change != nil || isElsewhere else { continue }
      edited.insert(text.entry)
      replace(text, with: change?.data ?? text.data, change)
      if text.isFile, change != nil {
        advice.append(
          "The body of entry \(text.entry) is now in the archive. The file \(text.member.text ?? "") still has what was replaced: remove it."
        )
      }
    }
    for (part, members) in parts where part.entry > 0 && edited.contains(part.entry) {
      list(redactor.placeholders[part.entry] ?? [], in: part, members)
    }
    return (try HTTPArchive(HARFile(data, name: file.name), source: target ?? source), redactor.report)
  }

  private func visit(_ text: Text, _ redactor: inout ArchiveRedactor) -> EditedBytes? {
    let known = text.entry > 0 ? archive.entries[text.entry - 1].redacted : nil
    redactor.begin(text.entry, isInRequest: text.isSent, isCopy: text.isCopy, known: known)
    guard text.member.path == "request.url", let url = text.member.text else {
      return redactor.visit(text.data, text.kind, text.coding, at: text.place)
    }
    let redacted = redactor.visit(url: url, at: text.place)
    return redacted == url ? nil : EditedBytes(data: Data(redacted.utf8), edits: [])
  }

  /// Replaces a string, or the body that it stands for together with what counts its bytes.
  private mutating func replace(_ text: Text, with data: Data, _ change: EditedBytes?) {
    let member = text.member
    let isBase64 = text.isBase64 || text.isFile && !data.isArchivedAsText
    let quoted = (isBase64 ? data.base64EncodedString() : String(utf8: data)).quotedAsJSON
    if !text.isFile {
      edits.replace(member.range, with: quoted.utf8)
    } else if let other = text.siblings["text"] {
      // The file's name stays under another key.
      edits.replace(other.range, with: quoted.utf8)
      edits.replace(member.start..<member.start + member.key.quotedAsJSON.utf8.count, with: "\"_formerFile\"".utf8)
    } else {
      let coding = isBase64 && !text.isBase64 ? ", \"\(member.isInRequest ? "_" : "")encoding\": \"base64\"" : ""
      edits.replace(member.start..<member.range.upperBound, with: "\"text\": \(quoted)\(coding)".utf8)
    }
    let growth = data.count - text.data.count
    for (name, other) in text.siblings where growth != 0 {
      // What counts something else, such as the bytes on the wire, stays.
      guard let count = other.number, name.hasSuffix("size") || count == text.data.count else { continue }
      edits.replace(other.range, with: (other.isString ? "\"\(count + growth)\"" : "\(count + growth)").utf8)
    }
    let ends = text.pieces.compactMap(\.number)
    for (piece, end) in zip(text.pieces, change?.moved(ends) ?? []) { edits.replace(piece.range, with: "\(end)".utf8) }
  }

  /// Writes the placeholders of an entry into it.
  private mutating func list(_ placeholders: Set<String>, in part: HARFile.Part, _ members: [Member]) {
    let list = StubJSON.array(placeholders.sorted().map(StubJSON.string)).description
    if let member = members.first(where: { $0.path == "_redacted" }) {
      return edits.replace(member.range, with: list.utf8)
    }
    guard let first = members.map(\.start).min(), let last = members.map(\.range.upperBound).max() else { return }
    let space = file.text[part.range.lowerBound + 1..<first]
    edits.replace(last..<last, with: Data(",".utf8) + space + Data("\"_redacted\": \(list)".utf8))
  }

  /// Adds entries after those of the file, in the style of its last one. All bytes of the file stay.
  package mutating func append(_ entries: some Collection<HTTPArchive.Entry>) {
    guard !entries.isEmpty else { return }
    let isForeign = !file.isOwn
    let last = file.parts.last { $0.entry > 0 }
    let isSpace = { (byte: UInt8) in " \t\r\n".utf8.contains(byte) }
    let space =
      last.map { Data(file.text[..<$0.range.lowerBound].reversed().prefix(while: isSpace).reversed()) }
      ?? Data("\n      ".utf8)
    // The last line break with the indentation behind it, or nothing in a file of one line.
    let start = space.lastIndex(of: .newline).map { end in
      end > space.startIndex && space[end - 1] == UInt8(ascii: "\r") ? end - 1 : end
    }
    let lineBreak = start.map { Data(space[$0...]) } ?? Data()
    let texts = entries.map { entry in
      var lines = entry.text(inForeignFile: isForeign, isPretty: start != nil)
        .split(separator: .newline, omittingEmptySubsequences: false)
      // Empty arrays and objects have an empty line, without indentation.
      for index in lines.indices.dropLast() where lines[index + 1].isEmpty {
        lines[index] += lineBreak.prefix { $0 == .newline || $0 == UInt8(ascii: "\r") }
      }
      return Data(lines.filter { !$0.isEmpty }.joined(separator: lineBreak))
    }
    let added = Data(texts.joined(separator: Data(",".utf8) + space))
    if let last {
      let end = last.range.upperBound
      edits.replace(end..<end, with: Data(",".utf8) + space + added)
    } else {
      edits.replace(file.placeOfEntries, with: space + added + Data("\n    ".utf8))
    }
  }

  // MARK: Strings

  /// A value of the file that isn't an entry.
  private struct Member {
    /// Where it is, such as `_webSocketMessages[0].data`.
    let path: String
    let key: String
    /// Where its key begins, or itself in an array.
    let start: Int
    let range: Range<Int>
    /// The string, or the text of a number, or `nil`.
    let text: String?
    let isString: Bool
    /// The name beside it, in a pair such as `"name": "a", "value": "b"` or `["a", "b"]`.
    var name: String?

    var isInRequest: Bool { path.starts(withBytesOf: "request.") }
    var number: Int? { text.flatMap { Int($0) } }
  }

  /// A string that can contain secrets, or the body that it stands for.
  private struct Text {
    let entry: Int
    let member: Member
    /// The parts of requests and responses come before everything else, and headers in the order of their names.
    var order: (entry: Int, part: Int, name: String, position: Int)
    var kind: SecretFinder.Kind
    var place: String
    var data: Data
    var coding: String?
    /// Whether the client has sent it, in a request or over a WebSocket.
    var isSent: Bool
    /// Whether the string says for the second time what another one says.
    var isCopy = false
    /// Whether it is a body in Base64, or the name of the file of one.
    var isBase64 = false
    var isFile = false
    /// Members that count the bytes of a body, and its text beside a file.
    var siblings: [String: Member] = [:]
    /// The ends of its pieces.
    var pieces: [Member] = []
  }

  /// Returns all values of a part, each object after its members.
  private func members(of part: HARFile.Part) -> [Member] {
    struct Level {
      let path: String
      let start: Int
      let isArray: Bool
      var key = ""
      var keyStart = 0
      var index = 0
      /// The places in the list of the strings `name` and `value`, or of the first two elements.
      var name: Int?
      var value: Int?
      /// The path of the next value.
      var next: String {
        if isArray { return "\(path)[\(index)]" }
        return path.isEmpty ? key : "\(path).\(key)"
      }
    }
    var (members, levels) = ([Member](), [Level]())
    let offset = part.range.lowerBound
    func add(_ range: Range<Int>, _ text: String? = nil, isString: Bool = false) {
      guard let level = levels.last else {
        if isString {
          members.append(Member(path: part.path, key: "", start: offset, range: part.range, text: text, isString: true))
        }
        return
      }
      if isString {
        switch (level.isArray, level.index, level.key) {
        case (true, 0, _), (false, _, "name"): levels[levels.count - 1].name = members.count
        case (true, 1, _), (false, _, "value"): levels[levels.count - 1].value = members.count
        default: break
        }
      }
      levels[levels.count - 1].index += 1
      members.append(
        Member(
          path: level.next, key: level.key, start: offset + (level.isArray ? range.lowerBound : level.keyStart),
          range: offset + range.lowerBound..<offset + range.upperBound, text: text, isString: isString))
    }
    file.text.dropFirst(offset).prefix(part.range.count).withUnsafeBytes { (bytes: UnsafeRawBufferPointer) in
      var scanner = JSONScanner(bytes.bindMemory(to: UInt8.self), deepest: .max)
      while let token = try? scanner.next() {
        switch token {
        case .end: return
        case .key(let key): (levels[levels.count - 1].key, levels[levels.count - 1].keyStart) = (key.text, key.start)
        case .beginObject, .beginArray:
          let isArray = if case .beginArray = token { true } else { false }
          levels.append(Level(path: levels.last?.next ?? part.path, start: scanner.start, isArray: isArray))
        case .endObject, .endArray:
          let level = levels.removeLast()
          if let name = level.name, let value = level.value, !level.isArray || level.index == 2 {
            members[value].name = members[name].text
          }
          add(level.start..<scanner.position)
        case .string(let string): add(string.range, string.text, isString: true)
        case .number(let range): add(range, String(utf8: scanner.utf8[range]))
        case .bool, .null: add(scanner.start..<scanner.position)
        }
      }
    }
    return members
  }

  /// Returns the strings of a part with what they are.
  private func texts(of part: HARFile.Part, _ members: [Member]) -> [Text] {
    let all = Dictionary(members.map { ($0.path, $0) }) { first, _ in first }
    return members.compactMap { member -> Text? in
      guard member.isString, let string = member.text, member.path != "_redacted" else { return nil }
      let (path, name) = (member.path, member.name ?? member.key)
      var text = Text(
        entry: part.entry, member: member, order: (.max, 0, "", member.start), kind: MessagePart.member(name).kind,
        place: path, data: Data(string.utf8), isSent: member.isInRequest)
      guard part.entry > 0 else { return text }
      func isIn(_ start: String) -> Bool { path.starts(withBytesOf: start) }
      let isSent = member.isInRequest
      let (message, body) = isSent ? ("request", "request.postData") : ("response", "response.content")
      func isCopy(_ part: MessagePart?) { (text.kind, text.isCopy) = (part?.kind ?? .text, true) }
      func isPart(_ number: Int, _ messagePart: MessagePart) {
        let name = if case .header(let name) = messagePart { name.lowercased() } else { "" }
        text.order = (part.entry, number, name, member.start)
        (text.kind, text.place) = (messagePart.kind, messagePart.place(isSent: isSent))
      }
      let entry = archive.entries[part.entry - 1]
      switch path {
      case "request.url": isPart(0, .url)
      case _ where isIn("\(message).headers[") && member.name != nil:
        isPart(isSent ? 1 : 3, .header(name))
      case "request.postData.text", "request.postData._file", "response.content.text", "response.content._file":
        let data = member.isInRequest ? entry.request.httpBody : entry.response?.body
        text.isFile = member.key == "_file"
        // A file that wasn't read is no text, and a text beside a file is another one.
        guard let data, !data.isEmpty, text.isFile || all["\(body)._file"] == nil else {
          return text.isFile ? nil : text
        }
        func header(_ name: String) -> String? {
          member.isInRequest ? entry.request.value(forHTTPHeaderField: name) : entry.response?.headers[name]
        }
        text.coding = header("Content-Encoding")
        let type = header("Content-Type") ?? all["\(body).mimeType"]?.text ?? ""
        isPart(isSent ? 2 : 4, .body(type: type))
        let coding = (all["\(body).encoding"] ?? all["\(body)._encoding"])?.text
        text.isBase64 = coding?.lowercased() == "base64"
        if text.isFile || text.isBase64 { text.data = data }
        for place in ["\(body).size", "\(body)._size", "\(message).bodySize"] { text.siblings[place] = all[place] }
        text.siblings["length"] = members.first {
          $0.path.starts(withBytesOf: "\(message).headers[") && $0.name?.lowercased() == "content-length"
        }
        if text.isFile { text.siblings["text"] = all["\(body).text"] }
        text.pieces = members.filter {
          !member.isInRequest && $0.path.starts(withBytesOf: "response.content._pieces[") && $0.key == "end"
        }
      case "response.redirectURL": isCopy(.url)
      // Of requests and responses, and in members such as Chrome's `blockedCookies`.
      case _ where ["cookies[", "Cookies["].contains(where: path.contains) && member.name != nil:
        isCopy(.cookie(name))
      case _ where isIn("request.queryString["): isCopy(.queryItem(name.percentDecoded))
      case _ where isIn("request.postData.params["):
        // The text of another type isn't one of fields, whatever its type says.
        let isJSON = all["request.postData.text"]?.text?.first { !$0.isWhitespace }.map { "{[".contains($0) } ?? false
        isCopy(isJSON ? nil : .formField(name.percentDecoded))
      case _ where isIn("_webSocketMessages["):
        text.isSent = all[path.replacingOccurrences(of: "].data", with: "].type")]?.text == "send"
      // Other tools have headers in members of their own: as pairs, or as an object.
      case _ where path.lowercased().contains("headers") || member.key.isEmpty && member.name != nil:
        text.kind = MessagePart.header(name).kind
      default: break
      }
      return text
    }
  }

  // MARK: Writing

  /// The edited text.
  package var data: Data { file.text.withUnsafeBytes { edits.applied(to: $0.bindMemory(to: UInt8.self)).data } }
}
