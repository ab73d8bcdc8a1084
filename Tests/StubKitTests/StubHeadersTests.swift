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
    #expect(Self.fields.map(\.name) == ["Content-Type", "set-cookie", "X-Empty", "Set-Cookie"])
    #expect(Self.fields.map(\.value) == ["text/plain", "a=1", "", "b=2, c"])
  }

  @Test("are equal if they have the same names, in the same case of letters, and values in the same order")
  func equality() {
    #expect(StubHeaders(Self.fields) == Self.fields)
    #expect(StubHeaders(Self.fields.reversed()) != Self.fields)
    #expect(Self.fields != ["content-type": "text/plain", "set-cookie": "a=1", "X-Empty": "", "Set-Cookie": "b=2, c"])
  }

  @Test("print as the literal that makes them")
  func description() {
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

  /// A recorded request with two header fields, whose response has `Vary` twice.
  private func recorded() async throws -> RecordedRequest {
    try await withStubs {
      let response = StubResponse.text("k", headers: ["x-trace": "k"]).addingHeader("Vary", "Accept")
        .addingHeader("vary", "Origin")
      let users = stub(.get, "https://a.example/users", response: response)
      _ = try await URLSession.shared.fetch(
        request("https://a.example/users", headers: ["X-Key": "k", "Accept": "a/b"]))
      return try #require(users.lastRequest)
    }
  }

  @Test("of a recorded request and of its response are a dictionary by the names as they were sent")
  func dictionaries() async throws {
    let request = try await recorded()
    #expect(request.headers["X-Key"] == "k")
    #expect(request.headers["x-key"] == nil)
    let response = try #require(request.response)
    #expect(response.headers["x-trace"] == "k")
    #expect(response.headers["X-Trace"] == nil)
    // Of a field that is there twice, the dictionary has the first.
    #expect(response.headers["Vary"] == "Accept")
    #expect(response.headers.keys.sorted() == ["Content-Length", "Content-Type", "Vary", "x-trace"])
  }

  @Test("of a recorded request and of its response are a list, which finds names in any case of letters")
  func lists() async throws {
    let request = try await recorded()
    #expect(request.headerFields["x-key"] == "k")
    #expect(request.headerFields["ACCEPT"] == "a/b")
    #expect(request.headerFields.map(\.name) == request.headers.keys.sorted())
    let response = try #require(request.response)
    #expect(response.headerFields["X-Trace"] == "k")
    #expect(response.headerFields.values(of: "VARY") == ["Accept", "Origin"])
    #expect(response.headerFields["Vary"] == "Accept, Origin")
  }

  @Test("of the request in a stub's closure are the same dictionary and list as those of a recorded request")
  func inClosures() async throws {
    try await withStubs { () async throws in
      stub(condition: .anything) { request in
        .text("\(request.sent.headerFields["x-KEY"] ?? "none") \(request.sent.headers["X-Key"] ?? "none")")
      }
      let sent = request("https://a.example/users", headers: ["X-Key": "k"])
      #expect(try await URLSession.shared.fetch(sent).text == "k k")
    }
  }
}
