import Foundation
import StubKitRecorder
import TestSupport
import Testing

@Suite("The text of an archive", .inTurn)
struct ArchiveDocumentTests {
  @Test("stays byte for byte if nothing is redacted, and is otherwise read as the redacted archive")
  func tools() throws {
    let redactions: [Redaction] = .standard + [.secret("Accept"), .secret("Server"), .text(matching: "[Ee]xample")]
    for tool in ForeignArchiveTests.tools {
      let source = try ForeignArchiveTests.fixture(tool)
      var document = try ArchiveDocument(contentsOf: source)
      #expect(try document.redact([.secret("X-None")], for: source).report.count == 0, "\(tool)")
      #expect(try document.data == Data(contentsOf: source), "\(tool)")
      let folder = try TestFolder()
      let target = folder.file("out.har")
      #expect(try document.redact(redactions, for: target).report.count > 0, "\(tool)")
      try document.data.writeAsArchive(to: target)
      #expect(try String(contentsOf: target, encoding: .utf8).contains("xample") == false, "\(tool)")
      func held(_ archive: HTTPArchive) -> [[AnyHashable?]] {
        archive.entries.map {
          [$0.request.url, $0.request.httpBody, $0.response?.status, $0.response?.body, $0.startedAt, $0.duration]
        }
      }
      #expect(
        try held(HTTPArchive(contentsOf: target)) == held(document.archive.redactedAndReported(redactions).archive),
        "\(tool)")
    }
  }

  /// Three entries have their bodies in files, as Playwright writes them (`_file`): one of them doesn't exist, one has
  /// nothing to redact, and one has a token. The archive is written in its own place, beside it, and into a folder.
  @Test(
    "takes in the body of a separate file if that changes or stays in another folder, and leaves the file",
    arguments: [
      (place: "users.har", named: ["none.json", "plain.json"]), (place: "out.har", named: ["none.json", "plain.json"]),
      (place: "deep/out.har", named: ["none.json"]),
    ], [true, false])
  func bodies(written: (place: String, named: [String]), isSent: Bool) throws {
    let folder = try TestFolder()
    let file = folder.file("users.har")
    let bodies = ["plain.json": #"{"id": 1}"#, "secret.json": #"{"token": "s3cret-s3cret"}"#]
    for (name, text) in bodies { try folder.write(text, to: name) }
    let entries = ["none.json", "plain.json", "secret.json"].map { name in
      let body = #""mimeType": "application/json", "_file": "\#(name)", "_sha1": "0""#
      return #"""
        {"request": {"method": "POST", "url": "http://a.example/"\#(isSent ? ", \"postData\": {\(body)}" : "")},
         "response": {"status": 200, "content": {"size": 9\#(isSent ? "" : ", " + body)}}}
        """#
    }
    try Data(#"{"log": {"version": "1.2", "entries": [\#(entries.joined(separator: ","))]}}"#.utf8).write(to: file)
    let target = folder.file(written.place)
    var document = try ArchiveDocument(contentsOf: file)
    let report = try document.redact(.standard, for: target).report
    try document.data.writeAsArchive(to: target)
    let text = try String(contentsOf: target, encoding: .utf8)
    #expect(["none.json", "plain.json", "secret.json"].filter(text.contains) == written.named)
    let read = try HTTPArchive(contentsOf: target).entries.map { isSent ? $0.request.httpBody : $0.response?.body }
    #expect(read[1...] == [Data(#"{"id": 1}"#.utf8), Data(#"{"token": "REDACTED"}"#.utf8)])
    #expect(report.count == 1)
    #expect(
      document.advice == [
        "The body of entry 3 is now in the archive. The file secret.json still has what was replaced: remove it."
      ])
    for (name, text) in bodies {
      #expect(try String(contentsOf: folder.file(name), encoding: .utf8) == text, "\(name)")
    }
  }

  @Test("counts and explains what it replaces outside of requests and responses, too")
  func otherTexts() throws {
    // In two parts, so that no scanner of source code takes it for a live one.
    let secret = "k9-" + "Zk2Rw7Q5Fq31"
    let text = #"""
      {"log": {"version": "1.2", "comment": "seen \#(secret)",
        "pages": [{"id": "p", "title": "http://a.example/?token=\#(secret)"}], "entries": [
        {"request": {"method": "GET", "url": "http://a.example/?token=\#(secret)", "headers": [],
            "queryString": [{"name": "token", "value": "\#(secret)"}]},
         "response": {"status": 0, "content": {"text": "{\"token\": \"\#(secret)\"}"}}},
        {"request": {"method": "GET", "url": "ws://a.example/"}, "response": {"status": 101},
         "_webSocketMessages": [{"data": "{\"token\": \"\#(secret)\"}"}, {"data": "x"}],
         "_initiator": {"stack": [{"url": "http://a.example/?token=\#(secret)"}]}}]}}
      """#
    var document = try ArchiveDocument(Data(text.utf8), name: "a.har")
    let report = try document.redact(.standard, for: nil).report
    #expect(document.data.text.contains(secret) == false)
    let places = report.lines.map { String($0.prefix { $0 != ":" }) }
    #expect(
      places == [
        "entry 1, request URL", "log.comment", "log.pages[0].title", "entry 1, response.content.text",
        "entry 2, _webSocketMessages[0].data", "entry 2, _initiator.stack[0].url",
      ])
    #expect(report.summary.hasPrefix("6 values redacted: "), "\(report.summary)")
    #expect(!report.lines.contains { $0.contains("k9") })
  }

  @Test("leaves no secret where a body, a form or a query is in the archive twice")
  func secondTexts() throws {
    let folder = try TestFolder()
    // In two parts, so that no scanner of source code takes it for a live one.
    let secret = "hunter" + "22"
    let file = folder.file("a.har")
    let type = #""mimeType": "multipart/form-data; boundary=b""#
    let part = #"--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\n\#(secret)\r\n--b--\r\n"#
    let text = #"""
      {"log": {"version": "1.2", "entries": [
        {"request": {"method": "POST", "url": "http://a.example/", "postData": {\#(type), "text": "\#(part)",
          "params": [{"name": "password", "value": "\#(secret)"}, {"name": "n", "value": "1"}]}}, "response": {"status": 204}},
        {"request": {"method": "GET", "url": "http://a.example/?user%5Bpassword%5D=\#(secret)",
          "queryString": [{"name": "user%5Bpassword%5D", "value": "\#(secret)"}]}, "response": {"status": 200,
          "content": {"size": 2, "_file": "body.json", "text": "{\"password\": \"\#(secret)\"}"}}}]}}
      """#
    let body = folder.file("body.json")
    try Data("{}".utf8).write(to: body)
    try Data(text.utf8).write(to: file)
    var document = try ArchiveDocument(contentsOf: file)
    let report = try document.redact(.standard, for: file).report
    let left = document.data.text
    #expect(!left.contains(secret), "\(left)")
    for kept in ["body.json", #""value": "1""#] { #expect(left.contains(kept), "\(kept) in \(left)") }
    // What a form or a query says again counts once.
    #expect(report.count == 3, "\(report.lines)")
    // A file with a secret gives its text to the other one.
    try Data(#"{"password": "\#(secret)-9"}"#.utf8).write(to: body)
    document = try ArchiveDocument(contentsOf: file)
    #expect(
      try document.redact(.standard, for: file).archive.entries[1].response?.body
        == Data(#"{"password": "REDACTED-2"}"#.utf8))
    #expect(document.data.text.contains(#""_formerFile": "body.json""#))
  }

  /// Returns how many values the standard redactions replace in an archive of one entry, which has these members, and
  /// the text that is left.
  private static func redacted(
    request: String = "", response: String = "", entry: String = "", log: String = ""
  ) throws -> (count: Int, text: String) {
    let text = #"""
      {"log": {"version": "1.2", "entries": [{"request": {"method": "POST", "url": "http://a.example/"\#(request)},
        "response": {"status": 204\#(response)}\#(entry)}]\#(log)}}
      """#
    var document = try ArchiveDocument(Data(text.utf8), name: "a.har")
    let count = try document.redact(.standard, for: nil).report.count
    return (count, document.data.text)
  }

  /// A form as a request sends it, and the fields that a tool has read from it.
  private static func form(_ text: String, _ fields: String) -> String {
    #", "postData": {"mimeType": "application/x-www-form-urlencoded", "text": "\#(text)", "params": [\#(fields)]}"#
  }

  @Test("replaces the code of a form also in the list of its fields, and leaves the phone number that it goes to")
  func codeInFields() throws {
    let fields = #"{"name": "To", "value": "+4915112345"}, {"name": "Code", "value": "318842"}"#
    let left = try Self.redacted(request: Self.form("To=%2B4915112345&Code=318842", fields))
    #expect(left.count == 1, "The code of the form and that of the list are one value.")
    #expect(!left.text.contains("318842"), "\(left)")
    #expect(left.text.contains(#""To", "value": "+4915112345""#), "\(left)")
  }

  @Test("reads what a client sends over a WebSocket as a request, and what it receives as a response")
  func messages() throws {
    let messages = [("send", "walnut"), ("receive", "hazelnut")].map { type, password in
      #"{"type": "\#(type)", "opcode": 1, "data": "{\"password\": \"\#(password)\"}"}"#
    }
    // A word below the name of a password is one in a request only.
    let left = try Self.redacted(entry: #", "_webSocketMessages": [\#(messages.joined(separator: ","))]"#)
    #expect(left.count == 1)
    #expect(!left.text.contains("walnut"), "\(left)")
    #expect(left.text.contains("hazelnut"), "\(left)")
  }

  @Test("redacts JSON that is labeled as a form as JSON, and also the fields that a tool has made of it")
  func jsonAsForm() throws {
    let json = #"{\"q\":\"a&token=x1y2z3\",\"password\":\"hunter22\"}"#
    // What the tool takes for two fields: `{"q":"a` without a value, and `token`.
    let fields =
      #"{"name": "{\"q\":\"a", "value": ""}, {"name": "token", "value": "x1y2z3\",\"password\":\"hunter22\"}"}"#
    let left = try Self.redacted(request: Self.form(json, fields)).text
    let expected = json.replacing("x1y2z3", with: "REDACTED").replacing("hunter22", with: "REDACTED-2")
    #expect(left.contains(expected), "\(left)")
    #expect(!left.contains("hunter22"), "\(left)")
  }

  @Test("reads JSON in a member of another tool, whatever its name is", arguments: ["key", "sig", "signature", "_any"])
  func jsonOfOthers(_ name: String) throws {
    let member = #""\#(name)": "{\"a\": [{\"password\": \"x9-zk2q7\"}], \"b\": \"<p n=1>c</p>\"}""#
    let left = try Self.redacted(entry: #", "_extra": {\#(member)}"#, log: ", " + member)
    #expect(left.count > 0)
    #expect(!left.text.contains("x9-zk2q7"), "\(left)")
  }

  @Test(
    "finds the cookies and headers of other tools, wherever they have them",
    arguments: [
      ("request", #""cookies": [{"name": "remember", "value": "VALUE"}]"#),
      ("response", #""cookies": [{"value": "VALUE", "name": "remember"}]"#),
      ("request", #""_raw": [["Accept", "*/*"], ["Cookie", "remember=VALUE"]]"#),
      ("response", #""_rawHeaders": {"set-cookie": "remember=VALUE; Path=/"}"#),
      ("request", #""_session": {"accessToken": "VALUE"}"#),
    ])
  func carriers(message: String, member: String) throws {
    // In two parts, so that no scanner of source code takes it for a live one.
    let whole = ", " + member.replacing("VALUE", with: "q9Q2" + "xT7vB8nL")
    let left = try Self.redacted(
      request: message == "request" ? whole : "", response: message == "response" ? whole : "")
    #expect(left.count == 1)
    for text in [member.replacing("VALUE", with: "REDACTED"), #""_redacted": ["REDACTED"]"#] {
      #expect(left.text.contains(text), "\(text) in \(left)")
    }
  }
}

extension ArchiveDocument {
  init(contentsOf file: URL) throws {
    try self.init(Data(contentsOf: file), name: file.lastPathComponent, source: file)
  }
}
