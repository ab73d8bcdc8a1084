import Foundation
import StubKit
import TestSupport
import Testing

@Suite("Body matchers", .inTurn)
struct BodyMatchersTests {
  @Test("hasBody compares bytes, and no body is an empty one")
  func bytes() {
    #expect(hasBody(Data("abc".utf8)).matches(post("abc")))
    #expect(!hasBody(Data("abc".utf8)).matches(post("abcd")))
    #expect(!hasBody(Data("é".utf8)).matches(post("e\u{301}")))
    #expect(!hasBody(Data("abc".utf8)).matches(request("http://a/")))
    #expect(hasBody(Data()).matches(request("http://a/")) && hasBody(Data()).matches(post("")))
  }

  @Test("bodyContains looks for UTF-8 bytes")
  func text() {
    for (text, body, expected) in [
      ("needle", "hay needle hay", true), ("needle", "hay", false), ("é", "café", true),
      ("é", "cafe\u{301}", false),
      ("a", "", false),
    ] {
      #expect(bodyContains(text).matches(post(body)) == expected, "\(text)")
    }
  }

  @Test("hasFormBody allows any order, tells nil from empty, and nothing further")
  func form() {
    for (body, expected) in [
      ("a=1&b&c=", true), ("c=&b&a=1", true), ("a=%31&b&&c=", true), ("a=1&b&c=&a=1", true), ("a=1&b=&c=", false),
      ("a=1&b&c", false), ("a=2&b&c=", false), ("a=1&c=", false), ("a=1&b&c=&d", false), ("A=1&b&c=", false),
      ("", false),
    ] {
      #expect(hasFormBody(["a": "1", "b": nil, "c": ""]).matches(post(body)) == expected, "\(body)")
    }
  }

  @Test("in a form a + is a space")
  func formSpace() {
    for (body, value, expected) in [
      ("x=a+b", "a b", true), ("x=a%2Bb", "a+b", true), ("x=a+b", "a+b", false), ("x=%C3%A9", "é", true),
      ("x=+\u{301}", " \u{301}", true),
    ] {
      #expect(hasFormBody(["x": value]).matches(post(body)) == expected, "\(body)")
    }
  }

  @Test("in a form a percent sign that encodes nothing stays, and what is not UTF-8 is replaced")
  func formPercent() {
    for (body, value) in [
      ("x=50%+off%21", "50% off!"), ("x=%", "%"), ("x=%2", "%2"), ("x=%+1%zz%%41", "% 1%zz%A"),
      ("x=a%FFb", "a\u{FFFD}b"),
      ("x=%00", "\0"), ("x=%e2%82%AC", "€"),
    ] {
      #expect(hasFormBody(["x": value]).matches(post(body)), "\(body)")
    }
  }

  @Test("hasFormBody with items counts repeated fields")
  func formItems() {
    for (body, expected) in [
      ("t=a&t=b&u", true), ("u&t=b&t=a", true), ("t=a&t=b&t=b&u", false), ("t=a&u", false), ("t=a&t=b&u=", false),
    ] {
      let matcher = hasFormBody(
        URLQueryItem(name: "t", value: "b"), URLQueryItem(name: "u", value: nil), URLQueryItem(name: "t", value: "a"))
      #expect(matcher.matches(post(body)) == expected, "\(body)")
    }
  }
}

@Suite("JSON body matchers", .inTurn)
struct JSONBodyMatchersTests {
  struct User: Codable, Sendable {
    var id: Int
    var name: String
  }

  struct Unencodable: Encodable {
    func encode(to encoder: any Encoder) throws { throw CocoaError(.coderInvalidValue) }
  }

