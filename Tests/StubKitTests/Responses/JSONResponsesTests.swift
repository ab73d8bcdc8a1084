import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A JSON response", .inTurn)
struct JSONResponsesTests {
  struct User: Codable {
    var id: Int
    var name: String
  }

  static let id = 7
  static let name = "Ann"
  static let maybe: String? = nil
  static let user = User(id: 1, name: "A/é")

  private static let written: KeyValuePairs<StubResponse, String> = [
    .json(["id": 42, "name": "Ann", "admin": true, "score": 1.5, "none": nil]):
      #"{"admin":true,"id":42,"name":"Ann","none":null,"score":1.5}"#,
    .json([1, "two", 3.0, nil, true, ["deep": [["er": 1]]]]): #"[1,"two",3,null,true,{"deep":[{"er":1}]}]"#,
    .json(nil): "null", .json("text"): #""text""#, .json([:]): "{}",
    .json(user): #"{"id":1,"name":"A/é"}"#, .json(StubJSON(name)): #""Ann""#,
    .json(["id": id, "name": name, "ok": true, "n": 1.5, "user": user, "users": [user], "m": maybe]):
      #"{"id":7,"m":null,"n":1.5,"name":"Ann","ok":true,"user":{"id":1,"name":"A/é"},"users":[{"id":1,"name":"A/é"}]}"#,
    .json(["id": StubJSON(id), "tags": ["a", 1, StubJSON(id)], "nested": ["n": nil, "b": StubJSON(true)]]):
      #"{"id":7,"nested":{"b":true,"n":null},"tags":["a",1,7]}"#,
    .json(["date": Date(timeIntervalSinceReferenceDate: 1), "data": Data([1])]): #"{"data":"AQ==","date":1}"#,
    // Of the test's own encoder, or of a text, which is sent as it is.
    .json(Visit(), encoder: encoder): #"{"seen_at":"1970-01-01T00:00:00Z","user_id":7}"#,
    .json(text: #"{"a":  1}"#): #"{"a":  1}"#, .json(text: #"{"é": "#): #"{"é": "#, .json(text: ""): "",
  ]

  @Test("has the bytes of its value, whatever type that has")
  func forms() throws {
    for (response, expected) in Self.written {
      #expect(try response.body.load().text == expected)
      #expect(response.headers["Content-Type"] == "application/json", "\(expected)")
      #expect(response.problem == nil, "\(expected)")
    }
  }

  @Test("has its keys in the same order, whether its value is a StubJSON or Encodable")
  func orderOfKeys() throws {
    let object: [String: Int] = ["b": 1, "B": 2, "a10": 3, "a9": 4, "é": 5, "z": 6, "": 7, "a": 8, "_": 9]
    let value = try StubJSON(encoding: object)
    #expect(try StubResponse.json(object).body.load() == StubResponse.json(value).body.load())
  }

  private struct Visit: Codable {
    var userID = 7
    var seenAt = Date(timeIntervalSince1970: 0)
  }

  private static var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = [.sortedKeys]
    return encoder
  }

  private struct Failing: Encodable {
    struct Reason: Error, CustomStringConvertible { let description = "out of ink" }
    func encode(to encoder: any Encoder) throws { throw Reason() }
  }

  @Test("that can't be encoded has a problem with the type and the reason, and an empty body")
  func unencodable() throws {
    let response = StubResponse.json(Failing())
    #expect(response.problem == .unencodableValue("Failing", "out of ink"))
    #expect(try response.body.load().isEmpty)
  }

  @Test("with a number that JSON doesn't have has a problem that names its member")
  func noNumber() throws {
    let inList = try #require(StubResponse.json(["list": [1, Double.nan]] as [String: [Double]]).problem).description
    #expect(inList.contains("Dictionary<String, Array<Double>>, which can't be encoded as JSON: "))
    #expect(inList.contains("list"))
    let inPairs = StubResponse.json(["id": Self.id, "ratio": Double.infinity, "user": Self.user])
    let text = try #require(inPairs.problem).description
    #expect(text.contains("KeyValuePairs<String, any Encodable>, which can't be encoded as JSON: "))
    #expect(text.contains("ratio"))
  }

  @Test("with a key twice, at any depth, has a problem that says to remove one")
  func repeatedKey() {
    let id = 1
    for response in [StubResponse.json(["id": id, "id": "two"]), .json(["user": ["id": id, "id": "two"]])] {
      let problem = response.problem?.description ?? "none"
      #expect(problem.contains("has the key \"id\" twice. Remove one of them."), "\(problem)")
    }
  }

  static let text: String = #"{"id":42}"#
  static let bytes = Data(" [1]".utf8)

  @Test("of text that is JSON already fails its request")
  func responses() async throws {
    let (text, bytes, encoder) = (Self.text, Self.bytes, JSONEncoder())
    let responses: [StubResponse] = [
      .json(bytes), .json(text), .json(bytes, encoder: encoder), .json(text as String?), .json(text, status: 201),
    ]
    #expect(
      responses.map(\.problem)
        == ["Data", "String", "Data", "Optional<String>", "String"].map { .jsonEncodedTwice($0) })
    await withStubs {
      let stub = stub(condition: .anything, response: responses[0])
      let error = await URLSession.shared.failure(of: "http://a.example/") as? StubResponseError
      #expect(error?.reason == .jsonEncodedTwice("Data") && error?.stub?.location == stub.location)
    }
  }

  @Test("is like hasJSONBody, for which text that is JSON already is a mistake, too")
  func encodedTwice() {
    let (text, bytes) = (Self.text, Self.bytes)
    for condition in [
      hasJSONBody(text), hasJSONBody(bytes), hasJSONBody(containing: text), hasJSONBody(text as String?),
    ] {
      #expect(condition.mistake?.contains("which it would compare as a JSON string") == true, "\(condition)")
    }
  }

  @Test("takes a text for a JSON string if it isn't JSON itself, or stands at a place in a body")
  func strings() {
    let (name, text) = ("Ann", Self.text)
    #expect(StubResponse.json(name).problem == nil)
    #expect(StubResponse.json(["name": text]).problem == nil)
    #expect(hasJSONBody(name).mistake == nil)
    #expect(hasJSON(at: "", equals: text).mistake == nil)
    let request = request("http://a.example/", body: #"{"name":"Ann"}"#)
    #expect(hasJSON(at: "name", equals: name).matches(request))
    #expect(hasJSONBody(["name": name]).matches(request))
  }
}
