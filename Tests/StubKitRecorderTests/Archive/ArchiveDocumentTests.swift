import Foundation
import TestSupport
import Testing

@testable import StubKit
@testable import StubKitArchive
@testable import StubKitRecorder

@Suite("The text of an archive", .inTurn)
struct ArchiveDocumentTests {
  private static func fixture(_ name: String) -> URL {
    Bundle.module.resourceURL!.appendingPathComponent("Fixtures/Archives/\(name).har")
  }

  private static let tools = ["chrome", "firefox", "safari", "charles", "mitmproxy", "playwright/playwright"]

  private static func tree(_ text: Data) throws -> JSONTree { try JSONTree(Array(text)) }

  @Test("stays byte for byte if nothing is redacted", arguments: tools)
  func untouched(tool: String) throws {
    var document = try ArchiveDocument(contentsOf: Self.fixture(tool))
    #expect(try document.redact([.header("X-None")], for: Self.fixture(tool)).report.count == 0)
    #expect(try document.data == Data(contentsOf: Self.fixture(tool)))
  }

  /// Compares two trees. Texts may differ where something was redacted, and sizes of bodies.
  private static func compare(
    _ old: JSONTree, _ oldText: Data, _ new: JSONTree, _ newText: Data, at path: String, _ differences: inout [String]
  ) {
    switch (old.content, new.content) {
    case (.object(let members), .object(let others)):
      let names = Set(others.map(\.name))
      for member in members where names.contains(member.name) {
        compare(member.value, oldText, new[member.name]!, newText, at: "\(path).\(member.name)", &differences)
      }
      let (before, after) = (members.map(\.name), others.map(\.name))
      if before != after, !path.hasSuffix("content"), !path.hasSuffix("postData") {
        differences.append("\(path): members")
      }
    case (.array(let elements), .array(let others)):
      if elements.count != others.count { return differences.append("\(path): count") }
      for (index, (element, other)) in zip(elements, others).enumerated() {
        compare(element, oldText, other, newText, at: "\(path)[\(index)]", &differences)
      }
    case (.string(let text), .string(let other)):
      let isLength = path.hasSuffix(".value") && Int(text) != nil && Int(other) != nil
      // The placeholder of digits is digits.
      let isPlaceholder = other.contains(Redaction.mark) || other.contains("73322833") || other.contains("UkVEQUNURUQ")
      if text != other, !isPlaceholder, !isLength, !path.hasSuffix(".text"), !path.hasSuffix("._file") {
        differences.append("\(path): \(text) \(other)")
      }
    case (.other, .other):
      let (before, after) = (oldText[old.range], newText[new.range])
      if before != after, !path.lowercased().hasSuffix("size") { differences.append(path) }
    default: differences.append("\(path): kind")
    }
  }

  @Test("keeps everything but secrets, and is read as the redacted archive", arguments: tools)
  func redacted(tool: String) throws {
    let redactions: [Redaction] = .standard + [.header("Accept"), .header("Server"), .text(matching: "[Ee]xample")]
    let source = Self.fixture(tool)
    let folder = try TestFolder()
    let target = folder.url.appendingPathComponent("out.har")
    var document = try ArchiveDocument(contentsOf: source)
    #expect(try document.redact(redactions, for: target).report.count > 0)
    try document.write(to: target)
    let (old, new) = (try Data(contentsOf: source), try Data(contentsOf: target))
    var differences: [String] = []
    Self.compare(try Self.tree(old), old, try Self.tree(new), new, at: "$", &differences)
    #expect(differences.isEmpty)
    #expect(try String(contentsOf: target, encoding: .utf8).contains("xample") == false)
    let (read, expected) = (try HTTPArchive(contentsOf: target), document.archive.redacted(redactions))
    #expect(read.entries.count == expected.entries.count)
    for (entry, other) in zip(read.entries, expected.entries) {
      #expect(entry.request.url == other.request.url && entry.response?.body == other.response?.body)
      #expect(entry.request.httpBody == other.request.httpBody && entry.response?.status == other.response?.status)
      #expect(entry.startedAt == other.startedAt && entry.duration == other.duration)
    }
  }

  @Test("moves its bodies with it, and redacts them in place where another tool has named them")
  func bodies() throws {
    let folder = try TestFolder()
    let file = folder.url.appendingPathComponent("users.har")
    let body = Data((String(repeating: " ", count: 300_000) + #"{"token": "s3cret-s3cret"}"#).utf8)
    let response = HTTPArchive.Response(headers: ["Content-Type": "application/json"], body: body)
    try HTTPArchive(entries: [.init(request: request("http://a.example/"), response: response)]).write(to: file)
    let name = try #require(folder.names.first { $0.hasSuffix(".json") })
    func redact(_ source: URL, _ target: URL) throws {
      var document = try ArchiveDocument(contentsOf: source)
      #expect(try document.redact(.standard, for: target).report.count == 1)
      try document.write(to: target)
      let text = try #require(try HTTPArchive(contentsOf: target).entries[0].response?.body)
      #expect(text.count > 290_000 && !String(decoding: text, as: UTF8.self).contains("s3cret"))
    }
    try redact(file, folder.url.appendingPathComponent("elsewhere/out.har"))
    #expect(folder.names.contains(name) && folder.names.count == 3)
    try redact(file, file)
    #expect(!folder.names.contains(name) && folder.names.count == 3)
    // A name that no hash is in.
    let foreign = folder.url.appendingPathComponent("foreign.har")
    try body.write(to: folder.url.appendingPathComponent("body.json"))
    let own = try #require(folder.names.first { $0.hasPrefix("users.") && $0.hasSuffix(".json") })
    let text = try String(contentsOf: file, encoding: .utf8).replacingOccurrences(of: own, with: "body.json")
    try Data(text.utf8).write(to: foreign)
    try redact(foreign, foreign)
    #expect(folder.names.contains("body.json") && !folder.names.contains { $0.hasPrefix("foreign.0") })
  }
}
