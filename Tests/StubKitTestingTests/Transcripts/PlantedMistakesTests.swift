import Foundation
import TestSupport
import Testing

@testable import StubKitTranscripts

/// A client that signs in, reads two pages, orders with a retry, uploads a photo and sends events, and mistakes that
/// could be made in it.
private struct Client {
  var requests: [SentParts] = []
  var seconds: [Double] = []
  private var dice: Dice

  init(_ seed: UInt64, now: TimeInterval) {
    dice = Dice(state: seed)
    let (session, key, device) = (uuid(), uuid(), uuid())
    let date = Date(timeIntervalSince1970: now).formatted(.iso8601)
    let common = [
      ("Accept", "application/json"), ("Accept-Language", "de-DE;q=1.0, en;q=0.9"),
      ("User-Agent", "xctest/4.2 (macOS 15.1.0)"),
      ("X-Session", session), ("Authorization", "Bearer secret-of-the-test"),
    ]
    let json = common + [("Content-Type", "application/json")]
    let form = [("Content-Type", TranscribedRequest.form)]
    let order =
      #"{"items":[{"sku":"A-1","count":2,"gift":true},{"sku":"B-2","count":1,"gift":false}],"note":null,"at":"\#(date)","total":19.5,"address":{"city":"Zürich","zip":"8001"}}"#
    add(0, "POST", "/login", form, "grant_type=password&user=ann%40example.com&password=a+b%26c&device=\(device)")
    add(0, "GET", "/films?page=1&sort=title&q=caf%C3%A9", common)
    add(0, "GET", "/films?page=2&sort=title&q=caf%C3%A9", common + [("If-None-Match", "\"v1\"")])
    for second in [0, 1, 3] as [Double] { add(second, "POST", "/orders", json + [("Idempotency-Key", key)], order) }
    add(3, "GET", "/orders/\(key)/status?_=\(Int(now * 1_000))", common, timeout: 5)
    let part = { (name: String, head: String, text: String) in
      "--b-\(key)\r\nContent-Disposition: form-data; name=\"\(name)\"\(head)\r\n\r\n\(text)\r\n"
    }
    add(
      3, "PUT", "/photo", common + [("Content-Type", "multipart/form-data; boundary=b-\(key)")],
      part("title", "", "At sea") + part("meta", "\r\nContent-Type: application/json", #"{"w":640}"#)
        + part("photo", "; filename=\"sea.png\"\r\nContent-Type: image/png", "\u{0}\u{1}\u{2}\u{3}PNG")
        + "--b-\(key)--\r\n")
    add(3, "PATCH", "/me", json, #"{"name":"Ann","device":"\#(device)"}"#)
    add(3, "POST", "/log", common + [("Content-Type", "text/plain")], "\(date) begin\nuser ann\nend")
    for _ in 0..<3 {
      add(3, "POST", "/events", json, #"{"id":"\#(uuid())","kind":"tap","x":\#(dice.below(1_000_000))}"#)
    }
    add(3, "DELETE", "/sessions/\(session)", common)
  }

  private mutating func uuid() -> String {
    let digits = (0..<32).map { _ in String(dice.below(16), radix: 16) }
    return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { digits[$0].joined() }.joined(separator: "-")
  }

  private mutating func add(
    _ second: Double, _ method: String, _ path: String, _ headers: [(String, String)], _ body: String = "",
    timeout: TimeInterval = 60
  ) {
    seconds.append(second)
    requests.append(
      SentParts(
        method: method, url: "https://api.example.com\(path)", headers: headers.map { (name: $0.0, value: $0.1) },
        body: Data(body.utf8), timeout: timeout))
  }

  func transcribed(at now: TimeInterval) -> [TranscribedRequest] {
    zip(requests, seconds).map { sent, second in
      var request = TranscribedRequest(sent)
      request.madeAt.value = now
      request.time = second == second.rounded() ? "\(Int(second))s" : "\(second)s"
      return request
    }
  }

  // MARK: Mistakes

  mutating func url(_ index: Int, _ old: String, _ new: String) {
    requests[index].url = requests[index].url.replacingOccurrences(of: old, with: new)
  }
  mutating func body(_ index: Int, _ old: String, _ new: String) {
    requests[index].body = Data(requests[index].body.text.replacingOccurrences(of: old, with: new).utf8)
  }
  mutating func header(_ index: Int, _ name: String, _ value: String?) {
    requests[index].headers.removeAll { $0.name == name }
    if let value { requests[index].headers.append((name: name, value: value)) }
  }
  func header(_ index: Int, _ name: String) -> String { requests[index].headers.first { $0.name == name }?.value ?? "" }
}

@Suite("A transcript of two runs finds the mistake of a client")
struct PlantedMistakesTests {
  struct Mistake: Sendable, CustomTestStringConvertible {
    let testDescription: String
    fileprivate let make: @Sendable (inout Client) -> Void

    fileprivate init(_ description: String, _ make: @escaping @Sendable (inout Client) -> Void) {
      (testDescription, self.make) = (description, make)
    }
  }

  private static func body(_ index: Int, _ changes: [(String, String)]) -> [Mistake] {
    changes.map { old, new in
      Mistake("in body \(index), \(new.debugDescription) for \(old.debugDescription)") { $0.body(index, old, new) }
    }
  }
  private static func url(_ index: Int, _ changes: [(String, String)]) -> [Mistake] {
    changes.map { old, new in Mistake("in URL \(index), \(new) for \(old)") { $0.url(index, old, new) } }
  }
  private static func header(_ index: Int, _ values: [(String, String?)]) -> [Mistake] {
    values.map { name, value in Mistake("in \(index), \(name): \(value ?? "missing")") { $0.header(index, name, value) }
    }
  }

  /// 112 mistakes.
  static let mistakes: [Mistake] =
    body(
      0,
      [
        ("grant_type=password", "grant_type=code"), ("&password", "&pass"), ("%40", "@"), ("a+b", "a%20b"),
        ("%26c", "&c"),
        ("user=ann", "user=Ann"), ("&device", "&device=1&device"), ("grant_type=password&", ""),
      ])
    + url(
      1,
      [
        ("https:", "http:"), ("api.", "api2."), (".com", ".com:8443"), ("/films", "/films/"), ("/films", "//films"),
        ("/films", "/Films"), ("page=1", "page=0"), ("page=1&", ""), ("sort=title", "sort=title&sort=date"),
        ("%C3%A9", "e%CC%81"),
        ("%C3%A9", "é"), ("q=", "Q="), ("&q", "&debug&q"), ("page=1", "page=01"),
      ])
    + header(
      1,
      [
        ("Accept", "*/*"), ("Accept", "application/xml"), ("Accept-Language", nil), ("Accept-Language", "xx;q=1.0"),
        ("Accept-Language", "de-DE;q=1.0"), ("User-Agent", "xctest/4.3 (macOS 15.1.0)"),
        ("User-Agent", "Other/4.2 (macOS 15.1.0)"),
        ("User-Agent", nil), ("Authorization", "Bearer wrong"), ("Authorization", "secret-of-the-test"),
        ("Authorization", nil),
        ("X-Debug", "1"), ("X-Session", "0B7F3A52-9D6A-4C5E-8F00-1234567890AB"), ("X-Session", "none"),
        ("Cookie", "a=1"),
      ])
    + url(2, [("page=2", "page=1"), ("page=2", "page=3")])
    + header(2, [("If-None-Match", nil), ("If-None-Match", "v1")])
    + body(
      3,
      [
        ("\"count\":2", "\"count\":\"2\""), ("\"count\":2", "\"count\":2.5"), ("true", "1"), ("\"note\":null,", ""),
        ("null", "\"\""),
        ("\"sku\"", "\"SKU\""), ("A-1", "A-2"), (",\"total\":19.5", ""), ("19.5", "19.50001"), ("19.5", "1950"),
        ("Zürich", "Zu\u{308}rich"),
        ("Zürich", "Z\\u00fcrich!"), ("8001", "8002"), ("\"8001\"", "8001"),
        ("\"address\":{", "\"address\":{\"street\":\"\","),
        ("[{", "[[{"), ("\"items\":[", "\"items\":[],\"more\":["), ("\"gift\":false", "\"gift\":true"),
        (",{\"sku\":\"B-2\",\"count\":1,\"gift\":false}", ""), ("\"total\"", "\"total\":1,\"total\""),
      ].filter { !$0.1.hasPrefix("[[") })
    + [
      Mistake("the time in seconds") {
        $0.requests[3].body = Self.replacingTime(in: $0.requests[3].body) { "\"\($0)\"" }
      },
      Mistake("the time as a number") { $0.requests[3].body = Self.replacingTime(in: $0.requests[3].body) { "\($0)" } },
      Mistake("the time without a zone") { $0.body(3, "Z\",\"total", "\",\"total") },
      Mistake("the time of 1970") { client in
        client.requests[3].body = Self.replacingTime(in: client.requests[3].body) { _ in "\"1970-01-01T00:00:00Z\"" }
      },
      Mistake("the items in another order") { client in
        client.body(
          3, #"{"sku":"A-1","count":2,"gift":true},{"sku":"B-2","count":1,"gift":false}"#,
          #"{"sku":"B-2","count":1,"gift":false},{"sku":"A-1","count":2,"gift":true}"#)
      },
      Mistake("another key for the retry") { $0.header(4, "Idempotency-Key", "0b7f3a52-9d6a-4c5e-8f00-1234567890ab") },
      Mistake("no key for the retry") { $0.header(4, "Idempotency-Key", nil) },
      Mistake("a key that is the session") {
        for index in 3...5 { $0.header(index, "Idempotency-Key", $0.header(1, "X-Session")) }
      },
      Mistake("no retry") {
        $0.requests.remove(at: 5); $0.seconds.remove(at: 5)
      },
      Mistake("one retry more") {
        $0.requests.insert($0.requests[5], at: 5); $0.seconds.insert(3, at: 5)
      },
      Mistake("no pause before the retry") { $0.seconds[4] = 0 },
      Mistake("a pause that doesn't grow") { $0.seconds[5] = 2 },
      Mistake("a pause of half a second") { $0.seconds[4] = 0.5 },
      Mistake("PUT for POST") { for index in 3...5 { $0.requests[index].method = "PUT" } },
      Mistake("a lower-case method") { $0.requests[8].method = "patch" },
      Mistake("HEAD for GET") { $0.requests[1].method = "HEAD" },
      Mistake("no second page") {
        $0.requests.remove(at: 2); $0.seconds.remove(at: 2)
      },
      Mistake("the first page twice") {
        $0.requests.insert($0.requests[1], at: 1); $0.seconds.insert(0, at: 1)
      },
      Mistake("the pages in the same request") { $0.requests[2] = $0.requests[1] },
      Mistake("no timeout") { $0.requests[6].timeout = 60 },
      Mistake("a timeout of 50 seconds") { $0.requests[6].timeout = 50 },
      Mistake("the status of another order") { $0.url(6, $0.header(3, "Idempotency-Key"), $0.header(1, "X-Session")) },
      Mistake("a time in seconds in the query") { $0.requests[6].url = String($0.requests[6].url.dropLast(3)) },
      Mistake("no time in the query") { $0.requests[6].url = String($0.requests[6].url.prefix { $0 != "?" }) },
      Mistake("a cached session") { $0.url(13, "/sessions/", "/sessions/old-") },
      Mistake("no sign-out") {
        $0.requests.removeLast(); $0.seconds.removeLast()
      },
      Mistake("the same id for all events") {
        $0.requests[11].body = $0.requests[10].body; $0.requests[12].body = $0.requests[10].body
      },
      Mistake("an event too few") {
        $0.requests.remove(at: 11); $0.seconds.remove(at: 11)
      },
      Mistake("a compressed body") { $0.requests[8].body = Data([0x1F, 0x8B, 8, 0]) },
      Mistake("no body") { $0.requests[8].body = Data() },
      Mistake("a body twice") { $0.requests[8].body += $0.requests[8].body },
      Mistake("a body cut off") { $0.requests[8].body = $0.requests[8].body.dropLast(3) },
      Mistake("another device") {
        $0.body(8, "\"device\":\"", "\"device\":\"0b7f3a52-9d6a-4c5e-8f00-1234567890ab\",\"old\":\"")
      },
      Mistake("another device in the place of the first") {
        $0.requests[8].body = Data(#"{"name":"Ann","device":"0b7f3a52-9d6a-4c5e-8f00-1234567890ab"}"#.utf8)
      },
      Mistake("the coordinate as a string") { client in
        for index in 10...12 { client.body(index, "\"x\":", "\"x\":\""); client.body(index, "}", "\"}") }
      },
    ]
    + body(
      7,
      [
        ("At sea", "At Sea"), ("name=\"title\"", "name=\"Title\""), ("sea.png", "sea.jpg"), ("image/png", "image/jpeg"),
        ("PNG", "JPG"),
        ("PNG", "PNG "), ("\r\n\r\nAt", "\n\nAt"), ("640", "480"), ("; filename=\"sea.png\"", ""), ("--\r\n", ""),
        ("\"w\"", "\"width\""),
      ])
    + body(9, [("user ann", "user Ann"), ("begin\n", "begin\r\n"), ("\nend", ""), ("user ann\n", "")])
    + header(9, [("Content-Type", "text/plain; charset=utf-8"), ("Content-Type", "application/json")])
    + body(10, [("\"kind\":\"tap\"", "\"kind\":\"swipe\"")]) + header(13, [("X-Session", nil)])

  private static func replacingTime(in body: Data, _ text: (Int) -> String) -> Data {
    Data(body.text.replacing(/"20\d\d-[^"]*"/) { _ in text(Int(testMachine.now)) }.utf8)
  }

  private static let transcript: Result<String, any Error> = Result {
    try (1...2).reduce("") { text, run in
      var machine = testMachine
      machine.now += Double(run) * 60
      let requests = Client(UInt64(run), now: machine.now).transcribed(at: machine.now)
      let earlier = try TranscriptText(text)
      machine.seenOnce = Set(earlier.note.digests.keys)
      let comparison = TranscriptComparison(requests, with: earlier.requests, machine)
      return TranscriptDraft(
        requests, hiding: .none, after: earlier.note, text.isEmpty ? nil : comparison, on: machine
      ).fileText
    }
  }

  @Test("and has nothing against a right one", arguments: 3...20)
  func right(seed: Int) throws {
    var machine = testMachine
    machine.now += Double(seed) * 90_000
    let requests = Client(UInt64(seed), now: machine.now).transcribed(at: machine.now)
    #expect(try report(try Self.transcript.get(), requests, on: machine) == [])
  }

  @Test("such as", arguments: mistakes)
  func finds(mistake: Mistake) throws {
    var client = Client(99, now: testMachine.now)
    mistake.make(&client)
    #expect(try report(try Self.transcript.get(), client.transcribed(at: testMachine.now)) != [])
  }
}
