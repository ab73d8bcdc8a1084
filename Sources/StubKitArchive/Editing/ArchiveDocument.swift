import Foundation
import StubKit

/// The text of an HTTP Archive. An entry that is edited is written anew, with everything in it that StubKit doesn't
/// understand. All other bytes stay.
package struct ArchiveDocument {
  /// The archive as it was read.
  package let archive: HTTPArchive
  private let file: HARFile
  /// The file that it was read from, or `nil`.
  private let source: URL?
  private var edits = ByteEdits()
  /// A sentence for each file beside the archive that still contains secrets.
  package private(set) var advice: [String] = []

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
    file = try HARFile(text, name: name)
    archive = try HTTPArchive(file, source: source)
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
    let values = try file.parts.map { try JSONDecoder().decode(HARValue.self, from: file.bytes(of: $0)) }
    var texts: [OtherText] = []
    let ends = zip(file.parts, values).map { part, value in
      var value = value
      value.replaceTexts(at: part.path, except: bodies(of: value, part.entry)) { text, place, name in
        texts.append(OtherText(entry: part.entry, place: place, name: name, text: text))
        return text
      }
      return texts.count
    }
    let before = texts.map(\.text)
    var (redacted, report) = archive.redactedAndReported(redactions, with: &texts)
    // It has no entries if a redaction is wrong.
    guard redacted.entries.count == archive.entries.count else { return (redacted, report) }
    for (index, (part, value)) in zip(file.parts, values).enumerated() {
      var edited = value
      if part.entry > 0 { change(&edited, part.entry, to: redacted.entries[part.entry - 1], for: target) }
      let changed = ((index > 0 ? ends[index - 1] : 0)..<ends[index]).filter { texts[$0].text != before[$0] }
      let others = Dictionary(grouping: changed) { texts[$0].place }
      if !others.isEmpty {
        edited.replaceTexts(at: part.path, except: bodies(of: value, part.entry)) { text, place, _ in
          guard let other = others[place]?.first(where: { before[$0] == text }) else { return text }
          report.add(texts[other].items)
          return texts[other].text
        }
      }
      if edited != value { edits.replace(part.range, with: indented(edited, at: part.range.lowerBound)) }
    }
    return (redacted, report)
  }

  /// Changes an entry to what it is without secrets.
  private mutating func change(
    _ value: inout HARValue, _ number: Int, to new: HTTPArchive.Entry, for target: URL?
  ) {
    let old = archive.entries[number - 1]
    let staysInFolder = source.map { $0.folderOfFile.path == target?.folderOfFile.path } ?? false
    var before = HARValue(old)
    let files = [
      (value["request"]?["postData"]?["_file"]?.text, old.request.httpBody != new.request.httpBody),
      (value["response"]?["content"]?["_file"]?.text, old.response?.content != new.response?.content),
    ]
    for case (let name?, true) in files {
      advice.append(
        "The body of entry \(number) is now in the archive. The file \(name) still has what was replaced: remove it.")
    }
    if !staysInFolder {
      // Without its text here, the body counts as changed.
      if files[0].0 != nil { before["request"]?["postData"]?["text"] = nil }
      if files[1].0 != nil { before["response"]?["content"]?["text"] = nil }
    } else if old == new {
      return
    }
    value.change(from: before, to: HARValue(new))
  }

  /// The places of the bodies of an entry, whose texts have rules of their own. A body in a file has perhaps another text
  /// beside it.
  private func bodies(of value: HARValue, _ number: Int) -> Set<String> {
    guard number > 0 else { return [] }
    let (entry, sent, content) = (
      archive.entries[number - 1], value["request"]?["postData"], value["response"]?["content"]
    )
    var places: Set<String> = []
    if entry.request.httpBody?.isEmpty == false, sent?["_file"] == nil { places.insert("request.postData.text") }
    if entry.response?.body.isEmpty == false, content?["_file"] == nil { places.insert("response.content.text") }
    return places
  }

  /// Returns the text of a value, indented like the line in which it begins.
  private func indented(_ value: HARValue, at position: Int) -> Data {
    let line =
      file.text.prefix(position).lastIndex(of: UInt8(ascii: "\n")).map { file.text[$0...].dropFirst() } ?? Data()
    let indent = String(decoding: line.prefix { $0 == 0x20 }, as: UTF8.self)
    return Data(String(decoding: value.data, as: UTF8.self).replacing("\n", with: "\n" + indent).utf8)
  }

  // MARK: Writing

  /// The edited text.
  package var data: Data { file.text.withUnsafeBytes { edits.applied(to: $0.bindMemory(to: UInt8.self)).data } }

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
