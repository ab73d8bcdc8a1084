import Foundation
import TestSupport
import Testing

@testable import StubKitArchive
@testable import StubKitRecorder

@Suite("Recording that adds to an archive", .inTurn)
struct AddedEntriesTests {
  private let folder: RecordingFolder

  init() throws { folder = try RecordingFolder() }

  private var bytes: Data { get throws { try Data(contentsOf: folder.file()) } }

  /// Adds entries in the mode that keeps the old ones.
  private func add(_ entries: HTTPArchive.Entry...) async throws {
    try await folder.with {
      try withRecording(folder.recording("users", .newEpisodes)) { for entry in entries { answerFromNetwork(entry) } }
    }
  }

  /// An entry that would be another one if it came from a browser, whose content is decoded, and one without a
  /// response.
  private static let added = [
    HTTPArchive.Entry(
      request: request("http://a.example/new"),
      response: .init(
        headers: ["Content-Type": "text/plain", "Content-Encoding": "gzip", "Content-Length": "3"],
        body: Data("new".utf8)),
      startedAt: Date(timeIntervalSince1970: 1_700_000_000)),
    HTTPArchive.Entry(
      request: request("http://a.example/down"), error: URLError(.timedOut),
      startedAt: Date(timeIntervalSince1970: 1_700_000_001)),
  ]

  @Test("keeps every byte that another tool has written", arguments: ForeignArchiveTests.tools)
  func foreign(tool: String) async throws {
    let source = try ForeignArchiveTests.fixture(tool)
    if tool.hasPrefix("playwright") {
      // The bodies are in files beside it.
      let files = source.deletingLastPathComponent()
      for name in try FileManager.default.contentsOfDirectory(atPath: files.path) where !name.hasSuffix(".har") {
        try FileManager.default.copyItem(
          at: files.appendingPathComponent(name), to: folder.url.appendingPathComponent(name))
      }
    }
    try FileManager.default.copyItem(at: source, to: folder.file())
    let (old, before) = (try bytes, try HTTPArchive(contentsOf: folder.file()))
    try await add(Self.added[0], Self.added[1])
    let (new, after) = (try bytes, try HTTPArchive(contentsOf: folder.file()))
    // The same bytes, with some between two of them.
    let end = zip(old.reversed(), new.reversed()).prefix { $0 == $1 }.count
    #expect(new.count > old.count && new.prefix(old.count - end) == old.dropLast(end))
    #expect(after.entries.dropLast(2) == before.entries[...])
    #expect(after.entries.suffix(2) == Self.added[...])
  }

  @Test(
    "makes the file that recording all of it at once would have made",
    arguments: [[], [entry("http://a.example/old", "old")]])
  func own(old: [HTTPArchive.Entry]) async throws {
    try HTTPArchive(entries: old).write(to: folder.file())
    try await add(Self.added[0], Self.added[1])
    var all = HTTPArchive(entries: old + Self.added)
    // What was recorded says what was replaced, here nothing.
    for position in all.entries.indices.dropFirst(old.count) { all.entries[position].redacted = [] }
    #expect(try bytes.text == all.data.text)
  }

  @Test(
    "writes as the file is written: with its indentation and its ends of lines, or on one line",
    arguments: [
      ("[{E}]", "[{E},N]"), ("[ {E} ]", "[ {E}, N ]"), ("[\r\n\t{E}\r\n]", "[\r\n\t{E},\r\n\tN\r\n]"),
      ("[\n\n  {E}]", "[\n\n  {E},\n\n  N]"), ("[]", "[\n      N\n    ]"), ("[ ]", "[\n      N\n    ]"),
    ] as [(Lines, Lines)])
  func style(entries: Lines, after: Lines) throws {
    func file(_ entries: String) -> String {
      let old = #"{"request":{"method":"GET","url":"http://a.example/old"},"response":{"status":204}}"#
      return #"{"log":{"version":"1.2","entries":\#(entries.replacing("{E}", with: old)),"x":1}}"#
    }
    var document = try ArchiveDocument(Data(file(entries.text).utf8), name: "users.har")
    document.append([Self.added[1]])
    let after = after.text
    let lineBreak = ["\r\n\t", "\n  ", "\n      "].first { after.contains($0 + "N") }
    let text = Self.added[1].text(inForeignFile: true, isPretty: lineBreak != nil).text
    // Empty lines have no indentation.
    let parts = text.components(separatedBy: "\n\n").map { $0.replacing("\n", with: lineBreak ?? "") }
    let between = after.contains("\r") ? "\r\n\r\n\t" : "\n" + (lineBreak ?? "")
    #expect(document.data.text == file(after.replacing("N", with: parts.joined(separator: between))))
    #expect(try HTTPArchive(document.data).entries.last == Self.added[1])
  }

  @Test("replaces a secret of an older entry in the new ones, and says that the older one keeps it")
  func oldSecret() async throws {
    let secret = LateFinding.secret
    try folder.write(entry("http://a.example/old?access_token=\(secret)", "old"))
    try await add(entry("http://a.example/new/\(secret)", "new"))
    let urls = try HTTPArchive(contentsOf: folder.file()).entries.map { $0.request.url?.absoluteString }
    #expect(urls == ["http://a.example/old?access_token=\(secret)", "http://a.example/new/REDACTED"])
    #expect(folder.said.count == 2 && folder.said[0].hasSuffix("(1 value redacted: 1 elsewhere)"), "\(folder.said)")
    #expect(
      folder.said.last
        == "1 value of an older entry looks like a secret, and stayed. To replace it: stubkit-har redact users.har --in-place"
    )
  }
}
