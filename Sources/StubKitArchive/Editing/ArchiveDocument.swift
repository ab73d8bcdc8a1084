import Foundation
import StubKitFormats

/// The text of an HTTP Archive, which is edited and never rebuilt. What StubKit doesn't understand stays: pages, the
/// browser, comments, timings, and the fields of other tools.
package struct ArchiveDocument {
  /// The archive as it was read.
  package let archive: HTTPArchive
  private let text: Data
  /// The file that it was read from, or `nil`.
  private let source: URL?
  private var edits = ByteEdits()
  /// The files of bodies that were replaced in the archive, with the numbers of their entries.
  private var filesWithSecrets: [(name: String, entry: Int)] = []
  /// A sentence for each file beside the archive that still contains secrets.
  package var advice: [String] {
    filesWithSecrets.map {
      "The body of entry \($0.entry) is now in the archive. The file \($0.name) still has what was replaced: remove it."
    }
  }

  /// Reads a file.
  ///
  /// - Throws: An ``HTTPArchiveError``, or the error of the file system if the file can't be read.
  package init(contentsOf url: URL) throws {
    try self.init(try Data(contentsOf: url), name: url.lastPathComponent, source: url)
  }

  /// - Parameters:
  ///   - name: The name of the file, for messages.
  ///   - source: The file, or `nil` if the text comes from elsewhere.
  package init(_ text: Data, name: String, source: URL? = nil) throws {
    archive = try HTTPArchive(text, fileName: name, source: source)
    self.text = text
    self.source = source
  }

  // MARK: Editing

  /// Replaces secrets, in what StubKit understands and in every other text of the archive.
  ///
  /// A body in a file of its own moves into the archive if it changes, or if the archive goes to another folder. The file
  /// stays as it is.
  ///
  /// - Parameter target: The file that will be written, or `nil` if that is unknown.
  /// - Returns: The archive without secrets, and what was replaced.
  @discardableResult
  package mutating func redact(
    _ redactions: [Redaction], for target: URL?
  ) throws -> (archive: HTTPArchive, report: RedactionReport) {
    let tree = try tree()
    var others = OtherTexts(in: tree.root, except: archive.entries)
    var (redacted, report) = archive.redactedAndReported(redactions, with: &others.texts)
    let staysInFolder = source.map { $0.folderOfFile.path == target?.folderOfFile.path } ?? false
    for (number, place) in zip(1..., tree.entries) {
      let (old, new) = (archive.entries[number - 1], redacted.entries[number - 1])
      let files = (
        request: place["request"]?["postData"]?["_file"]?.string,
        response: place["response"]?["content"]?["_file"]?.string
      )
      var left = files
      let (sent, body) = (new.request.httpBody, new.response?.content)
      if sent != nil, !staysInFolder || sent != old.request.httpBody { left.request = nil }
      if let body, !body.isMissing, !staysInFolder || body != old.response?.content { left.response = nil }
      if let file = files.request, sent != old.request.httpBody { filesWithSecrets.append((file, number)) }
      if let file = files.response, body != old.response?.content { filesWithSecrets.append((file, number)) }
      let edit = try EntryEdit(
        from: HARWriter(files: files).text(of: old), to: HARWriter(files: left).text(of: new), in: place, of: text)
      edits.append(edit.edits)
    }
    report.add(others.edit(&edits))
    return (redacted, report)
  }

  private func tree() throws -> (root: JSONTree, entries: [JSONTree]) {
    let root = try text.withUnsafeBytes { bytes in
      var scanner = JSONScanner(bytes.bindMemory(to: UInt8.self))
      return try JSONTree(scanning: &scanner)
    }
    return (root, root["log"]?["entries"]?.elements ?? [])
  }

  // MARK: Writing

  /// The edited text.
  package var data: Data { text.withUnsafeBytes { edits.applied(to: $0.bindMemory(to: UInt8.self)).data } }

  /// Writes the edited text in one step.
  ///
  /// - Throws: An ``HTTPArchiveError`` that says what the file system refused.
  package func write(to url: URL) throws { try data.writeAsArchive(to: url) }
}

/// A text of an archive's file that isn't a part of a request or a response.
struct OtherText {
  /// The number of the entry, or 0 outside of the entries.
  let entry: Int
  /// Where it stands, such as `_webSocketMessages[0].data`.
  let place: String
  /// The name beside the text, if both are a pair such as `"name": "a", "value": "b"`.
  let name: String?
  var text: String
  /// What was replaced in it.
  var items: [RedactionReport.Item] = []
}

/// The texts of an archive that StubKit doesn't understand, such as the titles of pages. They can quote URLs.
private struct OtherTexts {
  /// The texts, with or without their secrets.
  var texts: [OtherText] = []
  private var before: [String] = []
  private var ranges: [Range<Int>] = []
  private let entries: [HTTPArchive.Entry]

  init(in root: JSONTree, except entries: [HTTPArchive.Entry]) {
    self.entries = entries
    search(root, 0, "")
    before = texts.map(\.text)
  }

  /// - Parameters:
  ///   - number: The number of the entry, or 0 outside of the entries.
  ///   - path: Where the value is, in the entry or in the archive.
  ///   - name: The name of a value that is in a pair.
  private mutating func search(_ tree: JSONTree, _ number: Int, _ path: String, _ name: String? = nil) {
    switch tree.content {
    case .object(let members):
      for member in members where !isSearched(member, of: tree, path, number) {
        let name = member.name == "value" ? tree["name"]?.string : nil
        search(member.value, number, path.isEmpty ? member.name : "\(path).\(member.name)", name)
      }
    case .array(let elements):
      let isLog = path == "log.entries"
      for (index, element) in elements.enumerated() {
        search(element, isLog ? index + 1 : number, isLog ? "" : "\(path)[\(index)]")
      }
    case .string(let text):
      texts.append(OtherText(entry: number, place: path, name: name, text: text))
      ranges.append(tree.range)
    case .other: break
    }
  }

  /// Returns whether a member is the text of a body, which has rules of its own, or the name of its file.
  private func isSearched(_ member: JSONTree.Member, of tree: JSONTree, _ path: String, _ number: Int) -> Bool {
    if member.name == "_file" { return true }
    // A body in a file has perhaps another text here.
    guard member.name == "text", number > 0, number <= entries.count, tree["_file"] == nil else { return false }
    switch path {
    case "request.postData": return entries[number - 1].request.httpBody?.isEmpty == false
    case "response.content": return entries[number - 1].response?.body.isEmpty == false
    default: return false
    }
  }

  /// Adds the edits of the texts that aren't edited already, and returns what they replace.
  func edit(_ edits: inout ByteEdits) -> [RedactionReport.Item] {
    let edited = edits
    for (index, other) in texts.enumerated() where other.text != before[index] {
      edits.replace(ranges[index], with: other.text.quoted.utf8)
    }
    let (own, all) = (edited.starts, Set(edits.ordered.map(\.range)))
    return texts.indices.flatMap { index in
      own.contains(ranges[index].lowerBound) || !all.contains(ranges[index]) ? [] : texts[index].items
    }
  }
}
