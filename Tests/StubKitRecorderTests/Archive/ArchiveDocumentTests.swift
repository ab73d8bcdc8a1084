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
      let target = folder.url.appendingPathComponent("out.har")
      #expect(try document.redact(redactions, for: target).report.count > 0, "\(tool)")
      try document.write(to: target)
      #expect(try String(contentsOf: target, encoding: .utf8).contains("xample") == false, "\(tool)")
      func held(_ archive: HTTPArchive) -> [[AnyHashable?]] {
        archive.entries.map {
          [$0.request.url, $0.request.httpBody, $0.response?.status, $0.response?.body, $0.startedAt, $0.duration]
        }
      }
      #expect(try held(HTTPArchive(contentsOf: target)) == held(document.archive.redacted(redactions)), "\(tool)")
    }
  }

  /// Three entries have their bodies in files, as Playwright writes them (`_file`): one of them doesn't exist, one has
  /// nothing to redact, and one has a token. The archive is written in its own place, beside it, and into a folder.
  @Test("takes a body in if it changes or goes to another folder, and leaves its file alone", arguments: [true, false])
  func bodies(isSent: Bool) throws {
    let folder = try TestFolder()
    let file = folder.url.appendingPathComponent("users.har")
    let bodies = [
      "secret.json": #"{"token": "s3cret-s3cret"}"#, "plain.json": #"{"id": 1}"#, "none.json": nil,
    ]
    for (name, text) in bodies { try text.map { try Data($0.utf8).write(to: folder.url.appendingPathComponent(name)) } }
    let entries = bodies.keys.sorted().map { name in
      let body = #""mimeType": "application/json", "_file": "\#(name)", "_sha1": "0""#
      return #"""
        {"request": {"method": "POST", "url": "http://a.example/"\#(isSent ? ", \"postData\": {\(body)}" : "")},
         "response": {"status": 200, "content": {"size": 9\#(isSent ? "" : ", " + body)}}}
        """#
    }
    let original = Data(#"{"log": {"version": "1.2", "entries": [\#(entries.joined(separator: ","))]}}"#.utf8)
    try original.write(to: file)
    let names = folder.names
    // Where it is written, and the files that it still names there.
    for (target, kept) in [
      ("users.har", ["none", "plain"]), ("out.har", ["none", "plain"]), ("deep/out.har", ["none"]),
    ] {
      let target = folder.url.appendingPathComponent(target)
      var document = try ArchiveDocument(contentsOf: file)
      let report = try document.redact(.standard, for: target).report
      try document.write(to: target)
      let text = try String(contentsOf: target, encoding: .utf8)
      #expect(bodies.keys.filter(text.contains).sorted() == kept.map { $0 + ".json" })
      let read = try HTTPArchive(contentsOf: target).entries.map { isSent ? $0.request.httpBody : $0.response?.body }
      let expected = kept.contains("plain") || target.path.contains("deep") ? #"{"id": 1}"# : nil
      #expect(read[1].map { String(decoding: $0, as: UTF8.self) } == expected)
      #expect(read[2].map { String(decoding: $0, as: UTF8.self) } == #"{"token": "REDACTED"}"#)
      let advice =
        "The body of entry 3 is now in the archive. The file secret.json still has what was replaced: remove it."
      #expect(report.count == 1 && document.advice == [advice])
      try FileManager.default.removeItem(at: target)
      try original.write(to: file)
    }
    #expect(folder.names.filter { $0 != "deep" } == names)
    for (name, text) in bodies {
      #expect((try? String(contentsOf: folder.url.appendingPathComponent(name), encoding: .utf8)) == text)
    }
  }

  @Test("counts and explains what it replaces outside of requests and responses, too")
  func otherTexts() throws {
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
    #expect(String(decoding: document.data, as: UTF8.self).contains(secret) == false)
    let places = report.lines.map { String($0.prefix { $0 != ":" }) }
    #expect(
      places == [
        "entry 1, request URL", "log.comment", "log.pages[0].title", "entry 1, response.content.text",
        "entry 2, _webSocketMessages[0].data", "entry 2, _initiator.stack[0].url",
      ])
    #expect(report.count == 6 && report.summary.hasPrefix("6 values redacted: "))
    #expect(!report.lines.contains { $0.contains("k9") })
  }

  @Test("leaves no secret in what says a body for the second time")
  func secondTexts() throws {
    let folder = try TestFolder()
    let secret = "hunter" + "22"
    let file = folder.url.appendingPathComponent("a.har")
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
    let body = folder.url.appendingPathComponent("body.json")
    try Data("{}".utf8).write(to: body)
    try Data(text.utf8).write(to: file)
    var document = try ArchiveDocument(contentsOf: file)
    let report = try document.redact(.standard, for: file).report
    let left = String(decoding: document.data, as: UTF8.self)
    #expect(!left.contains(secret) && left.contains("body.json") && left.contains(#""value": "1""#), "\(left)")
    // What a form or a query says again counts once.
    #expect(report.count == 3, "\(report.lines)")
    // A file with a secret gives its text to the other one.
    try Data(#"{"password": "\#(secret)-9"}"#.utf8).write(to: body)
    document = try ArchiveDocument(contentsOf: file)
    #expect(
      try document.redact(.standard, for: file).archive.entries[1].response?.body
        == Data(#"{"password": "REDACTED-2"}"#.utf8))
    #expect(String(decoding: document.data, as: UTF8.self).contains(#""_formerFile": "body.json""#))
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
    return (count, String(decoding: document.data, as: UTF8.self))
  }

  /// A form as a request sends it, and the fields that a tool has read from it.
  private static func form(_ text: String, _ fields: String) -> String {
    #", "postData": {"mimeType": "application/x-www-form-urlencoded", "text": "\#(text)", "params": [\#(fields)]}"#
  }

  @Test("replaces the code of a form also in the list of its fields")
  func codeInFields() throws {
    let fields = #"{"name": "To", "value": "+4915112345"}, {"name": "Code", "value": "318842"}"#
    let left = try Self.redacted(request: Self.form("To=%2B4915112345&Code=318842", fields))
    #expect(left.count == 1 && !left.text.contains("318842"), "\(left)")
    #expect(left.text.components(separatedBy: "+4915112345").count == 2, "\(left)")
  }

  @Test("reads what a client sends over a WebSocket as a request, and what it receives as a response")
  func messages() throws {
    let messages = [("send", "walnut"), ("receive", "hazelnut")].map { type, password in
      #"{"type": "\#(type)", "opcode": 1, "data": "{\"password\": \"\#(password)\"}"}"#
    }
    let left = try Self.redacted(entry: #", "_webSocketMessages": [\#(messages.joined(separator: ","))]"#)
    #expect(left.count == 1 && !left.text.contains("walnut") && left.text.contains("hazelnut"), "\(left)")
  }

  @Test("leaves JSON whole whose type is that of a form, and the fields that a tool has read from it")
  func jsonAsForm() throws {
    let json = #"{\"q\":\"a&token=x1y2z3\",\"password\":\"hunter22\"}"#
    let last = #"{"name": "token", "value": "x1y2z3\",\"password\":\"hunter22\"}"}"#
    let left = try Self.redacted(request: Self.form(json, #"{"name": "{\"q\":\"a", "value": ""}, \#(last)"#)).text
    #expect(left.contains(json.replacing("hunter22", with: "REDACTED")) && !left.contains("hunter22"), "\(left)")
  }

  @Test("reads JSON in a member of another tool, whatever its name is", arguments: ["key", "sig", "signature", "_any"])
  func jsonOfOthers(_ name: String) throws {
    let member = #""\#(name)": "{\"a\": [{\"password\": \"x9-zk2q7\"}], \"b\": \"<p n=1>c</p>\"}""#
    let left = try Self.redacted(entry: #", "_extra": {\#(member)}"#, log: ", " + member)
    #expect(left.count > 0 && !left.text.contains("x9-zk2q7"))
  }

  @Test("finds the cookies and headers of other tools, wherever they have them")
  func carriers() throws {
    let secret = "q9Q2" + "xT7vB8nL"
    for (message, member) in [
      ("request", #""cookies": [{"name": "remember", "value": "VALUE"}]"#),
      ("response", #""cookies": [{"value": "VALUE", "name": "remember"}]"#),
      ("request", #""_raw": [["Accept", "*/*"], ["Cookie", "remember=VALUE"]]"#),
      ("response", #""_rawHeaders": {"set-cookie": "remember=VALUE; Path=/"}"#),
      ("request", #""_session": {"accessToken": "VALUE"}"#),
    ] {
      let whole = ", " + member.replacing("VALUE", with: secret)
      let left = try Self.redacted(
        request: message == "request" ? whole : "", response: message == "response" ? whole : "")
      #expect(left.count == 1 && left.text.contains(member.replacing("VALUE", with: "REDACTED")), "\(left)")
      #expect(left.text.contains(#""_redacted": ["REDACTED"]"#), "\(left)")
    }
  }
}

extension ArchiveDocument {
  init(contentsOf file: URL) throws {
    try self.init(Data(contentsOf: file), name: file.lastPathComponent, source: file)
  }
}
