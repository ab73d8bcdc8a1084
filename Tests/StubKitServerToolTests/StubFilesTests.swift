import Foundation
import StubKitCommandLine
import StubKitRecorder
import TestSupport
import Testing

@testable import StubKitServerTool

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("Stubs that are written by hand", .inTurn)
struct StubFilesTests {
  /// Requests as `METHOD TARGET`, with fields and a body on further lines.
  private static func request(_ text: String) throws -> URLRequest {
    let lines = text.split(separator: "\n")
    let words = lines[0].split(separator: " ")
    var request = URLRequest(url: try #require(URL(string: "https://a.example\(words[1])")))
    request.httpMethod = String(words[0])
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1).map(String.init)
      if line.hasPrefix("{") {
        request.httpBody = Data(line.utf8)
      } else {
        request.setValue(parts[1], forHTTPHeaderField: parts[0])
      }
    }
    return request
  }

  @Test(
    "match what WireMock's names mean",
    arguments: [
      (#"{}"#, ["GET /", "PUT /x?y"], []),
      (#"{"method": "ANY", "urlPath": "/a"}"#, ["GET /a", "POST /a?b=1"], ["GET /a/b"]),
      (#"{"method": "POST"}"#, ["POST /a"], ["GET /a"]),
      (
        #"{"url": "/a%20b?x=1&y"}"#, ["GET /a%20b?x=1&y", "GET /a%20b?y&x=1"], ["GET /a%20b?x=1", "GET /a%20b?x=1&y&z"]
      ),
      (#"{"url": "/a"}"#, ["GET /a"], ["GET /a?x=1"]),
      (#"{"urlPattern": "/a[?]x=[0-9]+"}"#, ["GET /a?x=12"], ["GET /a?x=12b", "GET /b/a?x=1"]),
      (#"{"urlPathPattern": "/a/[0-9]+|/c"}"#, ["GET /a/1?x", "GET /c"], ["GET /a/1/b", "GET /b/a/1", "GET /cc"]),
      (#"{"urlPathTemplate": "/a/{id}"}"#, ["GET /a/1"], ["GET /a", "GET /a/1/2"]),
      (#"{"queryParameters": {"q": {"equalTo": "a"}}}"#, ["GET /?q=a&r", "GET /?q=b&q=a"], ["GET /?q=ab", "GET /"]),
      (#"{"queryParameters": {"q": {"contains": "a."}}}"#, ["GET /?q=ba.c"], ["GET /?q=abc"]),
      (
        #"{"queryParameters": {"q": {"matches": "a|b"}, "r": {"absent": true}}}"#, ["GET /?q=b"],
        ["GET /?q=ab", "GET /?q=a&r=1"]
      ),
      (
        #"{"headers": {"Accept": {"equalTo": "Text/HTML", "caseInsensitive": true}}}"#, ["GET /\nAccept:text/html"],
        ["GET /\nAccept:text/html2", "GET /"]
      ),
      (
        #"{"bodyPatterns": [{"equalToJson": "{\"a\": 1}", "ignoreExtraElements": true}, {"contains": "b"}]}"#,
        ["POST /\n{\"a\":1,\"b\":2}"], ["POST /\n{\"a\":1}", "POST /\n{\"a\":2,\"b\":1}"]
      ),
      (#"{"bodyPatterns": [{"equalToJson": {"a": [1]}}]}"#, ["POST /\n{ \"a\": [1.0] }"], ["POST /\n{\"a\":[1,2]}"]),
      (#"{"bodyPatterns": [{"equalTo": "{1}"}]}"#, ["POST /\n{1}"], ["POST /\n{12}"]),
    ])
  func conditions(_ condition: String, _ matching: [String], _ others: [String]) throws {
    let text = "{\"request\": \(condition), \"response\": {}}"
    let mapping = try #require(try StubMapping.read(Data(text.utf8), bodiesIn: []).first)
    for line in matching { #expect(mapping.condition.matches(try Self.request(line)), "\(line)") }
    for line in others { #expect(!mapping.condition.matches(try Self.request(line)), "\(line)") }
  }

  @Test(
    "have their mistakes named with their lines",
    arguments: [
      ("", 1, "a value is missing"), ("[]", 1, "A stub is not an object"),
      ("{\n\"request\":\n1,}", 3, "a key in quotation marks"),
      ("{\"a\": \"\u{0}\"}", 1, "This is not valid JSON"), ("\n{\"request\": {}}", 2, "The stub has no response"),
      (
        "{\"request\": {},\n\"response\": {},\n\"scenarioName\": \"a\"}", 3,
        "\"scenarioName\", which StubKit doesn't know"
      ),
      ("{\"request\": {\n\"urlpath\": \"/\"}}", 2, "It knows method, url, urlPattern"),
      ("{\"request\": {\"method\": \"GET\",\n\"method\": \"PUT\"}}", 2, "request has \"method\" twice"),
      ("{\"request\": {\"url\": \"/\",\n\"urlPath\": \"/\"}}", 2, "Write either url or urlPath"),
      ("{\"request\": {\"urlPath\":\n\"/a?b\"}}", 2, "isPath"),
      ("{\"request\": {\"urlPathPattern\":\n\"(\"}}", 2, "regular expression"),
      ("{\"request\": {\"url\": \"a\"}}", 1, "no slash in front"),
      ("{\"request\": {\"method\": 1}}", 1, "method is not a string"),
      ("{\"request\": {\"headers\": {\"a\":\n\"b\"}}}", 2, "a is not an object"),
      (
        "{\"request\": {\"headers\": {\"a\": {\"equalTo\": \"b\",\n\"contains\": \"b\"}}}}", 2,
        "Write either equalTo or contains"
      ),
      ("{\"request\": {\"headers\": {\"a\": {\"matches\": \"b\", \"caseInsensitive\": true}}}}", 1, "for equalTo only"),
      ("{\"request\": {\"headers\": {\"a\": {}}}}", 1, "none of equalTo, contains"),
      ("{\"request\": {\"headers\": {\"a b\": {\"absent\": true}}}}", 1, "not a valid header name"),
      ("{\"request\": {\"queryParameters\": {\"a\": {\"absent\": false}}}}", 1, "absent is false"),
      ("{\"request\": {\"bodyPatterns\": [\n{\"matchesXPath\": \"/\"}]}}", 2, "It knows equalToJson, contains"),
      ("{\"request\": {\"bodyPatterns\": [{\"equalToJson\": \"{\"}]}}", 1, "a string that is not JSON"),
      (
        "{\"request\": {\"bodyPatterns\": [{\"equalToJson\": [1], \"ignoreArrayOrder\": true}]}}", 1, "ignoreArrayOrder"
      ),
      ("{\"request\": {\"bodyPatterns\": [{\"equalToJson\": \"\\\"${json-unit.ignore}\\\"\"}]}}", 1, "JsonUnit"),
      ("{\"response\": {\"status\": 2000}}", 1, "from 100 to 999"),
      ("{\"response\": {\"status\": 2e2}}", 1, "not a whole number"),
      ("{\"response\": {\"body\": \"a\",\n\"jsonBody\": 1}}", 2, "Write either body or jsonBody"),
      ("{\"response\": {\"headers\": {\"a\":\n\"b\\nc\"}}}", 2, "line break"),
      ("{\"response\": {\"headers\": {\"a\": [1]}}}", 1, "a is not a string"),
      ("{\"response\": {\"fault\": \"x\"}}", 1, "fault is none of CONNECTION_RESET"),
      ("{\"response\": {\"base64Body\": \"*\"}}", 1, "not Base64"),
      ("{\"response\": {\"bodyFileName\": \"x\"}}", 1, "There is no file /none/x"),
      ("{\"response\": {\"bodyFileName\": \"a/../../x\"}}", 1, "can't contain"),
      ("{\"response\": {\"fixedDelayMilliseconds\": -1}}", 1, "from 0 to"),
      ("{\"priority\": 99999999999999999999}", 1, "priority is not"),
      ("{\"mappings\": {}}", 1, "mappings is not an array"), ("{\"log\": {}}", 1, "This is an archive"),
      ("{\"mappings\": [\n1]}", 2, "A stub is not an object"),
    ])
  func mistakes(_ text: String, _ line: Int, _ sentence: String) throws {
    let problem = try #require(throws: StubMapping.Problem.self) {
      try StubMapping.read(Data(text.utf8), bodiesIn: [URL(fileURLWithPath: "/none")])
    }
    #expect(problem.line == line && problem.sentence.contains(sentence), "\(problem)")
  }

  /// A server for a folder, and what it prints.
  private struct Served {
    let folder: TestFolder
    let output = Output()
    let servers: Servers

    init(_ files: [String: String], _ arguments: [String] = ["--control"]) throws {
      folder = try TestFolder()
      for (name, text) in files { try Self.write(text, to: name, in: folder) }
      servers = try Serve(Arguments([folder.url.path] + arguments)).start(output.console)
    }

    private static func write(_ text: String, to name: String, in folder: TestFolder) throws {
      let file = folder.url.appendingPathComponent(name)
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file, options: .atomic)
    }

    func write(_ text: String, to name: String) throws { try Self.write(text, to: name, in: folder) }

    /// Returns the status, and the body as text.
    func ask(_ line: String, _ fields: String = "", _ body: String = "") async throws -> (Int, String) {
      let port = try #require(servers.servers[0].url.port)
      let bytes = try await onOwnThread {
        let client = try LoopbackClient(port: port)
        let host = fields.contains("Host:") ? "" : "Host: localhost\r\n"
        client.send(
          "\(line) HTTP/1.1\r\n\(host)\(fields)Connection: close\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
        return client.readToEnd().bytes
      }
      let text = String(decoding: bytes, as: UTF8.self)
      let parts = text.components(separatedBy: "\r\n\r\n")
      return (Int(text.split(separator: " ").dropFirst().first ?? "") ?? 0, parts.dropFirst().joined())
    }

    func stop() async { for server in servers.servers { await server.stop() } }
  }

  private static func mapping(_ path: String, _ body: String, _ more: String = "") -> String {
    "{\"request\": {\"urlPath\": \"\(path)\"}, \"response\": {\"body\": \"\(body)\"}\(more)}"
  }

  @Test("answer from a folder, by priority, with what each says")
  func answers() async throws {
    let served = try Served([
      "a.json": Self.mapping("/a", "low", ", \"priority\": 6"), "b/c.json": Self.mapping("/a", "high"),
      "__files/users.json": "[]",
      "d.json": #"""
      {"mappings": [
        {"request": {"urlPath": "/f"}, "response": {"status": 201, "bodyFileName": "users.json",
          "headers": {"X": ["1", "2"], "Content-Type": "text/x"}}},
        {"request": {"urlPath": "/j"}, "response": {"jsonBody": {"a": null}, "fixedDelayMilliseconds": 1}},
        {"request": {"urlPath": "/b"}, "response": {"base64Body": "aGk="}},
        {"request": {"urlPath": "/e"}, "response": {"fault": "MALFORMED_RESPONSE_CHUNK"}}
      ]}
      """#,
    ])
    #expect(try await served.ask("GET /a") == (200, "high"))
    #expect(try await served.ask("GET /f") == (201, "[]"))
    #expect(try await served.ask("GET /j") == (200, #"{"a":null}"#))
    #expect(try await served.ask("GET /b") == (200, "hi"))
    #expect(try await served.ask("GET /e") == (200, "mal"))
    #expect(try await served.ask("GET /none").1.contains("\nThe nearest of 6 stubs:\n"))
    #expect(served.output.printed[1] == "6 stubs were read. Changed files are read again.")
    try await until("it is printed") { served.output.printed.contains { $0.hasSuffix("(d.json:2)") } }
    #expect(served.output.warned.isEmpty)
    await served.stop()
  }

  @Test("are read again when files change, and stay as they were after a mistake")
  func changes() async throws {
    let served = try Served([
      "a.json": Self.mapping("/a", "1"), "b.json": "{\n", "c.json": Self.mapping("/c", "1"),
      "d.json": "{\"request\": {\"urlPath\": \"/d\"}, \"response\": {\"bodyFileName\": \"late.txt\"}}",
    ])
    #expect(served.output.warned.count == 2 && served.output.warned[0].contains("b.json:2: This is not valid JSON"))
    func expect(_ text: String) async throws {
      try await until(text) { served.output.warned.contains { $0.contains(text) } }
    }
    try served.write(Self.mapping("/a", "2"), to: "a.json")
    try await expect("a.json was read again.")
    #expect(try await served.ask("GET /a") == (200, "2"))
    try served.write("{\"request\": {},\n\"respons\": {}}", to: "a.json")
    try await expect("a.json:2: A stub has \"respons\", which StubKit doesn't know there.")
    #expect(served.output.warned.last?.hasSuffix("Its stubs stay as they were.") == true)
    #expect(try await served.ask("GET /a") == (200, "2"))
    // A body that was missing needs no change of the stub.
    try served.write("late", to: "__files/late.txt")
    try await expect("d.json was read again.")
    #expect(try await served.ask("GET /d") == (200, "late"))
    try FileManager.default.removeItem(at: served.folder.url.appendingPathComponent("c.json"))
    try await expect("c.json is gone, and its stubs with it.")
    #expect(try await served.ask("GET /c").0 == 501)
    let away = served.folder.url.appendingPathExtension("away")
    try FileManager.default.moveItem(at: served.folder.url, to: away)
    try await expect("is gone. Its stubs stay until it is back.")
    #expect(try await served.ask("GET /a") == (200, "2"))
    try FileManager.default.moveItem(at: away, to: served.folder.url)
    try served.write(Self.mapping("/b", "1"), to: "b.json")
    try await expect("b.json was read again.")
    #expect(try await served.ask("GET /b") == (200, "1"))
    await served.stop()
  }

  @Test("can be listed, added, removed and reset by programs on this machine")
  func control() async throws {
    let served = try Served(["a.json": Self.mapping("/a", "1")])
    let (status, ids) = try await served.ask("POST /__stubkit/stubs", "", Self.mapping("/b", "2", ", \"id\": \"b 1\""))
    #expect(status == 201 && ids == "{\"ids\":[\"b 1\"]}\n")
    #expect(try await served.ask("GET /b") == (200, "2"))
    // The same id takes its place.
    _ = try await served.ask("POST /__stubkit/stubs", "", Self.mapping("/b", "3", ", \"id\": \"b 1\""))
    #expect(try await served.ask("POST /b", "X: y\r\n", "in") == (200, "3"))
    let list = try JSONValue(parsing: try await served.ask("GET /__stubkit/stubs").1)
    #expect(list["stubs"]?[0]?["id"] == "a.json:1" && list["stubs"]?[1]?["id"] == "b 1" && list["stubs"]?[2] == nil)
    #expect(list["stubs"]?[1]?["calls"] == 1 && list["stubs"]?[1]?["mapping"]?["response"]?["body"] == "3")
    let requests = try JSONValue(parsing: try await served.ask("GET /__stubkit/requests").1)
    // Those to the endpoint aren't among them.
    #expect(requests["requests"]?[1]?["body"] == "in" && requests["requests"]?[1]?["headers"]?["X"] == "y")
    #expect(requests["requests"]?[0]?["method"] == "GET" && requests["requests"]?[2] == nil)
    let mistake = try await served.ask("POST /__stubkit/stubs", "", "{\n\"requests\": 1}")
    #expect(mistake.0 == 400)
    #expect(try JSONValue(parsing: mistake.1)["line"] == 2)
    #expect(try await served.ask("DELETE /__stubkit/stubs/b%201").0 == 200)
    #expect(try await served.ask("DELETE /__stubkit/stubs/b%201").0 == 404)
    #expect(try await served.ask("DELETE /__stubkit/stubs/a.json:1").0 == 200)
    #expect(try await served.ask("GET /a").0 == 501)
    #expect(try await served.ask("POST /__stubkit/reset").0 == 200)
    #expect(try await served.ask("GET /a") == (200, "1"))
    #expect(try await served.ask("GET /b").0 == 501)
    #expect(try await served.ask("PUT /__stubkit/stubs").0 == 404)
    for field in [
      "Origin: null", "Origin: http://localhost", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Site: same-site",
    ] {
      #expect(try await served.ask("POST /__stubkit/reset", field + "\r\n").0 == 403, "\(field)")
    }
    #expect(try await served.ask("GET /__stubkit/stubs", "Host: rebound.example\r\n").0 == 421)
    await served.stop()
    let closed = try Served(["a.json": Self.mapping("/a", "1")], ["--for", "https://a.example"])
    #expect(try await closed.ask("GET /__stubkit/stubs").0 == 501)
    await closed.stop()
    let open = try Served([:], ["--control", "--for", "https://a.example"])
    #expect(try await open.ask("GET /__stubkit/stubs", "Host: a.example\r\n").0 == 403)
    #expect(try await open.ask("GET /__stubkit/stubs") == (200, "{\"stubs\":[]}\n"))
    await open.stop()
  }

  @Test("need no file that can be read")
  func junk() async throws {
    let served = try Served([
      "a.json": Self.mapping("/a", "1"), "dir.json/b.txt": "", "deep.json": String(repeating: "[", count: 100_000),
    ])
    let folder = served.folder.url
    try Data((0...255).map { UInt8($0) }).write(to: folder.appendingPathComponent("binary.json"))
    try FileManager.default.createSymbolicLink(
      at: folder.appendingPathComponent("link.json"), withDestinationURL: folder.appendingPathComponent("none"))
    #expect(mkfifo(folder.appendingPathComponent("fifo.json").path, 0o600) == 0)
    for name in ["binary.json:1: ", "deep.json:1: ", "dir.json: ", "fifo.json: ", "link.json: "] {
      try await until("\(name) is named") { served.output.warned.contains { $0.contains(name) } }
    }
    #expect(try await served.ask("GET /a") == (200, "1"))
    await served.stop()
  }

  @Test("are as the guide shows them, and Python controls them as it does there")
  func guide() async throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../..")
    let guide = root.appendingPathComponent("Sources/StubKit/StubKit.docc/UITestsAndOtherClients.md")
    let page = try String(contentsOf: guide, encoding: .utf8)
    func block(_ language: String) throws -> String {
      let parts = page.components(separatedBy: "```\(language)\n")
      return try #require(parts.dropFirst().first?.components(separatedBy: "```").first)
    }
    let served = try Served(["users.json": try block("json")])
    #expect(served.output.warned.isEmpty)
    #expect(try await served.ask("GET /users?page=2") == (200, #"[{"name":"Ann"}]"#))
    #expect(try await served.ask("GET /users?page=3").0 == 501)
    let program = try block("python").replacing("8080", with: "\(try #require(served.servers.servers[0].url.port))")
    // The module isn't everywhere where Python is.
    let printed = try await ChildProcess.run("python3", ["-c", program], environment: ["NO_PROXY": "*"])
    #expect(printed == nil || printed == "" || printed?.contains("No module named") == true, "\(printed ?? "-")")
    await served.stop()
  }

  @Test("take part in what --rewrite-links changes")
  func links() async throws {
    let text = Self.mapping("/a", "https://a.example/b", "").replacing(
      "\"body\"", with: "\"headers\": {\"Content-Type\": \"text/html\"}, \"body\"")
    for (arguments, isRewritten) in [(["--rewrite-links"], true), ([], false)] {
      let served = try Served(["a.json": text], ["--for", "https://a.example"] + arguments)
      let expected = isRewritten ? "\(served.servers.servers[0].url)/b" : "https://a.example/b"
      #expect(try await served.ask("GET /a").1.contains(expected))
      await served.stop()
    }
  }
}
