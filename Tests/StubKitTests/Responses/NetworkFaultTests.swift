import Foundation
import TestSupport
import Testing

@testable import StubKit

/// A row says what a client is shown of a fault of `{"id":7,"name":"Zoë"}`: an error's code, or the status, the content
/// type, how long to wait, and the body.
@Suite("A network fault in a response", .inTurn)
struct NetworkFaultTests {
  static let response = StubResponse.json(["id": 7, "name": "Zoë"])

  private static let page =
    "<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body><h1>Sign in</h1></body></html>\n"
  private static let whole = #"200 application/json {"id":7,"name":"Zoë"}"#

  private static func problem(_ status: Int, _ title: String, retry: String = "") -> String {
    #"\#(status) application/problem+json \#(retry){"status":\#(status),"title":"\#(title)"}"#
  }

  /// All faults, by their names, in their order. A name that changes here breaks tests of users.
  static let shown: KeyValuePairs<String, String> = [
    "no network": "error -1009", "host not found": "error -1003", "connection refused": "error -1004",
    "timed out before the head": "error -1001", "TLS refused": "error -1200", "lost before the head": "error -1005",
    "lost in mid-upload": "error -1005",
    "lost in mid-body": "error -1005", "stalls in mid-body": "error -1001", "cancelled by the system": "error -999",
    "400 Bad Request": problem(400, "Bad Request"), "401 without a challenge": problem(401, "Unauthorized"),
    "403 Forbidden": problem(403, "Forbidden"), "404 Not Found": problem(404, "Not Found"),
    "409 Conflict": problem(409, "Conflict"), "412 Precondition Failed": problem(412, "Precondition Failed"),
    "429 with Retry-After in seconds": problem(429, "Too Many Requests", retry: "wait 1 "),
    "429 with Retry-After as a date": problem(429, "Too Many Requests", retry: "wait until a date "),
    "500 Internal Server Error": problem(500, "Internal Server Error"),
    "502 with HTML": "502 text/html; charset=utf-8 " + page.replacing("Sign in", with: "Bad Gateway"),
    "503 with Retry-After": problem(503, "Service Unavailable", retry: "wait 1 "),
    "504 Gateway Timeout": problem(504, "Gateway Timeout"),
    "a redirect that loops": "error -1007", "a redirect to another host": "200 text/html; charset=utf-8 " + page,
    "header names in lower case": whole,
    "an empty body": "200 application/json ",
    "cut off within a character": #"200 application/json {"id":7,"name":"Zo<C3>"#,
    "cut off within a JSON text": #"200 application/json {"id":7,"na"#,
    "HTML in place of the body": "200 text/html; charset=utf-8 " + page,
    "HTML with the body's content type": "200 application/json " + page, "HTML without a content type": "200 " + page,
    "null": "200 application/json null", "an array for an object": #"200 application/json [{"id":7,"name":"Zoë"}]"#,
    "a number for a text": #"200 application/json {"id":7,"name":42}"#,
    "a member missing": #"200 application/json {"name":"Zoë"}"#,
    "an unknown member": #"200 application/json {"id":7,"name":"Zoë","unknown":"member"}"#,
    "a number too large": #"200 application/json {"id":1e400,"name":"Zoë"}"#,
    "invalid UTF-8": #"200 application/json {"id":7,"name":"Zoë<FF>"}"#,
    "a byte order mark": #"200 application/json <EF><BB><BF>{"id":7,"name":"Zoë"}"#,
    "a length that is too long": "error -1005", "a length that is too short": #"200 application/json {"id":7,"na"#,
    "a slow head": whole, "a slow body in small pieces": whole, "just below the request's timeout": whole,
    "just above the request's timeout": "error -1001",
  ]

  /// What a client is shown of the answer to one request.
  private static func ask(_ session: URLSession = .shared, _ request: URLRequest? = nil) async -> String {
    do {
      let (data, response) = try await session.data(for: request ?? URLRequest(url: url("http://a.example/users")))
      let head = response as! HTTPURLResponse
      var parts = ["\(head.statusCode)"]
      if let type = head.value(forHTTPHeaderField: "Content-Type") { parts.append(type) }
      if let wait = head.value(forHTTPHeaderField: "Retry-After") {
        parts.append(Date(httpDate: wait) == nil ? "wait \(wait)" : "wait until a date")
      }
      return parts.joined(separator: " ") + " " + data.shown
    } catch { return "error \((error as NSError).code)" }
  }

  @Test("shows the client what its row says, on the immediate clock", arguments: shown.map(\.key))
  func table(name: String) async {
    let expected = Self.shown.first { $0.key == name }?.value
    await withStubs(in: StubRegistry(clock: .immediate)) {
      let report = TestReport()
      StubRegistry.current.testReport = report
      let users = stub(.get, "/users", response: Self.response.suffering(.named(name)))
      let shown = await Self.ask()
      #expect(shown == expected)
      #expect(users.callCount == 1)
      #expect(report.mistakes.isEmpty && report.finish().isEmpty)
      let last = StubRegistry.current.journal.entries.last?.outcome
      #expect((last?.error != nil) == shown.hasPrefix("error"))
    }
  }

