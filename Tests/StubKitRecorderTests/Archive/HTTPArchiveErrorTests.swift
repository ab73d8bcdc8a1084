import Foundation
import TestSupport
import Testing

@testable import StubKit
@testable import StubKitArchive
@testable import StubKitRecorder

@Suite("What is wrong with an archive", .inTurn)
struct HTTPArchiveErrorTests {
  private static let head = #"{"log": {"version": "1.2", "creator": {"name": "x", "version": "1"}, "entries": ["#
  private static let first =
    "\n" + #"{"request": {"method": "GET", "url": "http://a.example"}, "response": {"status": 0}}"#
  private static let second = head + first
  private static let get = #"{"request": {"method": "GET", "url": "http://a.example""#
  private static let twice =
    "occurs twice in one object, and programs disagree about which of the two counts. Remove one of them."
  private static let noLog =
    "line 1: The file is JSON, but not an HTTP Archive: it has no object \"log\". Choose the .har file itself."

  @Test("is a key that an object of an entry has twice, wherever it is")
  func duplicates() throws {
    for members in [
      #""request": {}, "request": {}"#, #""response": {"content": {"text": "a", "text": "b"}}"#,
      #""response": {"content": {"_file": "a", "_f\u0069le": "b"}}"#, #""response": {"headers": [], "headers": []}"#,
      #""request": {"postData": {"_file": "../victim.txt", "_file": "body.json"}}"#,
      #""request": {"headers": [{"name": "a", "value": "b", "value": "c"}]}"#,
      #""request": {"cookies": [{"name": "a", "value": "b", "value": "c"}]}"#, #""_x": {"y": [[{"z": 1, "z": 2}]]}"#,
      #""": 1, "": 2"#,
    ] {
      let text = Data((Self.second + ",\n\n{\(members)}]}}").utf8)
      let error = #expect(throws: HTTPArchiveError.self, "\(members)") { try HTTPArchive(text) }
      #expect(
        error?.entry == 2 && error?.line == 4 && error?.problem.contains(" occurs twice in ") == true, "\(members)")
      #expect(throws: HTTPArchiveError.self, "\(members)") { try ArchiveDocument(text, name: "a.har") }
    }
  }

  /// Texts, and what is said of them. `…` is that the archive is to be exported again, `……` that the entry may be removed.
  private static let texts: [(String, String)] = [
    ("", "The file is empty.…"), ("{}", noLog), ("[1]", noLog),
    ("hello", "line 1: The file is not valid JSON: at column 1, a value is missing before \"h\".…"),
    (
      second + "\n<<<<<<< HEAD\n" + first + "\n=======\n",
      "entry 2, line 3: The file has a merge conflict. Resolve it, or record the archive again."
    ),
    (#"{"log": {"version": "1.2"}}"#, "line 1: The log has no array \"entries\".…"),
    (
      "{\"log\": {\n\"version\": \"2.0\", \"entries\": []}}",
      "line 2: The archive has the version \"2.0\", but StubKit reads 1.1 to 1.3. Export it as HAR 1.2."
    ),
    (
      second + ",\n" + #"{"request": {"method": "GET"}, "response": {}}]}}"#,
      "entry 2, line 3: \"request.url\" is missing.……"
    ),
    (
      second + ",\n\n  " + #"{"request": {"url": "http://a.example"}, "response": {}}]}}"#,
      "entry 2, line 4: \"request.method\" is missing.……"
    ),
    (second + #",{"request": {"method": "", "url": ""}}]}}"#, "entry 2, line 2: The request has no method.……"),
    (
      head + "\n" + #"{"request": {"method": 1, "url": "http://a.example"}}]}}"#,
      "entry 1, line 2: \"request.method\" is not a string.……"
    ),
    (second + #", []]}}"#, "entry 2, line 2: The entry is not an object.……"),
    (
      head + get + #", "headers": [{"name": "a"}, 2]}}]}}"#,
      "entry 1, line 1: \"request.headers[1]\" is not an object.……"
    ),
    (head + get + #"}, "response": 200}]}}"#, "entry 1, line 1: \"response\" is not an object.……"),
    (
      head + get + #"}, "response": {"content": {"encoding": "base64", "_encoding": ""}}}]}}"#,
      "entry 1, line 1: \"response.content\" has both \"encoding\" and \"_encoding\".……"
    ),
    (
      second + #",{"request": {"method": "GET", "url": "http://[::1"}}]}}"#,
      "entry 2, line 2: The request's URL \"http://[::1\" is not valid.……"
    ),
    (second + ",\n{\"request\": {\"met", "entry 2, line 3: The file is cut off: this string is not closed.…"),
    (#"{"log":"\"#, "line 1: The file is cut off: this escape is not valid.…"),
    (
      second + ",\n" + get + ",\n" + #""u\u0072l": "http://b.example"}}]}}"#,
      "entry 2, line 4: The key \"url\" \(twice)"
    ),
    (head + "], \"entries\": []}}", "line 1: The key \"entries\" \(twice)"),
    (
      second + ",\n{\"request\": }",
      "entry 2, line 3: The file is not valid JSON: at column 13, a value is missing before \"}\".…"
    ),
    (second, "entry 2, line 2: The file is cut off: a comma or ] is missing before the end.…"),
    (head + "]}} x", "line 1: The file is not valid JSON: at column 86, \"x\" follows the value.…"),
    ("PK\u{3}\u{4}…", "The file is a ZIP archive. Unpack it, and read the .har file in it."),
  ]

  @Test("is said with its place, and what to do")
  func errors() throws {
    let folder = try TestFolder()
    let file = folder.url.appendingPathComponent("a.har")
    for (text, said) in Self.texts {
      let expected = "a.har\(said.contains("line ") ? ", " : ": ")\(said)"
        .replacing("……", with: " Export the archive again, or remove the entry.")
        .replacing("…", with: " Export the archive again.")
      try Data(text.utf8).write(to: file)
      let error = #expect(throws: HTTPArchiveError.self, "\(text)") { try HTTPArchive(contentsOf: file) }
      #expect(error?.description == expected, "\(text)")
      #expect(error?.localizedDescription == expected && error?.file == "a.har", "\(text)")
    }
    for (bytes, part) in [
      ([0x1F, 0x8B, 8], "gzip"), ([0xFF, 0xFE, 0x7B, 0], "UTF-16"),
      ([0x7B, 0x0A, 0x22, 0xFF], "line 2: The file is not valid UTF-8"),
    ] as [([UInt8], String)] {
      let error = #expect(throws: HTTPArchiveError.self, "\(part)") { try HTTPArchive(Data(bytes)) }
      #expect(error?.description.contains(part) == true && error?.file == nil, "\(part)")
    }
  }
}
