import Foundation
import TestSupport
import Testing

@testable import StubKit
@testable import StubKitArchive
@testable import StubKitRecorder

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

  static let entries: [(String, HTTPArchive.Entry)] = [
    ("a plain response", entry()),
    (
      "no response",
      entry {
        $0.response = nil; $0.timeToResponse = nil
      }
    ),
    (
      "an error",
      entry {
        $0.response = nil; $0.timeToResponse = nil; $0.error = URLError(.timedOut)
      }
    ),
    ("a body that broke off", entry { $0.error = URLError(.networkConnectionLost) }),
    (
      "a request with headers and text",
      entry {
        $0.request.httpMethod = "POST"
        $0.request.allHTTPHeaderFields = ["Cookie": "a=1; b=2", "Accept": "*/*", "Content-Type": "text/plain"]
        $0.request.httpBody = Data("\u{FEFF}quote \" backslash \\ line\r\n\u{1} 🚀 \u{2028}".utf8)
      }
    ),
    (
      "a form",
      entry {
        $0.request.httpMethod = "POST"
        $0.request.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
        $0.request.httpBody = Data("a=1+2&b=%26&c".utf8)
      }
    ),
    (
      "a binary request",
      entry {
        $0.request.httpMethod = "PUT"; $0.request.httpBody = Data([0, 0xFF, 0xC0, 0x80])
      }
    ),
    (
      "an empty request body",
      entry {
        $0.request.httpMethod = "POST"; $0.request.httpBody = Data()
      }
    ),
    ("text with every control character", entry { $0.response?.body = Data((1...0x7F).map { UInt8($0) }) }),
    ("a NUL", entry { $0.response?.body = Data("a\0b".utf8) }),
    ("bytes that are no UTF-8", entry { $0.response?.body = Data((0...255).map { UInt8($0) }) }),
    ("a surrogate in UTF-8", entry { $0.response?.body = Data([0xED, 0xA0, 0x80]) }),
    ("an empty body", entry { $0.response?.body = Data() }),
    ("a lost body", entry { $0.response?.content = ArchivedBody(missing: 1_000_001) }),
    ("a lost request body", entry { $0.missingBodyLength = 1_000_002 }),
    (
      "repeated headers, in order",
      entry {
        $0.response?.headers = [
          "Set-Cookie": "a=1; Path=/", "X": "1", "set-cookie": "b=2", "X": "", "Content-Encoding": "gzip",
        ]
      }
    ),
    ("a redirect", entry { $0.response = .init(status: 302, headers: ["Location": "/new"]) }),
    (
      "no time",
      entry {
        $0.duration = .zero; $0.timeToResponse = .zero
      }
    ),
    ("an unknown time to the response", entry { $0.timeToResponse = nil }),
    ("a time to the response beyond the end", entry { $0.timeToResponse = .seconds(2) }),
    ("a long time", entry { $0.duration = .microseconds(86_400_000_001) }),
    (
      "pieces",
      entry { $0.pieces = [.init(end: 1, time: .microseconds(2_001)), .init(end: 2, time: .milliseconds(12))] }
    ),
    ("an obstacle", entry { $0.obstacle = "is a WebSocket" }),
    ("a stub", entry { $0.stubName = "stub \"users\" (A.swift:1)" }),
    ("a date before 1970", entry { $0.startedAt = Date(timeIntervalSince1970: -1.5) }),
  ]

  @Test("is what it was")
  func same() throws {
    for (name, entry) in Self.entries {
      let archive = HTTPArchive(entries: [entry])
      let read = try HTTPArchive(archive.data)
      #expect(read == archive, "\(name)")
      #expect(read.data == archive.data, "\(name)")
      #expect(
        read.entries.first?.error?.code == entry.error?.code && read.entries.first?.obstacle == entry.obstacle,
        "\(name)")
    }
  }

  @Test("keeps all entries, in their order")
  func all() throws {
    let archive = HTTPArchive(entries: Self.entries.map(\.1))
    #expect(try HTTPArchive(archive.data) == archive)
    #expect(try HTTPArchive(HTTPArchive().data) == HTTPArchive())
  }

  @Test("has the members of objects in alphabetical order, and text as text")
  func layout() throws {
    var post = Self.entry {
      $0.request.httpMethod = "POST"; $0.request.httpBody = Data(#"{"a":1}"#.utf8)
    }
    post.request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    #expect(
      String(decoding: HTTPArchive(entries: [post]).data, as: UTF8.self) == #"""
        {
          "log" : {
            "creator" : {
              "name" : "StubKit",
              "version" : "1.0"
            },
            "entries" : [
              {
                "cache" : {

                },
                "request" : {
                  "bodySize" : 7,
                  "cookies" : [

                  ],
                  "headers" : [
                    {
                      "name" : "Content-Type",
                      "value" : "application/json"
                    }
                  ],
                  "headersSize" : -1,
                  "httpVersion" : "HTTP/1.1",
                  "method" : "POST",
                  "postData" : {
                    "mimeType" : "application/json",
                    "text" : "{\"a\":1}"
                  },
                  "queryString" : [
                    {
                      "name" : "q",
                      "value" : "café"
                    },
                    {
                      "name" : "flag",
                      "value" : ""
                    }
                  ],
                  "url" : "https://api.example.com/users?q=caf%C3%A9&flag"
                },
                "response" : {
                  "bodySize" : 2,
                  "content" : {
                    "mimeType" : "text/plain",
                    "size" : 2,
                    "text" : "hi"
                  },
                  "cookies" : [

                  ],
                  "headers" : [
                    {
                      "name" : "Content-Type",
                      "value" : "text/plain"
                    }
                  ],
                  "headersSize" : -1,
                  "httpVersion" : "HTTP/1.1",
                  "redirectURL" : "",
                  "status" : 200,
                  "statusText" : "\#(HTTPURLResponse.localizedString(forStatusCode: 200))"
                },
                "startedDateTime" : "2026-03-01T12:30:00.123Z",
                "time" : 12.345,
                "timings" : {
                  "receive" : 10.344,
                  "send" : 0,
                  "wait" : 2.001
                }
              }
            ],
            "version" : "1.2"
          }
        }

        """#)
  }

  @Test("compares what an archive holds")
  func comparison() {
    let entry = Self.entry()
    var other = entry
    other.request.timeoutInterval = 3
    #expect(entry == other)
    let changes: [(inout HTTPArchive.Entry) -> Void] = [
      { $0.request.httpMethod = "PUT" }, { $0.request.url = URL(string: "https://a.example") },
      { $0.request.setValue("1", forHTTPHeaderField: "X") }, { $0.request.httpBody = Data() },
      { $0.response?.status = 201 }, { $0.response?.body = Data("ho".utf8) }, { $0.response?.headers["X"] = "1" },
      { $0.response = nil }, { $0.error = URLError(.timedOut) }, { $0.startedAt += 1 }, { $0.duration = .zero },
      { $0.timeToResponse = nil }, { $0.pieces = [.init(end: 2, time: .zero)] }, { $0.obstacle = "is none" },
      { $0.stubName = "a" }, { $0.missingBodyLength = 1 }, { $0.response?.content = ArchivedBody(missing: 2) },
    ]
    for change in changes {
      var other = entry
      change(&other)
      #expect(entry != other)
    }
  }
}
