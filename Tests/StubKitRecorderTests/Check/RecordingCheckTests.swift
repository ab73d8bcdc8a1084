import Foundation
import TestSupport
import Testing

@testable import StubKit
@testable import StubKitArchive
@testable import StubKitRecorder

@Suite("The mode check", .inTurn)
struct RecordingCheckTests {
  private let folder: RecordingFolder

  init() throws { folder = try RecordingFolder() }

  /// An exchange in a line: a status, which is 200 if it is left out, a type, and a body after a space; or an error's code.
  private static func live(_ text: String, _ url: String = "http://a.example/users") -> HTTPArchive.Entry {
    let words = text.split(separator: " ", maxSplits: 1).map(String.init)
    if text.hasPrefix("-") {
      return HTTPArchive.Entry(request: request(url), error: URLError(URLError.Code(rawValue: Int(text)!)!))
    }
    if text.contains("<") { return entry(asked(text), "ok") }
    let parts = words[0].split(separator: ":").map(String.init)
    var entry = entry(url, words[1], status: parts.first.flatMap { Int($0) } ?? 200)
    if let type = parts.last, Int(type) == nil, type != "text" {
      entry.response?.headers["Content-Type"] = "application/\(type); charset=utf-8"
    }
    return entry
  }

  private static let rows: [(recorded: String, live: String, differences: [String])] = [
    (#"json {"id": 1}"#, #"json {"id": 2}"#, []), (#"json {"id": 1}"#, "json {}", ["$.id: was a number, is missing"]),
    (#"json {"id": 1}"#, "404:json {}", ["status: was 200, is 404"]),
    ("json {}", "json oops", ["$: was JSON, is not JSON"]), ("text a", "text b", []),
    ("json {}", "text {}", ["media type: was application/json, is none"]),
    ("x-ndjson {\"id\": 1}\n{\"id\": 2}\n", "x-ndjson {\"id\": 3}", []),
    ("text {\"id\": 1}\n{}\n", "text {\"id\": \"a\"}\r\n{}\r\n", ["$[].id: was a number, is a string"]),
    (#"json {"token": "a", "id": 1}"#, #"json {"token": "b", "id": 1}"#, []),
    ("form < name=a&password=b", "form < name=b&password=c", []),
    ("form < name=a&password=b", "form < name=a&pin=1", ["form fields: was name, password, is name, pin"]),
    (#"json < {"a": 1, "b": "c=d"}"#, #"json < {"b": "c=e", "a": 2}"#, []), ("-1001", "-1001", []),
    ("text a", "-1003", ["error: was none, is -1003"]),
  ]

  @Test("compares an exchange with the entry that would have answered")
  func differences() {
    for (recorded, live, differences) in Self.rows {
      var archive = HTTPArchive(entries: [Self.live(recorded)]).redacted(.standard)
      archive.fileName = "users.har"
      let check = RecordingCheck(of: [Self.live(live)], against: archive, folder.recording())
      #expect(check.differences.count == differences.count, "\(recorded)")
      for (line, difference) in zip(check.differences, differences) {
        #expect(line.hasPrefix("users.har, entry 1: \(difference)"), "\(recorded)")
      }
      #expect(check.unasked.isEmpty, "\(recorded)")
    }
  }

  @Test("asks the entries of one request in turn, and lists what is left over on either side")
  func turns() {
    let archive = HTTPArchive(
      "users.har", Self.live("json []"), entry("http://a.example/old"), Self.live("json {}"),
      entry("http://a.example/older"))
    let live = [
      Self.live("json {}"), Self.live("json []"), Self.live("json []"),
      entry("http://a.example/new?api_key=secret"), entry("http://a.example/new?api_key=secret"),
    ]
    let check = RecordingCheck(of: live, against: archive, folder.recording())
    #expect(
      check.differences == [
        "users.har, entry 1: $: was an array, is an object", "users.har, entry 3: $: was an object, is an array",
        "users.har has no entry for GET http://a.example/new?api_key=REDACTED.",
      ])
    #expect(check.unasked == ["users.har: no request asked for entries 2, 4."])
  }
}
