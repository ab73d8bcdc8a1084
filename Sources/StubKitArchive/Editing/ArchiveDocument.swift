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
  /// The files with bodies to write beside the archive.
  private var bodies: [String: ArchivedBody] = [:]

  /// Reads a file.
  ///
  /// - Throws: An ``HTTPArchiveError``, or the error of the file system if the file can't be read.
  package init(contentsOf url: URL) throws {
    try self.init(
      try Data(contentsOf: url, options: .mappedIfSafe), name: url.lastPathComponent, source: url)
  }

  /// - Parameters:
  ///   - name: The name of the file, for messages.
  ///   - source: The file, or `nil` if the text comes from elsewhere.
  package init(_ text: Data, name: String, source: URL? = nil) throws {
    archive = try HTTPArchive(text, fileName: name, folder: source?.deletingLastPathComponent())
    self.text = text
    self.source = source
  }

  // MARK: Editing

  /// Replaces secrets, in what StubKit understands and in every other text of the archive.
  ///
  /// - Parameter target: The file that will be written.
  /// - Returns: The archive without secrets, and what was replaced.
  @discardableResult
  package mutating func redact(
    _ redactions: [Redaction], for target: URL?
  ) throws -> (archive: HTTPArchive, report: RedactionReport) {
    let tree = try tree()
    var others = OtherTexts(in: tree.root)
    let (redacted, report) = archive.redactedAndReported(redactions, with: &others.texts)
    let files = try target.map { try ArchiveFiles($0) }
    let staysInPlace = source.map { $0.resolvingSymlinksInPath().path == files?.file.path } ?? false
    let ownNames = files.map { $0.bodyNames(in: $0.file) } ?? []
    for (index, place) in tree.entries.enumerated() {
      let (old, new) = (archive.entries[index], redacted.entries[index])
      let name = place["response"]?["content"]?["_file"]?.string
      var newName = name
      if let name, old.response?.content.file != nil, let content = new.response?.content, let files,
        !staysInPlace || old.response?.content != content
      {
        // A body of another tool keeps its name, so that its secrets don't stay in a file that no archive names.
        let isOwn = !staysInPlace || ownNames.contains(name) || bodies[name].map { $0 != content } ?? false
        let place = isOwn ? files.name(of: content, type: new.response?.headers["Content-Type"] ?? "") : name
        bodies[place] = content
        newName = place
      }
      if let file = place["request"]?["postData"]?["_file"], let name = file.string, let body = new.request.httpBody,
        let files, !staysInPlace || old.request.httpBody != body
      {
        let type = new.request.value(forHTTPHeaderField: "Content-Type") ?? ""
        let newName = staysInPlace ? name : files.name(of: ArchivedBody(body), type: type)
        bodies[newName] = ArchivedBody(body)
        edits.replace(file.range, with: newName.quoted.utf8)
      }
      let edit = try EntryEdit(
        from: Self.text(of: old, bodyFile: name), to: Self.text(of: new, bodyFile: newName), in: place, of: text)
      edits.append(edit.edits)
    }
    let rest = others.edits(except: edits.starts)
    edits.append(rest)
    return (redacted, report)
  }

  private static func text(of entry: HTTPArchive.Entry, bodyFile: String?) -> [UInt8] {
    var writer = HARTextWriter()
    HARWriter().write(entry, bodyFile: bodyFile, to: &writer)
    return writer.utf8
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

  /// Writes the edited text and the bodies in files of their own, in one step.
  ///
  /// - Throws: An ``HTTPArchiveError`` that says what the file system refused.
  package func write(to url: URL) throws {
    let files = try ArchiveFiles(url)
    var bodies = bodies
    // Bodies that the edited text still names are not those of the replaced archive alone.
    let edited = data
    if let source, source.resolvingSymlinksInPath().path == files.file.path {
      let left = try HTTPArchive(edited, fileName: nil, folder: source.deletingLastPathComponent())
      for content in left.entries.compactMap({ $0.response?.content }) {
        guard let name = content.file?.url.lastPathComponent, bodies[name] == nil else { continue }
        bodies[name] = content
      }
    }
    try files.write(edited, bodies: bodies)
  }
}

/// The texts of an archive that StubKit doesn't understand, such as the titles of pages. They can quote URLs.
private struct OtherTexts {
  /// The texts, with or without their secrets.
  var texts: [String] = []
  private var before: [String] = []
  private var ranges: [Range<Int>] = []

  init(in root: JSONTree) {
    search(root, in: "")
    texts = before
  }

  private mutating func search(_ tree: JSONTree, in name: String) {
    switch tree.content {
    case .object(let members):
      // The texts of bodies have rules of their own.
      let isBody = name == "content" || name == "postData"
      for member in members where !(isBody && member.name == "text") { search(member.value, in: member.name) }
    case .array(let elements): for element in elements { search(element, in: "") }
    case .string(let text):
      before.append(text)
      ranges.append(tree.range)
    case .other: break
    }
  }

  /// - Parameter edited: The positions of the values that are edited already.
  func edits(except edited: Set<Int>) -> ByteEdits {
    var edits = ByteEdits()
    for (index, text) in texts.enumerated() where text != before[index] && !edited.contains(ranges[index].lowerBound) {
      edits.replace(ranges[index], with: text.quoted.utf8)
    }
    return edits
  }
}
