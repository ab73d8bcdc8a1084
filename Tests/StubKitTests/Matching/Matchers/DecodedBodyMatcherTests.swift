import Foundation
import StubKit
import TestSupport
import Testing

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

  @Test(
    "matches what decodes and what the closure accepts",
    arguments: [
      (#"{"user": "ann"}"#, true), (#"{"user": "ann", "more": 1}"#, true), ("\u{FEFF}{\"user\": \"ann\"}", true),
      (#"{"user": "ben"}"#, false), (#"{"user": 1}"#, false), ("{}", false), ("[", false), ("", false),
    ])
  func matches(body: String, expected: Bool) {
    #expect(isAnn.matches(post(body)) == expected)
    #expect((!isAnn).matches(post(body)) == !expected)
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

  @Test("is explained by what does not decode, and where", arguments: reasons)
  func report(body: String?, reason: String) async throws {
    let registry = StubRegistry()
    stub(condition: isPath("/login") && isAnn, response: .empty(), in: registry)
    let login = request("http://a.com/login", method: "POST", body: body)
    let explanation = "\(registry.explain(login))"
    #expect(explanation.contains("body: expected a Login") && explanation.contains(reason), "\(explanation)")

    let error = await #expect(throws: UnmatchedRequestError.self) {
      try await registry.makeSession().data(for: login)
    }
    #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
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
    var login = request("http://a.com/login", method: "POST")
    login.httpBodyStream = InputStream(data: Data(#"{"user": "ann"}"#.utf8))
    let response = try await registry.makeSession().data(for: login).1
    #expect((response as? HTTPURLResponse)?.statusCode == 201)
  }
}
