import Foundation
import StubKitRecorder
import TestSupport
import Testing

@Suite("What is wrong with an archive", .inTurn)
struct HTTPArchiveErrorTests {
  private static let head = #"{"log": {"version": "1.2", "creator": {"name": "x", "version": "1"}, "entries": ["#
  private static let first =
    "\n" + #"{"request": {"method": "GET", "url": "http://a.example"}, "response": {"status": 0}}"#
  private static let second = head + first
  private static let get = #"{"request": {"method": "GET", "url": "http://a.example""#

  /// Each row of Fixtures/Reading/errors.txt has what is said of a text, and the text.
  @Test("is said with its place, and what to do")
  func errors() throws {
    let folder = try TestFolder()
    let file = folder.file("a.har")
    func filled(_ text: String) -> String {
      ["head": Self.head, "first": Self.first, "second": Self.second, "get": Self.get]
        .reduce(text) { $0.replacing("{\($1.key)}", with: $1.value) }
    }
    for row in try PlantedSecret.rows("Reading/errors") {
      let (said, text) = (row[0], filled(row.dropFirst().first ?? ""))
      let expected = "a.har\(said.contains("line ") ? ", " : ": ")\(said)"
      try Data(text.utf8).write(to: file)
      let error = #expect(throws: HTTPArchiveError.self, "\(text)") { try HTTPArchive(contentsOf: file) }
      #expect(error?.description == expected, "\(text)")
      #expect(throws: HTTPArchiveError.self, "\(text)") { try ArchiveDocument(Data(text.utf8), name: "a.har") }
      #expect(error?.localizedDescription == expected && error?.file == "a.har", "\(text)")
    }
    for (bytes, part) in [
      ([0x1F, 0x8B, 8], "gzip"), ([0xFF, 0xFE, 0x7B, 0], "UTF-16"),
      ([0x7B, 0x0A, 0x22, 0xFF], "line 2: The file is not valid UTF-8"),
    ] as [([UInt8], String)] {
      let error = #expect(throws: HTTPArchiveError.self, "\(part)") { try HTTPArchive(Data(bytes)) }
      #expect(error?.description.contains(part) == true && error?.file == nil, "\(part): \(error as Any)")
    }
  }
}
