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

  private static func json(_ url: String, _ body: String, status: Int = 200, _ type: String = "json")
    -> HTTPArchive.Entry
  {
    var entry = entry(url, body, status: status)
    entry.response?.headers["Content-Type"] = "application/\(type); charset=utf-8"
    return entry
  }

  private static func post(_ fields: String, _ type: String = "application/x-www-form-urlencoded")
    -> HTTPArchive.Entry
  {
    entry(
      request("http://a.example/login", method: "POST", headers: ["Content-Type": type], body: fields), "ok")
  }

  private static func failed(_ url: String, _ code: URLError.Code) -> HTTPArchive.Entry {
    HTTPArchive.Entry(request: request(url), error: URLError(code))
  }

  private static let users = "http://a.example/users"

  private static let rows: [(recorded: HTTPArchive.Entry, live: HTTPArchive.Entry, differences: [String])] = [
    (json(users, #"{"id": 1}"#), json(users, #"{"id": 2}"#), []),
    (json(users, #"{"id": 1}"#), json(users, "{}"), ["$.id: was a number, is missing"]),
    (json(users, #"{"id": 1}"#), json(users, "{}", status: 404), ["status: was 200, is 404"]),
    (json(users, "{}"), json(users, "oops"), ["$: was JSON, is not JSON"]),
    (json(users, "{}"), entry(users, "{}"), ["media type: was application/json, is none"]),
    (entry(users, "a"), entry(users, "b"), []),
    (json(users, "{\"id\": 1}\n{\"id\": 2}\n", "x-ndjson"), json(users, "{\"id\": 3}", "x-ndjson"), []),
    (
      entry(users, "{\"id\": 1}\n{}\n"), entry(users, "{\"id\": \"a\"}\r\n{}\r\n"),
      ["$[].id: was a number, is a string"]
    ),
    (json(users, #"{"token": "a", "id": 1}"#), json(users, #"{"token": "b", "id": 1}"#), []),
    (post("name=a&password=b"), post("name=b&password=c"), []),
    (post("name=a&password=b"), post("name=a&pin=1"), ["form fields: was name, password, is name, pin"]),
    (post(#"{"a": 1, "b": "c=d"}"#, "application/json"), post(#"{"b": "c=e", "a": 2}"#, "application/json"), []),
    (failed(users, .timedOut), failed(users, .timedOut), []),
    (entry(users, "a"), failed(users, .cannotFindHost), ["error: was none, is -1003"]),
  ]

  @Test("compares an exchange with the entry that would have answered")
  func differences() {
    for (recorded, live, differences) in Self.rows {
      let archive = HTTPArchive("users.har", recorded).redacted(.standard)
      var named = archive
      named.fileName = "users.har"
      let check = RecordingCheck(of: [live], against: named, folder.recording())
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
      "users.har", Self.json(Self.users, "[]"), entry("http://a.example/old"), Self.json(Self.users, "{}"),
      entry("http://a.example/older"))
    let live = [
      Self.json(Self.users, "{}"), Self.json(Self.users, "[]"), Self.json(Self.users, "[]"),
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
