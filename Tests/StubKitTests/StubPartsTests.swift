import Foundation
import StubKit
import TestSupport
import Testing

@Suite("The parts of a request, for closures", .inTurn)
struct StubPartsTests {
  @Test("have the query's items, decoded and in order")
  func queryItems() {
    for (query, expected) in [
      ("?b=1&a=2&b=3", [("b", "1"), ("a", "2"), ("b", "3")]),
      ("?flag&empty=&&x==", [("flag", nil), ("empty", ""), ("x", "=")]),
      ("?a%20b=%C3%A9+%2B", [("a b", "é++")]), ("?bad=%FF%2", [("bad", "%FF%2")]), ("?", []), ("", []), ("#?a=1", []),
    ] as [(String, [(String, String?)])] {
      let items = request("http://a.com/\(query)").stubQueryItems
      #expect(items == expected.map { URLQueryItem(name: $0.0, value: $0.1) }, "\(query)")
    }
    // The first of a name is its value.
    #expect(request("http://a.com/?a=1&b&a=2&%61=3").stubQuery == ["a": "1", "b": ""])
    var request = request("http://a.com/")
    #expect(request.stubQuery == [:])
    request.url = nil
    #expect(request.stubQueryItems.isEmpty && request.stubQuery.isEmpty)
  }

  @Test("have the body as a form and as JSON")
  func body() throws {
    let form = post("user=ann+b&remember&note=%2B").stubForm?.map { "\($0.name)=\($0.value ?? "nil")" }
    #expect(form == ["user=ann b", "remember=nil", "note=+"] && post("").stubForm == [])
    #expect(try post("\u{FEFF}{\"a\": [1, null]}").stubJSON() == ["a": [1, nil]] && post("null").stubJSON() == .null)
    let none = request("http://a.com/")
    let error = #expect(throws: RecordedBodyMissingError.self) { try none.stubJSON() }
    #expect(none.stubForm == nil && error?.description == "GET http://a.com/ has no body.")
    #expect(throws: JSONSyntaxError.self) { try post("{").stubJSON() }
  }

  @Test("are of the body wherever it is")
  func stream() async throws {
    let registry = StubRegistry()
    stub(condition: isPath("/echo"), in: registry) { request in
      .json(["page": JSONValue(request.stubQuery["page"] ?? ""), "sent": try request.stubJSON()])
    }
    var echo = request("http://a.com/echo?page=2", method: "POST", streamed: "[1, 2]")
    let streamed = try JSONValue(parsing: await registry.makeSession().data(for: echo).0)
    #expect(streamed == ["page": "2", "sent": [1, 2]])
    echo.httpBodyStream = nil
    let uploaded = try JSONValue(parsing: await registry.makeSession().upload(for: echo, from: Data("3".utf8)).0)
    #expect(uploaded == ["page": "2", "sent": 3])
  }
}
