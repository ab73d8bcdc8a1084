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
}
