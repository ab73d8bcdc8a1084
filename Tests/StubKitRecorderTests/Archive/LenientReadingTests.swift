import Foundation
import StubKitRecorder
import TestSupport
import Testing

@Suite("An archive that is not quite HAR 1.2", .inTurn)
struct LenientReadingTests {
  private static let parts = [
    "request": "", "headers": "[]", "response": #""status": 200"#, "content": "{}", "entry": #""time": 1,"#,
  ]

  /// An archive of one entry, with other texts in the places of those.
  private static func data(_ changes: [String: String] = [:]) -> Data {
    let parts = parts.merging(changes) { $1 }
    return Data(
      #"""
      {"log": {"version": "1.2", "entries": [
        {"startedDateTime": "2026-03-01T12:30:00.000Z", \#(parts["entry"]!)
         "request": {\#(parts["request"]!) "method": "GET", "url": "https://a.example/", "headers": []},
         "response": {\#(parts["response"]!), "headers": \#(parts["headers"]!), "content": \#(parts["content"]!)}}]}}
      """#.utf8)
  }

  private static func archive(_ changes: [String: String] = [:]) throws -> HTTPArchive {
    try HTTPArchive(data(changes))
  }

  @Test("is read at its obvious meaning, and the problem is noted")
  func headers() throws {
    for (text, expected, problem) in [
      (#"[{"name": "Age", "value": 5}]"#, "Age: 5", #""response.headers[0].value" is not a string."#),
      (
        #"[{"name": "A", "value": "1"}, {"value": "2"}]"#, "A: 1",
        #""response.headers[1]" has no name, and was left out."#
      ),
      (#"[{"name": "X", "value": true}]"#, "X: true", #""response.headers[0].value" is not a string."#),
    ] {
      let archive = try Self.archive(["headers": text])
      #expect(archive.entries[0].response?.headers.map { "\($0.name): \($0.value)" } == [expected], "\(text)")
      #expect(archive.problems.count == 1, "\(text)")
      #expect(archive.problems[0].description.hasPrefix("The archive, entry 1: \(problem)"), "\(text)")
    }
  }

  @Test("says that a body was cut if its size is larger than its text, unless the text explains the difference")
  func cutBodies() throws {
    for (content, count) in [
      (#"{"size": 70000, "text": "hello", "mimeType": "text/plain"}"#, 5),
      (#"{"size": 70000, "text": "", "mimeType": "text/html"}"#, 0), (#"{"size": 9, "text": "hello"}"#, 5),
      // A byte order mark, and what Chrome calls the compression.
      (#"{"size": 8, "text": "hello"}"#, nil), (#"{"size": 70, "compression": -65, "text": "hello"}"#, nil),
      (#"{"size": 0, "text": "hello"}"#, nil), (#"{"size": 4, "text": "größe"}"#, nil),
      (#"{"size": 10, "text": "hällo", "mimeType": "text/plain; charset=utf-16le"}"#, nil),
    ] as [(String, Int?)] {
      let obstacle = try Self.archive(["content": content]).entries[0].obstacle
      #expect((obstacle != nil) == (count != nil), "\(content) \(obstacle ?? "")")
      if let count {
        #expect(obstacle?.contains(", of which \(count) were saved: export") == true, "\(content) \(obstacle ?? "")")
      }
    }
    #expect(
      try Self.archive(["content": #"{"size": 70, "text": ""}"#, "response": #""status": 304"#]).entries[0].obstacle
        == nil)
  }

  private static let statusAsString = ["response": #""status": "200", "bodySize": 0"#]

  @Test("can have a string as its status, which is a problem of the archive")
  func status() throws {
    let archive = try Self.archive(Self.statusAsString)
    #expect(archive.entries[0].response?.status == 200)
    #expect(archive.entries[0].obstacle == nil)
    #expect(archive.problems.map(\.problem) == [#""response.status" is a string. HAR 1.2 requires a number."#])
  }

  @Test("has no problem once it is HAR 1.2")
  func noProblems() throws { #expect(try Self.archive().problems.isEmpty) }

  @Test("is played by a recording in spite of a problem, with a note on standard error")
  func note() async throws {
    let folder = try RecordingFolder()
    try Self.data(Self.statusAsString).write(to: folder.file())
    try await folder.with {
      try await withRecording(folder.recording()) {
        let answer = try await URLSession.shared.fetch("https://a.example/")
        #expect(answer.status == 200)
      }
    }
    #expect(folder.said.map { $0.contains(#"users.har, entry 1: "response.status" is a string."#) } == [true])
  }

  /// Contents with their size and type, and the bytes that they mean: none where they are lost.
  private static let contents: [(text: String, size: Int, type: String, bytes: [UInt8]?)] = [
    // Base64 of any kind.
    ("+/+/", 3, "base64", [0xFB, 0xFF, 0xBF]), ("-_-_", 3, "base64", [0xFB, 0xFF, 0xBF]), ("YQ", 1, "base64", [0x61]),
    ("YQ==", 1, "base64", [0x61]), (#"YW\nI="#, 2, "base64", [0x61, 0x62]), ("Y", 1, "base64", nil),
    ("{not}", 3, "base64", nil),
    // Half of a surrogate pair becomes a replacement character.
    (#"a\ud800b \ud83d\ude00"#, -1, "text/plain", Array("a\u{FFFD}b 😀".utf8)),
    // Letters stand for bytes, as mitmproxy writes them.
    ("\u{89}PNG\u{FF}", 5, "image/png", [0x89, 0x50, 0x4E, 0x47, 0xFF]), ("Zoë", 4, "text/plain", Array("Zoë".utf8)),
    ("ZoÃ«", 4, "application/json", Array("Zoë".utf8)), ("Zoë", 3, "application/json", Array("Zoë".utf8)),
    ("Zoë", 3, "text/plain", [0x5A, 0x6F, 0xEB]), ("a€", 2, "text/plain", Array("a€".utf8)),
    // Text has lost bytes if the size shows it.
    ("\u{FFFD}PNG", 4, "image/png", nil), ("ab", 3, "image/png", nil), ("a\u{FFFD}", 2, "text/plain", nil),
    ("a\u{FFFD}", 4, "text/plain", Array("a\u{FFFD}".utf8)), ("abc", 99, "text/plain", nil),
    ("<svg/>", 3, "image/svg+xml", Array("<svg/>".utf8)), ("ab", -1, "image/png", Array("ab".utf8)),
  ]

  @Test("has content in any encoding, and says if the bytes of a body are lost")
  func bodies() throws {
    for (text, size, type, bytes) in Self.contents {
      let kind = type == "base64" ? #""encoding": "base64""# : #""mimeType": "\#(type)""#
      let entry = try Self.archive([
        "headers": type == "base64" ? "[]" : #"[{"name": "Content-Type", "value": "\#(type)"}]"#,
        "content": #"{"size": \#(size), "text": "\#(text)", "\udc00": 1, \#(kind)}"#,
      ]).entries[0]
      #expect((entry.obstacle == nil) == (bytes != nil), "\(text), \(size), \(type)")
      if let bytes { #expect(entry.response?.body == Data(bytes), "\(text), \(size), \(type)") }
      #expect(type != "base64" || entry.obstacle?.contains("is said to be Base64 and isn't") != false, "\(text)")
    }
  }

  @Test(
    "says that a body wasn't saved if any field gives it a length",
    arguments: [
      ("500", "", "", true), ("500", "", #","bodySize": -1"#, true), ("0", #""size": 500"#, "", true),
      ("500", #""size": 0"#, "", true), ("0", "", #","bodySize": 500"#, true), ("0", "", "", false),
      ("0", #""size": 0"#, #","bodySize": 0"#, false),
    ])
  func lostBodies(length: String, size: String, bodySize: String, isLost: Bool) throws {
    let entry = try Self.archive([
      "headers": #"[{"name": "Content-Length", "value": "\#(length)"}]"#, "content": "{\(size)}",
      "response": #""status": 200\#(bodySize)"#,
    ]).entries[0]
    #expect((entry.obstacle == nil) != isLost)
    #expect(
      !isLost || entry.obstacle == "has a body of 500 bytes that was not saved: export the archive with its content")
  }

  @Test("can have numbers of any size, and nothing crashes")
  func numbers() throws {
    for number in ["9223372036854775807", "1e300", "-1e300", "-9223372036854775808", "1e18", "9007199254740993"] {
      let timings = ["blocked", "dns", "connect", "send", "wait", "receive", "_timeToResponse"].map {
        #""\#($0)": \#(number)"#
      }
      let archive = try Self.archive([
        "request": #""bodySize": \#(number), "postData": {"mimeType": "", "text": "a", "size": \#(number)},"#,
        "response": #""status": 200, "bodySize": \#(number)"#,
        "content":
          #"{"size": \#(number), "compression": \#(number), "text": "\u0000abc", "mimeType": "image/png", "_pieces": [{"end": \#(number), "time": \#(number)}]}"#,
        "entry":
          #""time": \#(number), "timings": {\#(timings.joined(separator: ", "))}, "_error": {"domain": "x", "code": \#(number)},"#,
      ])
      let again = try HTTPArchive(archive.data)
      #expect(again.entries.count == 1, "\(number)")
      _ = (ArchiveTable(archive).lines, ArchiveTable(archive).summary)
      for timing in [ReplayTiming.atOnce, .recorded] { replay(archive, timing: timing, in: StubRegistry()) }
      let missing = try Self.archive(["response": #""status": \#(number)"#, "content": #"{"size": \#(number)}"#])
      #expect(missing.entries[0].response == nil && missing.problems.count == 1, "\(number): \(missing.problems)")
      _ = (
        missing.data,
        HTTPArchive(entries: missing.entries + archive.entries).redactedAndReported(.standard).archive.data
      )
    }
  }
}
