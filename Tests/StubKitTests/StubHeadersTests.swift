import Foundation
import StubKit
import TestSupport
import Testing

@Suite("Header fields")
struct StubHeadersTests {
  private static let fields: StubHeaders = [
    "Content-Type": "text/plain", "set-cookie": "a=1", "X-Empty": "", "Set-Cookie": "b=2, c",
  ]

  @Test(
    "are found without case, and repeated ones are joined",
    arguments: [
      ("Content-Type", "text/plain", ["text/plain"]), ("content-type", "text/plain", ["text/plain"]),
      ("SET-COOKIE", "a=1, b=2, c", ["a=1", "b=2, c"]), ("x-empty", "", [""]), ("Accept", nil, []),
      // Only the letters of ASCII have a case.
      ("Content\u{2D}Type", "text/plain", ["text/plain"]), ("Content_Type", nil, []),
    ] as [(String, String?, [String])])
  func found(name: String, value: String?, values: [String]) {
    #expect(Self.fields[name] == value)
    #expect(Self.fields.values(of: name) == values)
  }

  @Test("are a list in the order in which they were written, with their names as they are")
  func list() {
    #expect(Self.fields.map(\.0) == ["Content-Type", "set-cookie", "X-Empty", "Set-Cookie"])
    #expect(Self.fields.count == 4 && Self.fields[3] == ("Set-Cookie", "b=2, c"))
    #expect(StubHeaders(Self.fields) == Self.fields)
    #expect(StubHeaders(Self.fields.reversed()) != Self.fields)
    #expect(Self.fields != ["content-type": "text/plain", "set-cookie": "a=1", "X-Empty": "", "Set-Cookie": "b=2, c"])
    #expect(
      "\(Self.fields)"
        == #"["Content-Type": "text/plain", "set-cookie": "a=1", "X-Empty": "", "Set-Cookie": "b=2, c"]"#)
    #expect("\([:] as StubHeaders)" == "[:]")
  }

  @Test("are replaced by one in the place of the first, added, and removed")
  func changes() {
    var fields = Self.fields
    fields["Set-cookie"] = " d=3\t"
    #expect(fields == ["Content-Type": "text/plain", "Set-cookie": "d=3", "X-Empty": ""])
    fields.append("content-type", "x/y")
    #expect(fields["Content-Type"] == "text/plain, x/y")
    fields["CONTENT-TYPE"] = nil
    fields["Accept"] = "a/b"
    #expect(fields == ["Set-cookie": "d=3", "X-Empty": "", "Accept": "a/b"])
  }

  @Test("of a request and of its response read alike: a dictionary of the first values, and the list of all")
  func alike() async throws {
    try await withStubs {
      let users = stub(.get, "https://a.example/users") { request in
        // A closure reads as the journal does.
        .text(request.sent.headerFields["x-KEY"] ?? "none", headers: ["x-trace": request.sent.headers["X-Key"] ?? ""])
          .addingHeader("Vary", "Accept").addingHeader("vary", "Origin")
      }
      let sent = request("https://a.example/users", headers: ["X-Key": "k", "Accept": "a/b"])
      #expect(try await URLSession.shared.fetch(sent).text == "k")
      let last = try #require(users.lastRequest)
      #expect(last.headers["X-Key"] == "k" && last.headers["Accept"] == "a/b")
      #expect(last.headers["x-key"] == nil && last.header("x-key") == "k")
      #expect(last.headerFields["x-key"] == "k" && last.headerFields["ACCEPT"] == "a/b")
      #expect(last.headerFields.map(\.0) == last.headers.keys.sorted())
      let response = try #require(last.response)
      #expect(response.headers["Vary"] == "Accept" && response.headers["vary"] == nil)
      #expect(response.headers["X-Trace"] == nil && response.headers["x-trace"] == "k")
      #expect(response.headerFields["X-Trace"] == "k" && response.headerFields["Vary"] == "Accept, Origin")
      #expect(response.headerFields.values(of: "VARY") == ["Accept", "Origin"])
      #expect(response.headers.keys.sorted() == ["Content-Length", "Content-Type", "Vary", "x-trace"])
    }
  }
}
