import Foundation
import StubKit
import TestSupport

@testable import StubKitTranscripts

/// A day on which tests run, on a machine of its own.
let testMachine: Machine = {
  var machine = Machine()
  (machine.now, machine.languages) = (1_796_112_000, ["de-DE", "en"])
  (machine.process, machine.systems) = ("xctest", ["macOS 15.1.0", "Version 15.1", "15.1.0"])
  return machine
}()

/// A request to `https://a.example` as it is sent.
func made(
  _ method: String, _ path: String, _ headers: [(String, String)] = [], _ body: String = "", timeout: TimeInterval = 60,
  isRedirected: Bool = false, at seconds: TimeInterval = testMachine.now
) -> TranscribedRequest {
  var request = TranscribedRequest(
    SentParts(
      method: method, url: "https://a.example\(path)", headers: headers.map { (name: $0.0, value: $0.1) },
      body: Data(body.utf8), timeout: timeout, isRedirected: isRedirected))
  request.madeAt.value = seconds
  return request
}

let asText = [("Content-Type", "text/plain")]
let asJSON = [("Content-Type", "application/json")]
let asForm = [("Content-Type", TranscribedRequest.form)]

/// Returns the report of a comparison, or nothing if the requests are as expected.
func report(
  _ transcript: String, _ requests: [TranscribedRequest], _ order: RequestOrder = .perURL,
  on machine: Machine = testMachine
) throws -> [String] {
  let comparison = TranscriptComparison(
    requests, with: try TranscriptReader(transcript).requests, order: order, machine)
  return comparison.isEqual ? [] : comparison.report("x")
}

/// Random numbers that are the same in each run.
struct Dice: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }
  mutating func one<Element>(of all: [Element]) -> Element { all[below(all.count)] }
}

// MARK: Random requests

extension Dice {
  private static let shards = [
    "a", "b", "name", "1", "0", "-", "{", "{{", "}}", "{{x}}", "\\", "\\{{", "###", "#", "//", "&", "=", "?", ":", "; ",
    " ", "  ", "\t", "\n", "\r", "\r\n", "\u{85}", "\u{2028}", "\u{FEFF}", "\u{301}", "\u{200D}", "é", "e\u{301}", "␍",
    "(", ")", "[", "]", "<", "(3 bytes)", "\"", "'", ",", "--", "--B", "--B--", "👩‍👩‍👧", "\u{F8FE}", "{\"a\":1}", "[1]",
    "GET https://a.example/", "{{_}}", "{{\\}}", "{{\\r}}", "x: y", "550E8400-E29B-41D4-A716-446655440000", "×2",
    "2026-12-01T07:38:31Z", "# timeout 5", "# at 3", "+", "%20", "/", "\u{7F}", "\u{1}", "\u{0}", "|",
    "kJ8sQ2vX9zL4mN7pR1tY", "# Written once at ",
  ]

  /// A text of characters that mean something in a transcript.
  mutating func junk(_ most: Int = 6) -> String {
    var text = ""
    for _ in 0..<below(most + 1) { text += one(of: Self.shards) }
    return text
  }

  mutating func json(_ depth: Int = 0) -> String {
    switch below(depth > 3 ? 4 : 7) {
    case 0, 3: return junk().quotedAsJSON
    case 1:
      return one(of: ["0", "-0", "1.0", "1e2", "100", "12345678901234567890123", "1e-9", "0.1", "1E400", "-1.50e-3"])
    case 2: return one(of: ["true", "false", "null"])
    case 4:
      let elements = (0..<below(4)).map { _ in json(depth + 1) }
      return "[\(elements.joined(separator: ","))]"
    default:
      let members = (0..<below(4)).map { _ in
        "\(one(of: ["a", "a", "b", junk(2)]).quotedAsJSON):\(json(depth + 1))"
      }
      return "{\(members.joined(separator: ", "))}"
    }
  }

  private mutating func multipart() -> String {
    let end = below(20) == 0 ? "\n" : "\r\n"
    var body = ""
    for _ in 0..<below(4) {
      body += "--B\(end)"
      for _ in 0..<below(3) {
        let name = one(of: ["Content-Disposition", "Content-Type", "X-\(junk(1))"])
        let value = one(of: ["form-data; name=\"a\"", "application/json", TranscribedRequest.form, junk(2)])
        body += "\(name): \(value)\(end)"
      }
      body += "\(end)\(below(3) == 0 ? json(2) : junk())\(end)"
    }
    return body + "--B--\(one(of: ["", "\r\n", "x"]))"
  }

  mutating func request() -> TranscribedRequest {
    let method = one(of: ["GET", "POST", "PUT", "DELETE", "#X", "//", "PROP{{", "POST"])
    var url = "https://a.example"
    for _ in 0..<below(4) { url += "/" + junk(2) }
    if below(2) == 0 {
      let items = (0..<below(4)).map { _ in junk(2) + one(of: ["=", ""]) + junk(2) }
      url += "?" + items.joined(separator: "&")
    }
    let types = [
      nil, "application/json", TranscribedRequest.form, "text/plain", "multipart/form-data; boundary=B",
      "\(TranscribedRequest.form); charset=utf-8", junk(2),
    ]
    var headers = (0..<below(4)).map { _ in
      (name: one(of: ["Accept", "X-A", "x-a", "#a", "//", "X-{{", junk(2)]), value: junk())
    }
    if let type = one(of: types) { headers.append((name: "Content-Type", value: type)) }
    var body: Data
    switch below(7) {
    case 0: body = Data(json().utf8)
    case 1:
      let fields = (0..<below(5)).map { _ in "\(junk(2).filter { !$0.isWhitespace })=\(junk(2))" }
      body = Data(fields.joined(separator: "&").utf8)
    case 2: body = Data(multipart().utf8)
    case 3: body = Data()
    default: body = Data(junk(12).utf8)
    }
    if below(15) == 0 { body.append(0xFF) }
    return TranscribedRequest(
      SentParts(
        method: method, url: url, headers: headers, body: body, timeout: one(of: [60, 5, 2.5, 60]),
        isRedirected: below(10) == 0))
  }
}
