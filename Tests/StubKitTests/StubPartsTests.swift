import Foundation
import StubKit
import TestSupport
import Testing

@Suite("The parts of a request, for closures", .inTurn)
struct StubPartsTests {
  @Test(
    "have the query's items, decoded and in order",
    arguments: [
      ("?b=1&a=2&b=3", [("b", "1"), ("a", "2"), ("b", "3")]),
      ("?flag&empty=&&x==", [("flag", nil), ("empty", ""), ("x", "=")]),
      ("?a%20b=%C3%A9+%2B", [("a b", "é++")]), ("?bad=%FF%2", [("bad", "%FF%2")]), ("?", []), ("", []), ("#?a=1", []),
    ] as [(String, [(String, String?)])])
  func queryItems(query: String, items: [(String, String?)]) {
    let found = request("http://a.com/\(query)").sent.queryItems
    #expect(found == items.map { URLQueryItem(name: $0.0, value: $0.1) })
  }

  @Test("have the first value of each name in the query, which is decoded")
  func query() {
    // "%61" is an "a".
    #expect(request("http://a.com/?a=1&b&a=2&%61=3").sent.query == ["a": "1", "b": ""])
  }

  @Test("have no items if there is no query, or no URL")
  func withoutQuery() {
    var request = request("http://a.com/")
    #expect(request.sent.query == [:])
    request.url = nil
    #expect(request.sent.queryItems.isEmpty)
    #expect(request.sent.query == [:])
  }

  @Test("have the body as the fields of a form, and nil if there is none")
  func form() {
    let form = post("user=ann+b&remember&note=%2B").sent.formItems?.map { "\($0.name)=\($0.value ?? "nil")" }
    #expect(form == ["user=ann b", "remember=nil", "note=+"])
    #expect(post("").sent.formItems?.isEmpty == true)
    #expect(request("http://a.com/").sent.formItems == nil)
  }

  @Test("have the body as JSON, with or without a byte order mark")
  func json() throws {
    #expect(try post("{\"a\": [1, null]}").sent.json() == ["a": [1, nil]])
    #expect(try post("\u{FEFF}{\"a\": [1, null]}").sent.json() == ["a": [1, nil]])
    #expect(try post("null").sent.json() == .null)
  }

  @Test("have no JSON if there is no body, or another one, and an error says so")
  func noJSON() {
    let error = #expect(throws: RecordedBodyMissingError.self) { try request("http://a.com/").sent.json() }
    #expect(error?.description == "GET http://a.com/ has no body.")
    #expect(throws: JSONSyntaxError.self) { try post("{").sent.json() }
  }
}
