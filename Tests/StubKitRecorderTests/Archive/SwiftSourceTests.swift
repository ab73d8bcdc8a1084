import Foundation
import TestSupport
import Testing

@testable import StubKit
@testable import StubKitArchive
@testable import StubKitRecorder

@Suite("An archive as Swift", .inTurn)
struct SwiftSourceTests {
  private func entry(
    _ method: String = "GET", _ address: String = "https://a.example/users", body: String? = nil,
    _ response: HTTPArchive.Response? = .init(), error: URLError.Code? = nil
  ) -> HTTPArchive.Entry {
    HTTPArchive.Entry(
      request: request(address, method: method, body: body), response: response, error: error.map { URLError($0) })
  }

  private func source(_ entries: HTTPArchive.Entry...) -> SwiftSource {
    SwiftSource(HTTPArchive(entries: entries), name: "box-office")
  }

  /// The text with long calls in one line.
  private func unbroken(_ text: String) -> String {
    text.replacing("\n      && ", with: " && ").replacing("\n      .addingHeader", with: ".addingHeader")
  }

  private static let long = String(repeating: "long ", count: 40)

  struct Case: Sendable {
    let response: HTTPArchive.Response?
    var error: URLError.Code?
    let text: String
  }

  @Test(
    "writes a response with the builder that its body asks for",
    arguments: [
      Case(response: .init(status: 204), text: ".empty()"),
      Case(response: .init(status: 200), text: ".empty(status: 200)"),
      Case(
        response: .init(headers: ["Content-Type": "application/json"], body: Data(#"{"id": 1, "tags": [null]}"#.utf8)),
        text: #".json(["id": 1, "tags": [nil]])"#),
      Case(
        response: .init(
          status: 201, headers: ["content-type": "application/problem+json", "ETag": "\"1\""], body: Data("[]".utf8)),
        text: #".json([], status: 201, headers: ["content-type": "application/problem+json", "ETag": "\"1\""])"#),
      Case(
        response: .init(headers: ["Content-Type": "application/json"], body: Data("7".utf8)),
        text: #".text("7", headers: ["Content-Type": "application/json"])"#),
      Case(
        response: .init(
          headers: ["Content-Type": "text/plain; charset=utf-8", "Date": "today", "Server": "x"],
          body: Data("a\nb".utf8)),
        text: #".text("a\nb")"#),
      Case(
        response: .init(headers: ["Content-Type": "text/html", "Via": "x"], body: Data(long.utf8)),
        text: #".file(fixtureFile("box-office-1.html"), headers: ["Content-Type": "text/html"])"#),
      Case(
        response: .init(headers: ["Content-Type": "image/png"], body: Data([0x89, 0, 1])),
        text: #".file(fixtureFile("box-office-1.png"))"#),
      Case(response: .init(body: Data([0x89, 0, 1])), text: #".file(fixtureFile("box-office-1"))"#),
      Case(
        response: .init(status: 302, headers: ["Location": "/b", "Set-Cookie": "a=1", "Set-Cookie": "b=2"]),
        text:
          #".empty(status: 302, headers: ["Location": "/b"]).addingHeader("Set-Cookie", "a=1").addingHeader("Set-Cookie", "b=2")"#
      ),
      Case(response: nil, error: .timedOut, text: ".failure(.timedOut)"),
      Case(response: nil, error: .dataNotAllowed, text: ".failure(NSError(domain: NSURLErrorDomain, code: -1020))"),
      Case(
        response: .init(headers: ["Content-Type": "text/plain; charset=utf-8"], body: Data("abc".utf8)),
        error: .networkConnectionLost,
        text: #".text("abc").failing(afterBytes: 3, with: .networkConnectionLost)"#),
    ])
  func responses(test: Case) {
    let written = source(entry("GET", "https://a.example/users", test.response, error: test.error))
    #expect(unbroken(written.text).contains("response: \(test.text))\n"))
    #expect(written.fixtures.isEmpty == !test.text.contains("fixtureFile"))
    if let fixture = written.fixtures.first { #expect(fixture.data == test.response?.body) }
  }

  @Test(
    "asks for the method and the URL, and for no more than tells requests apart",
    arguments: [
      (["GET https://a.example/users"], #"isMethodGET() && isURL("https://a.example/users")"#),
      (["PURGE https://a.example/users"], #"isMethod("PURGE") && isURL("https://a.example/users")"#),
      (["GET https://ann:pw@a.example/users#top"], #"isMethodGET() && isURL("https://a.example/users")"#),
      (["GET https://a.example/users?b=2&a=%20"], #"isMethodGET() && isURL("https://a.example/users?b=2&a=%20")"#),
      (
        ["GET https://a.example/users?page=2&token=REDACTED"],
        #"isMethodGET() && isURL("https://a.example/users") && containsQuery(["page": "2"]) && containsQuery("token")"#
      ),
      (
        ["GET https://a.example/users", "GET https://a.example/users?page=2"],
        #"isMethodGET() && isURL("https://a.example/users?")"#
      ),
      (["POST https://a.example/users {\"a\":1}"], #"isMethodPOST() && isURL("https://a.example/users")"#),
      (
        [#"POST https://a.example/users {"a":1}"#, #"POST https://a.example/users {"a":2}"#],
        #"isMethodPOST() && isURL("https://a.example/users") && hasJSONBody(["a": 1])"#
      ),
      (
        ["POST https://a.example/users a=1", "POST https://a.example/users a=2"],
        #"isMethodPOST() && isURL("https://a.example/users") && hasBody(Data("a=1".utf8))"#
      ),
    ])
  func conditions(requests: [String], condition: String) {
    let entries = requests.map { line -> HTTPArchive.Entry in
      let words = line.split(separator: " ", maxSplits: 2).map(String.init)
      return entry(words[0], words[1], body: words.count > 2 ? words[2] : nil)
    }
    let text = SwiftSource(HTTPArchive(entries: entries), name: "a").text
    #expect(unbroken(text).contains("condition: \(condition),\n"))
  }

  @Test("puts entries of one request into a sequence, and leaves out those without a response, saying so")
  func sequences() {
    var lost = entry("GET", "https://a.example/film")
    lost.obstacle = "has no content"
    let written = source(
      entry("GET", "https://a.example/job", .init(status: 202)), lost,
      entry("GET", "https://a.example/job", .init(status: 200)))
    #expect(written.text.contains("    responses: [\n      .empty(status: 202),\n      .empty(status: 200),\n    ])"))
    #expect(!written.text.contains("film"))
    #expect(written.omissions == ["Entry 2 has no content."])
  }

  @Test("has a test that asks for what a plain GET gets, else one that counts the stubs")
  func tests() {
    let asked = source(
      entry("GET", "https://a.example/a", .init(status: 404)), entry("GET", "https://a.example/b", .init(status: 302)))
    // The formatter takes no comma after a single element.
    #expect(asked.text.contains("(\"https://a.example/a\", 404)\n    ])"))
    #expect(!asked.text.contains(#"("https://a.example/b", 302)"#))
    #expect(source(entry("POST")).text.contains("StubRegistry.current.stubs.count == 1"))
  }

  @Test(
    "is named for the archive",
    arguments: [
      ("users", "UsersTests.swift"), ("box-office_2", "BoxOffice2Tests.swift"), ("2024", "Archive2024Tests.swift"),
      ("é", "ArchiveTests.swift"),
    ])
  func names(name: String, file: String) {
    #expect(SwiftSource(HTTPArchive(), name: name).fileName == file)
  }

  @Test("breaks lines between parts, and never within a text")
  func breaks() {
    let text = String(repeating: "a && b.addingHeader(c) ", count: 3)
    let other = entry("POST", "https://a.example/users", body: "x")
    let written = source(
      entry("POST", "https://a.example/users", body: text, .init(headers: ["Set-Cookie": text, "X": text])), other)
    #expect(written.text.contains("\n      && hasBody(Data(\(text.debugDescription).utf8))"))
    #expect(written.text.contains("\n    .addingHeader(\"Set-Cookie\", \(text.debugDescription))"))
    #expect(written.text.contains("\"X\": \(text.debugDescription)"))
  }

  /// Texts that end a literal, a comment or an interpolation if they aren't escaped.
  static let nasty: [String] = {
    let pieces = [
      "\"", "\\", "\\(", ")", "\n", "\r", "\r\n", "\t", "\0", "0", "\u{7F}", "\u{85}", "\u{2028}", "\u{2029}",
      "\u{FEFF}", "\u{200D}", "\u{301}",
      "é", "字", "👩‍👩‍👧", "\u{202E}", "*/", "/*", "//", "#\"", "\"\"\"", "\\u{41}", "$0", "`", "'", " && ", ".addingHeader(",
      "\u{1}", "\u{10FFFF}",
    ]
    var random = SplitMix64(seed: 26)
    return (0..<500).map { _ in (0...random.below(6)).map { _ in random.pick(pieces) }.joined() }
  }()

  /// Text that is too long for a line, in words and escapes.
  private static func long(_ random: inout SplitMix64) -> String {
    let pieces = Array(nasty.prefix(20)) + ["-", "_", "word ", "&a=", "12345"]
    return (0...random.below(random.chance(percent: 30) ? 120 : 12)).map { _ in random.pick(pieces) }.joined()
  }

  private static func json(_ random: inout SplitMix64, _ depth: Int) -> JSONValue {
    switch random.below(depth == 0 ? 3 : 6) {
    case 0: JSONValue(random.below(1_000_000))
    case 1, 2: .string(long(&random))
    case 3: .array((0..<random.below(5)).map { _ in json(&random, depth - 1) })
    default:
      .object(
        Dictionary((0..<random.below(5)).map { _ in (random.pick(nasty), json(&random, depth - 1)) }) { first, _ in
          first
        })
    }
  }

  @Test("has no line over 120 columns, and all that it breaks", arguments: 1...60 as ClosedRange<UInt64>)
  func lines(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var literals: [String] = []
    let entries = (1...8).map { _ -> HTTPArchive.Entry in
      let query = Self.long(&random).addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
      let header = Self.long(&random)
      let body = Self.json(&random, 3)
      let address = "https://a.example/users?q=\(query)"
      literals += [header, address].map(\.debugDescription)
      if case .object = body { literals.append(body.swiftLiteral) }
      return entry(
        random.pick(["GET", "POST"]), address, body: "\(body)",
        .init(status: 201, headers: ["X-A": header, "Set-Cookie": header], body: Data(random.pick(["", "{}"]).utf8)),
        error: random.chance(percent: 20) ? .timedOut : nil)
    }
    // A second body makes the first one count.
    let others = entries.map { first -> HTTPArchive.Entry in
      var other = first
      other.request.httpBody = Data("[]".utf8)
      return other
    }
    let text = SwiftSource(HTTPArchive(entries: entries + others), name: "long").text
    for line in text.split(separator: "\n") { #expect(line.unicodeScalars.count <= 120, "\(line)") }
    let joined = Data(Self.joined(text).utf8)
    for literal in literals { #expect(joined.range(of: Data(Self.joined(literal).utf8)) != nil, "\(literal)") }
  }

  /// The text without spaces, line breaks and the last commas of collections, and each literal on one line.
  private static func joined(_ text: String) -> String {
    var (joined, block) = ("", [String]?.none)
    for line in text.components(separatedBy: "\n") {
      if let lines = block, line.trimmingCharacters(in: .whitespaces).hasPrefix("\"\"\"") {
        // All but the last end with a backslash.
        joined += lines.dropLast().map { $0.dropLast() }.joined() + (lines.last ?? "")
        joined += line.replacing("\"\"\"", with: "\"")
        block = nil
      } else if block != nil {
        block?.append(line)
      } else if line.hasSuffix("\"\"\"") {
        joined += line.dropLast(2)
        block = []
      } else {
        joined += line
      }
    }
    // A space and a mark that combines with it are one character.
    return String(String.UnicodeScalarView(joined.unicodeScalars.filter { $0 != " " })).replacing(",]", with: "]")
  }

  @Test("writes any text as a literal that has the text, and in comments on one line")
  func literals() throws {
    let plain = source(entry("POST", "https://a.example/", body: "a"), entry("POST", "https://a.example/", body: "b"))
    let lineCount = plain.text.split(separator: "\n").count
    for text in Self.nasty {
      let response = HTTPArchive.Response(headers: ["Content-Type": "text/plain; charset=utf-8"], body: Data(text.utf8))
      let written = SwiftSource(
        HTTPArchive(entries: [
          entry("POST", "https://a.example/", body: text, response), entry("POST", "https://a.example/", body: "b"),
        ]), name: text.replacing("/", with: ":"))
      let literal = text.debugDescription
      #expect(literal.valueOfLiteral.map { Array($0.unicodeScalars) } == Array(text.unicodeScalars), "\(literal)")
      #expect(written.text.contains(".text(\(literal))") || written.text.contains("fixtureFile("))
      let lines = written.text.split(separator: "\n")
      #expect(lines.count <= lineCount + 7, "\(written.text)")
      #expect(lines[0].utf8.starts(with: "// Made from ".utf8) && lines[1] == "import Foundation")
      #expect(!written.text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" }, "\(literal)")
    }
    // STUBKIT_WRITE_SWIFT names a file for the compiler: swiftc -parse.
    guard let path = ProcessInfo.processInfo.environment["STUBKIT_WRITE_SWIFT"] else { return }
    let entries = Self.nasty.map { text in
      entry(
        "POST", "https://a.example/?q=\(text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")",
        body: text,
        .init(headers: ["X-Text": text, "Set-Cookie": text], body: Data(text.utf8)))
    }
    let written = SwiftSource(HTTPArchive(entries: entries), name: Self.nasty[7].replacing("/", with: ":"))
    try Data(written.text.utf8).write(to: URL(fileURLWithPath: path))
  }
}

extension String {
  /// The value of a string literal on one line, or `nil` if it is none.
  fileprivate var valueOfLiteral: String? {
    var rest = Array(unicodeScalars)[...]
    guard rest.popFirst() == "\"", rest.popLast() == "\"" else { return nil }
    var value = String.UnicodeScalarView()
    while let scalar = rest.popFirst() {
      guard scalar != "\"", scalar != "\n", scalar != "\r", scalar != "\0" else { return nil }
      guard scalar == "\\" else {
        value.append(scalar)
        continue
      }
      switch rest.popFirst() {
      case "n": value.append("\n")
      case "r": value.append("\r")
      case "t": value.append("\t")
      case "0": value.append("\0")
      case let escaped? where "\"\\'".unicodeScalars.contains(escaped): value.append(escaped)
      case "u":
        guard rest.popFirst() == "{", let end = rest.firstIndex(of: "}") else { return nil }
        let digits = String(String.UnicodeScalarView(rest[..<end]))
        guard let scalar = UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init) else { return nil }
        value.append(scalar)
        rest = rest[(end + 1)...]
      default: return nil
      }
    }
    return String(value)
  }
}