  @Test("shows a POST to a closure's stub the same, and takes its time on a manual clock", arguments: shown.map(\.key))
  func manualClock(name: String) async {
    let clock = ManualClock()
    await withStubs(in: StubRegistry(clock: clock)) {
      stub(.post, "/users") { _ in Self.response.suffering(.named(name)) }
      let shown = await clock.run {
        await Self.ask(.shared, request("http://a.example/users", method: "POST", body: "x", timeout: 20))
      }
      #expect(shown == Self.shown.first { $0.key == name }?.value)
      let elapsed: Duration =
        switch name {
        case "timed out before the head", "stalls in mid-body", "just above the request's timeout": .seconds(20)
        case "just below the request's timeout": .milliseconds(19_900)
        case "a slow head": .seconds(3)
        case "a slow body in small pieces": .milliseconds(2_100)
        default: .zero
        }
      #expect(clock.elapsed == elapsed)
    }
  }

  @Test("has a name that is stable, and leads back to it")
  func names() {
    #expect(NetworkFault.all.map(\.name) == Self.shown.map(\.key))
    for fault in NetworkFault.all + NetworkFault.all.map(NetworkFault.once) {
      #expect(NetworkFault.named(fault.name) == fault)
      #expect("\(fault)" == fault.name)
    }
  }

