import Foundation
import StubKit
import TestSupport
import Testing

@Suite("JSON body matchers", .inTurn)
struct JSONBodyMatchersTests {
  struct User: Codable, Sendable {
    var id: Int
    var name: String
  }

  struct Unencodable: Encodable {
    func encode(to encoder: any Encoder) throws { throw CocoaError(.coderInvalidValue) }
  }

  @Test(
    "hasJSONBody ignores order and white space, and nothing else",
    arguments: [
      (#"{"id":1,"tags":["a",{"b":null}],"ok":true}"#, true),
      ("{ \"ok\" : true,\n\"tags\":[\"a\",{\"b\":null}], \"id\":1.0 }", true),
      ("\u{FEFF}{\"id\":1e0,\"tags\":[\"a\",{\"b\":null}],\"ok\":true}", true),
      (#"{"id":2,"tags":["a",{"b":null}],"ok":true}"#, false),
      (#"{"ID":1,"tags":["a",{"b":null}],"ok":true}"#, false), (#"{"tags":["a",{"b":null}],"ok":true}"#, false),
      (#"{"id":1,"tags":["a",{"b":null}],"ok":true,"x":null}"#, false),
      (#"{"id":1,"tags":[{"b":null},"a"],"ok":true}"#, false),
      (#"{"id":1,"tags":["a",{}],"ok":true}"#, false), (#"{"id":true,"tags":["a",{"b":null}],"ok":1}"#, false),
      ("", false), ("nonsense", false),
    ])
  func equal(body: String, expected: Bool) {
    #expect(hasJSONBody(["id": 1, "tags": ["a", ["b": nil]], "ok": true]).matches(post(body)) == expected)
  }

  @Test("a root may be any value")
  func roots() {
    #expect(hasJSONBody([1, "x"]).matches(post("[1, \"x\"]")) && !hasJSONBody([1, "x"]).matches(post("[\"x\", 1]")))
    #expect(
      hasJSONBody("x").matches(post("\"x\"")) && hasJSONBody(nil).matches(post("null"))
        && hasJSONBody(true).matches(post("true")))
    #expect(!hasJSONBody(nil).matches(request("http://a/")) && !hasJSONBody(1).matches(post("true")))
    #expect(hasJSONBody([]).matches(post("[]")) && hasJSONBody([:]).matches(post("{}")))
  }

  @Test("values of the test's own are encoded")
  func values() {
    let (id, name, missing) = (1, "Ann", String?.none)
    let body = post(#"{"id": 1, "name": "Ann"}"#)
    #expect(hasJSONBody(["id": id, "name": name]).matches(body))
    #expect(!hasJSONBody(["id": id, "name": "x" + name]).matches(body))
    #expect(hasJSONBody(User(id: id, name: name)).matches(body) && !hasJSONBody(User(id: 2, name: name)).matches(body))
    #expect(hasJSONBody(["m": missing]).matches(post(#"{"m": null}"#)))
    #expect(hasJSONBody([id, id + 1]).matches(post("[1,2]")))
    #expect(
      hasJSONBody(containing: ["id": id]).matches(body)
        && !hasJSONBody(containing: ["id": id, "x": name]).matches(body))
    #expect(hasJSON(at: "id", equals: id).matches(body) && !hasJSON(at: "id", equals: name).matches(body))
    #expect(hasJSON(at: "", equals: ["id": id, "name": name]).matches(body))
  }

  @Test(
    "hasJSONBody(containing:) allows further keys at every depth",
    arguments: [
      (#"{"a":{"b":1,"c":2},"l":[{"x":1,"y":2}],"z":0}"#, true), (#"{"a":{"b":1},"l":[{"x":1}]}"#, true),
      (#"{"a":{"b":2},"l":[{"x":1}]}"#, false),
      (#"{"a":{},"l":[{"x":1}]}"#, false), (#"{"a":{"b":1},"l":[{"x":1},2]}"#, false),
      (#"{"a":{"b":1},"l":[]}"#, false), ("[]", false), ("", false),
    ])
  func containing(body: String, expected: Bool) {
    #expect(hasJSONBody(containing: ["a": ["b": 1], "l": [["x": 1]]]).matches(post(body)) == expected)
  }

  @Test("a value that does not encode is a mistake")
  func encodingMistake() {
    #expect(hasJSONBody(Unencodable()).mistake != nil)
    #expect(hasJSON(at: "a", equals: Unencodable()).mistake != nil)
  }
}
