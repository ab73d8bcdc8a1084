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
      let error = #expect(throws: HTTPArchiveError.self, "\(members)") {
        try HTTPArchive(Data((Self.head + Self.first + ",\n\n{\(members)}]}}").utf8))
      }
      #expect(
        error?.entry == 2 && error?.line == 4 && error?.problem.contains(" occurs twice in one object") == true,
        "\(members)")
      #expect(throws: HTTPArchiveError.self, "\(members)") {
        try ArchiveDocument(Data((Self.head + Self.first + ",{\(members)}]}}").utf8), name: "a.har")
      }
    }
  }

  @Test("is said with its place, and what to do")
  func errors() throws {
    for (text, expected) in [
      ("", "a.har: The file is empty. Export the archive again."),
      (
        "hello",
        "a.har, line 1: The file is not valid JSON: at column 1, a value is missing before \"h\". Export the archive again."
      ),
      (
        Self.head + Self.first + "\n<<<<<<< HEAD\n" + Self.first + "\n=======\n",
        "a.har, entry 2, line 3: The file has a merge conflict. Resolve it, or record the archive again."
      ),
      (
        "{}",
        "a.har, line 1: The file is JSON, but not an HTTP Archive: it has no object \"log\". Choose the .har file itself."
      ),
      (
        "[1]",
        "a.har, line 1: The file is JSON, but not an HTTP Archive: it has no object \"log\". Choose the .har file itself."
      ),
      (#"{"log": {"version": "1.2"}}"#, "a.har, line 1: The log has no array \"entries\". Export the archive again."),
      (
        "{\"log\": {\n\"version\": \"2.0\", \"entries\": []}}",
        "a.har, line 2: The archive has the version \"2.0\", but StubKit reads 1.1 to 1.3. Export it as HAR 1.2."
      ),
      (
        Self.head + Self.first + ",\n" + #"{"request": {"method": "GET"}, "response": {}}]}}"#,
        "a.har, entry 2, line 3: \"request.url\" is missing. Export the archive again, or remove the entry."
      ),
      (
        Self.head + Self.first + ",\n\n  " + #"{"request": {"url": "http://a.example"}, "response": {}}]}}"#,
        "a.har, entry 2, line 4: \"request.method\" is missing. Export the archive again, or remove the entry."
      ),
      (
        Self.head + Self.first + #",{"request": {"method": "", "url": ""}}]}}"#,
        "a.har, entry 2, line 2: The request has no method. Export the archive again, or remove the entry."
      ),
      (
        Self.head + "\n" + #"{"request": {"method": 1, "url": "http://a.example"}}]}}"#,
        "a.har, entry 1, line 2: \"request.method\" is not a string. Export the archive again, or remove the entry."
      ),
      (
        Self.head + Self.first + #", []]}}"#,
        "a.har, entry 2, line 2: The entry is not an object. Export the archive again, or remove the entry."
      ),
      (
        Self.head + #"{"request": {"method": "GET", "url": "http://a.example", "headers": [{"name": "a"}, 2]}}]}}"#,
        "a.har, entry 1, line 1: \"request.headers[1]\" is not an object. Export the archive again, or remove the entry."
      ),
      (
        Self.head + #"{"request": {"method": "GET", "url": "http://a.example"}, "response": 200}]}}"#,
        "a.har, entry 1, line 1: \"response\" is not an object. Export the archive again, or remove the entry."
      ),
      (
        Self.head
          + #"{"request": {"method": "GET", "url": "http://a.example"}, "response": {"content": {"encoding": "base64", "_encoding": ""}}}]}}"#,
        "a.har, entry 1, line 1: \"response.content\" has both \"encoding\" and \"_encoding\". Export the archive again, or remove the entry."
      ),
      (
        Self.head + Self.first + #",{"request": {"method": "GET", "url": "http://[::1"}}]}}"#,
        "a.har, entry 2, line 2: The request's URL \"http://[::1\" is not valid. Export the archive again, or remove the entry."
      ),
      (
        Self.head + Self.first + ",\n{\"request\": {\"met",
        "a.har, entry 2, line 3: The file is cut off: this string is not closed. Export the archive again."
      ),
      (#"{"log":"\"#, "a.har, line 1: The file is cut off: this escape is not valid. Export the archive again."),
      (
        Self.head + Self.first + ",\n" + #"{"request": {"method": "GET", "url": "http://a.example","# + "\n"
          + #""u\u0072l": "http://b.example"}}]}}"#,
        "a.har, entry 2, line 4: The key \"url\" occurs twice in one object, and programs disagree about which of the two counts. Remove one of them."
      ),
      (
        Self.head + "], \"entries\": []}}",
        "a.har, line 1: The key \"entries\" occurs twice in one object, and programs disagree about which of the two counts. Remove one of them."
      ),
      (
        Self.head + Self.first + ",\n{\"request\": }",
        "a.har, entry 2, line 3: The file is not valid JSON: at column 13, a value is missing before \"}\". Export the archive again."
      ),
      (
        Self.head + Self.first,
        "a.har, entry 2, line 2: The file is cut off: a comma or ] is missing before the end. Export the archive again."
      ),
      (
        Self.head + "]}} x",
        "a.har, line 1: The file is not valid JSON: at column 86, \"x\" follows the value. Export the archive again."
      ),
      ("PK\u{3}\u{4}…", "a.har: The file is a ZIP archive. Unpack it, and read the .har file in it."),
    ] {
      let folder = try TestFolder()
      let file = folder.url.appendingPathComponent("a.har")
      try Data(text.utf8).write(to: file)
      let error = #expect(throws: HTTPArchiveError.self, "\(text)") { try HTTPArchive(contentsOf: file) }
      #expect(error?.description == expected, "\(text)")
      #expect(error?.localizedDescription == expected && error?.file == "a.har", "\(text)")
    }
  }

  @Test("is said of bytes that are no text")
  func bytes() {
    for (bytes, part) in [
      ([0x1F, 0x8B, 8], "gzip"), ([0xFF, 0xFE, 0x7B, 0], "UTF-16"),
      ([0x7B, 0x0A, 0x22, 0xFF], "line 2: The file is not valid UTF-8"),
    ] as [([UInt8], String)] {
      let error = #expect(throws: HTTPArchiveError.self, "\(part)") { try HTTPArchive(Data(bytes)) }
      #expect(error?.description.contains(part) == true && error?.file == nil, "\(part)")
    }
  }
}