  @Test("is in one list of its kind, and in that of all")
  func lists() {
    #expect(Set(NetworkFault.all).count == NetworkFault.all.count)
    #expect(
      NetworkFault.all
        == NetworkFault.ofConnection + NetworkFault.ofServer + NetworkFault.ofBody + NetworkFault.ofTime)
  }

  @Test("that is suffered once is another fault, and says so, but not twice")
  func once() {
    let once = NetworkFault.once(.named("no network"))
    #expect(once != .named("no network"))
    #expect(once.name == "once: no network")
    #expect(.once(once) == once)
  }

  @Test("is in the text of a response that suffers it")
  func inResponse() {
    let response = Self.response.suffering(.named("no network"))
    #expect("\(response)" == "200, application/json, 22 bytes, suffering no network")
  }

  @Test(
    "that doesn't exist fails the request, with a name that does",
    arguments: [
      ("lost in midbody", "Did you mean \"lost in mid-body\"? "), ("once: No Network", "Did you mean \"no network\"? "),
      ("gzip", ""), ("", ""),
    ])
  func unknownName(name: String, hint: String) async {
    await withStubs {
      stub(.get, "/users", response: Self.response.suffering(.named(name)))
      let error = await URLSession.shared.failure(of: "http://a.example/users") as? StubResponseError
      #expect(
        error?.reason.description
          == "suffers from the fault \"\(name)\", which doesn't exist. \(hint)NetworkFault.all has all faults.")
    }
  }

  @Test("made with .once shows in the first answer of a stub, and in no later one", arguments: NetworkFault.all)
  func once(fault: NetworkFault) async {
    await withStubs(in: StubRegistry(clock: .immediate)) {
      // The same stub, and one whose closure makes a new response for each request.
      stub(.get, "/users", response: Self.response.suffering(.once(fault)))
      stub(.get, "/closure") { _ in Self.response.suffering(.once(fault)) }
      for path in ["users", "closure"] {
        let request = request("http://a.example/\(path)")
        let shown = await [Self.ask(.shared, request), Self.ask(.shared, request), Self.ask(.shared, request)]
        #expect(shown == [Self.shown.first { $0.key == "\(fault)" }?.value, Self.whole, Self.whole])
      }
    }
  }

  @Test("takes the place of a response, or changes it, wherever it stands among the modifiers")
  func modifiers() async {
    let lost = NetworkFault.named("lost in mid-body")
    let (refused, missing) = (NetworkFault.named("403 Forbidden"), NetworkFault.named("a member missing"))
    for (response, expected) in [
      (Self.response.suffering(refused).status(201), Self.problem(403, "Forbidden")),
      (Self.response.suffering(missing).status(201), #"201 application/json {"name":"Zoë"}"#),
      (
        Self.response.status(201).header("Content-Length", 22).suffering(missing),
        #"201 application/json {"name":"Zoë"}"#
      ),
      // One after the other.
      (Self.response.suffering(missing).suffering(.named("null")), "200 application/json null"),
      (
        Self.response.suffering(missing).suffering(.named("a length that is too short")),
        #"200 application/json {"name""#
      ),
      (Self.response.suffering(.once(lost)).suffering(.once(refused)), Self.problem(403, "Forbidden")),
      // What breaks off is replaced, too.
      (Self.response.failing(afterBytes: 3).suffering(refused), Self.problem(403, "Forbidden")),
      (.failure(.timedOut).suffering(refused), Self.problem(403, "Forbidden")),
      (.noAnswer.suffering(refused), Self.problem(403, "Forbidden")),
      (.failure(.badURL).suffering(.named("a slow head")), "error -1000"),
      (Self.response.network(.offline).suffering(refused), "error -1009"),
      (Self.response.delay(.seconds(61)).suffering(refused), "error -1001"),
    ] as [(StubResponse, String)] {
      await withStubs(in: StubRegistry(clock: .immediate)) {
        stub(.get, "/users", response: response)
        #expect(await Self.ask() == expected, "\(response)")
      }
    }
  }

  @Test("holds the request at the response's own gate")
  func gate() async throws {
    let gate = ResponseGate()
    try await withStubs {
      stub(.get, "/users", response: Self.response.held(by: gate).suffering(.named("403 Forbidden")))
      async let shown = Self.ask(.patient)
      try await until("it is held") { gate.waitingCount == 1 }
      gate.open()
      #expect(await shown == Self.problem(403, "Forbidden"))
    }
  }

  @Test("of the body shows nothing to a HEAD")
  func bodyless() async {
    for fault in NetworkFault.ofBody + [.named("lost in mid-body"), .named("stalls in mid-body")] {
      await withStubs(in: StubRegistry(clock: .immediate)) {
        stub(.head, "/users", response: Self.response.suffering(fault))
        let shown = await Self.ask(.shared, request("http://a.example/users", method: "HEAD"))
        #expect(shown.hasPrefix("200 ") && shown.hasSuffix(" "), "\(fault)")
      }
    }
  }

  /// Responses, and the faults of the body and of mid-body that apply to them. All others do.
  private static let applicable: [(response: StubResponse, needsBody: Bool, ofBody: [String])] = {
    let (bytes, pages) = (
      ["an empty body", "a length that is too long", "a length that is too short"],
      ["HTML in place of the body", "HTML with the body's content type", "HTML without a content type"]
    )
    let text = ["cut off within a character", "invalid UTF-8", "a byte order mark"]
    let any = bytes + pages
    return [
      (.text("plain"), true, any + text),
      (.text("x"), true, any + text),
      (.data(Data([0xFF])), true, any),
      (.data(Data([0xFF, 0xD8, 0, 1])), true, any),
      (.json(1), true, any + text + ["null", "a number too large"]),
      (.json(12), true, any + text + ["null", "a number too large"]),
      (.json(true), true, any + text + ["null", "cut off within a JSON text"]),
      (.json("a"), true, any + text + ["null", "cut off within a JSON text", "a number for a text"]),
      (.json([]), true, any + text + ["null", "cut off within a JSON text"]),
      (
        .json([:] as [String: Int]), true,
        any + text + ["null", "cut off within a JSON text", "an array for an object", "an unknown member"]
      ),
      (
        .json([["id": 1]]), true,
        any + text + [
          "null", "cut off within a JSON text", "an array for an object", "a member missing", "an unknown member",
          "a number too large",
        ]
      ),
      (.ok, false, []), (.status(404), false, []), (.status(204), false, []),
      (.text("dropped", status: 304), false, []), (.redirect(to: "/x"), false, []),
      (.failure(.timedOut), false, []), (.noAnswer, false, []),
      (.stream { AsyncStream(texts: "{}") }, true, ["an empty body"] + pages),
      (.controlled, true, ["an empty body"] + pages),
      (.data(Data("{}".utf8), headers: ["Content-Encoding": "gzip"]), true, ["an empty body"] + pages),
      (.text("{", headers: ["Transfer-Encoding": "chunked"]), true, ["an empty body"] + pages + text),
      (.file("/no/such/file"), false, []),
    ]
  }()

  @Test("applies to responses that it fits, and fails the request with any other")
  func applicability() async throws {
    let needsBody: Set = ["lost in mid-body", "stalls in mid-body", "a slow body in small pieces"]
    let ofBody = Set(NetworkFault.ofBody.map(\.description))
    for (response, hasBody, names) in Self.applicable {
      let expected = Self.shown.map(\.key).filter {
        ofBody.contains($0) ? names.contains($0) : hasBody || !needsBody.contains($0)
      }
      #expect(NetworkFault.all(for: response).map(\.description) == expected, "\(response)")
    }
    #expect(NetworkFault.all(for: .passThrough).isEmpty)
    #expect(NetworkFault.all(for: Self.response) == NetworkFault.all)
    try await withStubs {
      let report = TestReport()
      StubRegistry.current.testReport = report
      stub(
        .get, "/users", response: .data(Data([0xFF]), headers: ["Content-Type": "image/png"]).suffering(.named("null")))
      let sentence = try #require(await URLSession.shared.failure(of: "http://a.example/users") as? StubResponseError)
      #expect(
        sentence.reason.description
          == "suffers from the fault \"null\", which doesn't apply to its response: 200, image/png, 1 byte, suffering "
          + "null. Write NetworkFault.all(for: response) for the faults that do.")
      #expect(report.mistakes.map(\.sentence) == [sentence.description])
    }
  }

  @Test("changes what a file has when the request is made")
  func file() async throws {
    let folder = try TestFolder()
    let file = folder.url.appendingPathComponent("user.json")
    let response = StubResponse.file(file)
    await withStubs(in: StubRegistry(clock: .immediate)) {
      stub(.get, "/users", response: response.suffering(.named("a number for a text")))
      let error = await URLSession.shared.failure(of: "http://a.example/users") as? StubResponseError
      #expect(error?.description.contains("which doesn't exist") == true)
    }
    for (text, expected) in [(#"{"a":"b"}"#, #"{"a":42}"#), (#"["b"]"#, "[42]")] {
      try Data(text.utf8).write(to: file)
      #expect(NetworkFault.all(for: response).contains(.named("a number for a text")))
      await withStubs(in: StubRegistry(clock: .immediate)) {
        stub(.get, "/users", response: response.suffering(.named("a number for a text")))
        #expect(await Self.ask() == "200 application/json \(expected)")
      }
    }
  }

  @Test("in place of a stream leaves that to the next request, and within one breaks it off")
  func stream() async {
    await withStubs(in: StubRegistry(clock: .immediate)) {
      let response = StubResponse.stream(AsyncStream(texts: "ab", "cd"))
      stub(.get, "/users", response: response.suffering(.once(.named("500 Internal Server Error"))))
      #expect(await Self.ask().hasPrefix("500 "))
      #expect(await Self.ask() == "200 abcd")
      stub(.get, "/lost", response: .stream { AsyncStream(texts: "ab", "cd") }.suffering(.named("lost in mid-body")))
      let told = try? await DelegateEvents().told { $0.dataTask(with: url("http://a.example/lost")) }
      #expect(told == ["head 200", "data a", "error NSURLErrorDomain -1005"])
    }
  }

  @Test("changes what the test sends with .controlled, too")
  func controlled() async throws {
    try await withStubs(in: StubRegistry(clock: .immediate)) {
      let users = stub(.get, "/users", response: .controlled.suffering(.named("lost in mid-body")))
      async let shown = Self.ask(.patient)
      let call = try await users.nextCall()
      call.respond()
      call.send(Data("ab".utf8))
      call.finish()
      #expect(await shown == "error -1005")
    }
  }

  @Test("that redirects leads to a stub for that host, if there is one")
  func elsewhere() async {
    await withStubs {
      stub(.get, "/users", response: Self.response.suffering(.named("a redirect to another host")))
      stub(condition: isHost("elsewhere.invalid"), response: .text("mine"))
      #expect(await Self.ask() == "200 text/plain; charset=utf-8 mine")
    }
  }

  @Test("that needs a timeout lets a request without one have its response, or wait for ever")
  func withoutTimeout() async throws {
    for (name, isEndless) in [
      ("just below the request's timeout", false), ("just above the request's timeout", false),
      ("stalls in mid-body", true), ("timed out before the head", true),
    ] {
      let clock = ManualClock()
      try await withStubs(in: StubRegistry(clock: clock)) {
        stub(.get, "/users", response: Self.response.suffering(.named(name)))
        let events = DelegateEvents()
        let session = events.session(.ephemeral { $0.timeoutIntervalForResource = 0 })
        let task = session.dataTask(with: request("http://a.example/users", timeout: .infinity))
        task.resume()
        try await session.settle()
        await clock.advance(by: .seconds(1_000_000))
        #expect(events.told.contains("complete") == !isEndless, "\(name)")
        task.cancel()
        _ = try await events.untilCompletion()
        session.invalidateAndCancel()
      }
    }
  }
}

extension Data {
  /// The bytes as UTF-8, with those that are none, and byte order marks, in hexadecimal.
  fileprivate var shown: String {
    var text = ""
    var rest = self[...]
    if starts(with: [0xEF, 0xBB, 0xBF]) {
      text = "<EF><BB><BF>"
      rest = dropFirst(3)
    }
    while !rest.isEmpty {
      let end = (1...4).first { rest.count >= $0 && String(data: rest.prefix($0), encoding: .utf8) != nil }
      text +=
        end.map { String(decoding: rest.prefix($0), as: UTF8.self) }
        ?? "<\(String(rest.first!, radix: 16).uppercased())>"
      rest = rest.dropFirst(end ?? 1)
    }
    return text
  }
}
