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
}
