import Foundation
import StubKitRecorder
import TestSupport
import Testing

@Suite("An HTTP Archive, written and read again", .inTurn)
struct HTTPArchiveRoundTripTests {
  private static let url = URL(string: "https://api.example.com/users?q=caf%C3%A9&flag")!
  private static let began = Date(timeIntervalSince1970: 1_772_368_200.123)

  private static func entry(_ change: (inout HTTPArchive.Entry) -> Void = { _ in }) -> HTTPArchive.Entry {
    var entry = HTTPArchive.Entry(
      request: URLRequest(url: url), response: .init(headers: ["Content-Type": "text/plain"], body: Data("hi".utf8)),
      startedAt: began, duration: .microseconds(12_345), timeToResponse: .microseconds(2_001))
    change(&entry)
    return entry
  }

  private static func post(_ type: String?, _ body: Data, _ headers: [String: String] = [:]) -> HTTPArchive.Entry {
    entry {
      $0.request = request(url, method: "POST", headers: headers, body: body)
      if let type { $0.request.setValue(type, forHTTPHeaderField: "Content-Type") }
    }
  }

  private static func answered(_ body: Data) -> HTTPArchive.Entry { entry { $0.response?.body = body } }

  private static let text = "\u{FEFF}quote \" backslash \\ line\r\n\u{1} 🚀 \u{2028}"
  private static let form = post(
    "application/x-www-form-urlencoded", Data("a=1+2&b=%26&c".utf8), ["Cookie": "a=1; b=2"])

  static let entries: [(String, HTTPArchive.Entry)] = [
    ("a plain response", entry()), ("no response", entry { ($0.response, $0.timeToResponse) = (nil, nil) }),
    ("an error", entry { ($0.response, $0.timeToResponse, $0.error) = (nil, nil, URLError(.timedOut)) }),
    ("a body that broke off", entry { $0.error = URLError(.networkConnectionLost) }),
    ("headers and text", post("text/plain", Data(text.utf8), ["Cookie": "a=1; b=2", "Accept": "*/*"])),
    ("a form", form), ("a binary request", post(nil, Data([0, 0xFF, 0xC0, 0x80]))),
    ("an empty request body", post(nil, Data())),
    ("text with every control character", answered(Data((1...0x7F).map { UInt8($0) }))),
    ("a NUL", answered(Data("a\0b".utf8))), ("no UTF-8", answered(Data((0...255).map { UInt8($0) }))),
    ("a surrogate in UTF-8", answered(Data([0xED, 0xA0, 0x80]))), ("an empty body", answered(Data())),
    ("a lost body", entry { $0.response?.content = ArchivedBody(missing: 1_000_001) }),
    ("a lost request body", entry { $0.missingBodyLength = 1_000_002 }),
    ("repeated headers, in order", entry { $0.response?.headers = repeated }),
    ("a redirect", entry { $0.response = .init(status: 302, headers: ["Location": "/new"]) }),
    ("no time", entry { ($0.duration, $0.timeToResponse) = (.zero, .zero) }),
    ("an unknown time to the response", entry { $0.timeToResponse = nil }),
    ("a time to the response beyond the end", entry { $0.timeToResponse = .seconds(2) }),
    ("a long time", entry { $0.duration = .microseconds(86_400_000_001) }),
    (
      "pieces",
      entry { $0.pieces = [.init(end: 1, time: .microseconds(2_001)), .init(end: 2, time: .milliseconds(12))] }
    ),
    ("an obstacle", entry { $0.statedObstacle = "is a WebSocket" }),
    ("a stub", entry { $0.stubName = "stub \"users\" (A.swift:1)" }),
    ("a date before 1970", entry { $0.startedAt = Date(timeIntervalSince1970: -1.5) }),
  ]

  private static let repeated: StubHeaders = [
    "Set-Cookie": "a=1; Path=/", "X": "1", "set-cookie": "👩👩=2", "X": "", "Content-Encoding": "gzip",
  ]

  @Test("is what it was, one entry or all of them in their order")
  func same() throws {
    for (name, entry) in Self.entries {
      let archive = HTTPArchive(entry)
      let read = try HTTPArchive(archive.data)
      #expect(read == archive, "\(name)")
      #expect(read.data == archive.data, "\(name)")
      #expect(
        read.entries.first?.error?.code == entry.error?.code && read.entries.first?.obstacle == entry.obstacle,
        "\(name)")
    }
    let archive = HTTPArchive(entries: Self.entries.map(\.1))
    #expect(try HTTPArchive(archive.data) == archive)
    #expect(try HTTPArchive(HTTPArchive().data) == HTTPArchive())
  }

  @Test("has the members of objects in alphabetical order, and text as text")
  func layout() throws {
    var form = Self.form
    form.response?.headers.append("Set-Cookie", "a=1; Path=/; HttpOnly")
    let file = try #require(Bundle.module.url(forResource: "Fixtures/written", withExtension: "har"))
    // The system has its own words for a status.
    let phrase = HTTPURLResponse.localizedString(forStatusCode: 200)
    let expected = try String(contentsOf: file, encoding: .utf8).replacing("PHRASE", with: phrase)
    #expect(HTTPArchive(form).data.text == expected)
  }

  @Test("is equal to one of the same contents, whatever timeouts its requests have")
  func comparison() {
    for (position, (name, entry)) in Self.entries.enumerated() {
      var other = entry
      other.request.timeoutInterval = 3
      #expect(entry == other, "\(name)")
      for (next, other) in Self.entries[(position + 1)...] { #expect(entry != other, "\(name), \(next)") }
    }
  }
}