  @Test("hasJSONBody ignores order and white space, and nothing else")
  func equal() {
    for (body, expected) in [
      (#"{"id":1,"tags":["a",{"b":null}],"ok":true}"#, true),
      ("{ \"ok\" : true,\n\"tags\":[\"a\",{\"b\":null}], \"id\":1.0 }", true),
      ("\u{FEFF}{\"id\":1e0,\"tags\":[\"a\",{\"b\":null}],\"ok\":true}", true),
      (#"{"id":2,"tags":["a",{"b":null}],"ok":true}"#, false),
      (#"{"ID":1,"tags":["a",{"b":null}],"ok":true}"#, false), (#"{"tags":["a",{"b":null}],"ok":true}"#, false),
      (#"{"id":1,"tags":["a",{"b":null}],"ok":true,"x":null}"#, false),
      (#"{"id":1,"tags":[{"b":null},"a"],"ok":true}"#, false),
      (#"{"id":1,"tags":["a",{}],"ok":true}"#, false), (#"{"id":true,"tags":["a",{"b":null}],"ok":1}"#, false),
      ("", false), ("nonsense", false),
    ] {
      #expect(
        hasJSONBody(["id": 1, "tags": ["a", ["b": nil]], "ok": true]).matches(post(body)) == expected, "\(body)")
    }
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

  @Test("hasJSONBody(containing:) allows further keys at every depth")
  func containing() {
    for (body, expected) in [
      (#"{"a":{"b":1,"c":2},"l":[{"x":1,"y":2}],"z":0}"#, true), (#"{"a":{"b":1},"l":[{"x":1}]}"#, true),
      (#"{"a":{"b":2},"l":[{"x":1}]}"#, false),
      (#"{"a":{},"l":[{"x":1}]}"#, false), (#"{"a":{"b":1},"l":[{"x":1},2]}"#, false),
      (#"{"a":{"b":1},"l":[]}"#, false), ("[]", false), ("", false),
    ] {
      #expect(hasJSONBody(containing: ["a": ["b": 1], "l": [["x": 1]]]).matches(post(body)) == expected, "\(body)")
    }
  }

  @Test("a value that does not encode is a mistake")
  func encodingMistake() {
    #expect(hasJSONBody(Unencodable()).mistake != nil)
    #expect(hasJSON(at: "a", equals: Unencodable()).mistake != nil)
  }
}

@Suite("A body that is decoded for a closure", .inTurn)
struct DecodedBodyMatcherTests {
  private struct Login: Decodable {
    let user: String
    let device: Device?

    struct Device: Decodable {
      let ids: [Int]
    }
  }

  private let isAnn = hasJSONBody(as: Login.self) { $0.user == "ann" }

  @Test("matches what decodes and what the closure accepts")
  func matches() {
    for (body, expected) in [
      (#"{"user": "ann"}"#, true), (#"{"user": "ann", "more": 1}"#, true), ("\u{FEFF}{\"user\": \"ann\"}", true),
      (#"{"user": "ben"}"#, false), (#"{"user": 1}"#, false), ("{}", false), ("[", false), ("", false),
    ] {
      #expect(isAnn.matches(post(body)) == expected, "\(body)")
      #expect((!isAnn).matches(post(body)) == !expected, "\(body)")
    }
  }

  @Test("matches no request without a body")
  func noBody() {
    #expect(!isAnn.matches(request("http://a.com/")))
    let anyText = hasJSONBody(as: String?.self) { _ in true }
    #expect(!anyText.matches(request("http://a.com/")) && anyText.matches(post("null")))
  }

  @Test("takes a decoder")
  func decoder() {
    struct Stay: Decodable {
      let firstNight: Date
    }
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    decoder.dateDecodingStrategy = .secondsSince1970
    let matcher = hasJSONBody(as: Stay.self, decoder: decoder) { $0.firstNight == Date(timeIntervalSince1970: 60) }
    #expect(matcher.matches(post(#"{"first_night": 60}"#)) && !matcher.matches(post(#"{"first_night": 61}"#)))
  }

  @Test("prints as it was written")
  func printed() {
    let condition = isHost("a") && isAnn
    #expect(condition.description == #"isHost("a") && hasJSONBody(as: Login.self) { … }"#)
  }

  static let reasons: [(String?, String)] = [
    (#"{"user": "ben"}"#, #"got "{\"user\": \"ben\"}""#), (nil, "got none"),
    (#"{"usr": "ann"}"#, "; not a valid Login: there is no user"),
    (#"{"user": 1}"#, "; not a valid Login: user is not String"),
    (#"{"user": null}"#, "; not a valid Login: user is null, not String"),
    (#"{"user": "ann", "device": {"ids": [1, "2"]}}"#, "; not a valid Login: device.ids[1] is not Int"),
    (#"{"user": "ann", "device": {}}"#, "; not a valid Login: there is no device.ids"),
    (#"[{"user": "ann"}]"#, "; not a valid Login: it is not an object"),
    (#"{"user" "ann"}"#, "; not a valid Login: it is not JSON: a colon is missing"),
  ]

  @Test("is explained by what does not decode, and where")
  func report() async throws {
    for (body, reason) in Self.reasons {
      let registry = StubRegistry()
      stub(condition: isPath("/login") && isAnn, response: .empty(), in: registry)
      let login = request("http://a.com/login", method: "POST", body: body)
      let explanation = "\(registry.explain(login))"
      #expect(explanation.contains("body: expected a Login") && explanation.contains(reason), "\(explanation)")

      let error = await #expect(throws: UnmatchedRequestError.self, "\(reason)") {
        try await registry.makeSession().data(for: login)
      }
      #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
    }
  }

  @Test("is told in a report as not asked where something else was wrong already")
  func notAsked() async {
    let registry = StubRegistry()
    stub(condition: isPath("/login") && isAnn, response: .empty(), in: registry)
    let error = await #expect(throws: UnmatchedRequestError.self) {
      try await registry.makeSession().data(
        for: request("http://a.com/logon", method: "POST", body: #"{"user": "ann"}"#))
    }
    #expect(error?.description.contains("hasJSONBody(as: Login.self) { … }: not asked") == true)
  }

  @Test("is the body of a stream too")
  func stream() async throws {
    let registry = StubRegistry()
    stub(condition: isAnn, response: .empty(status: 201), in: registry)
    let login = request("http://a.com/login", method: "POST", streamed: #"{"user": "ann"}"#)
    let response = try await registry.makeSession().data(for: login).1
    #expect((response as? HTTPURLResponse)?.statusCode == 201)
  }
}
