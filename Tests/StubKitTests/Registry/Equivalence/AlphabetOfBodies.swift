import Foundation
import TestSupport

@testable import StubKit

extension Alphabet {
  /// A JSON value, and texts that say it.
  static let json: [(texts: [String], value: JSONValue)] = [
    (["{\"a\":1}", "{\"a\": 1.0}", "\u{FEFF}{\"a\":1e0}"], ["a": 1]),
    (["{\"b\":2,\"a\":1}", "{\"a\":1.0,\"b\":2}"], ["a": 1, "b": 2]),
    (["{\"a\":\"1\"}"], ["a": "1"]), (["{\"a\":null}"], ["a": nil]), (["{}", " { } "], [:]), (["{\"a\":1"], "a"),
    (["{\"a\":{\"b\":[{\"c\":1},2]}}"], ["a": ["b": [["c": 1], 2]]]),
    (["{\"a\":{\"b\":[{\"d\":true,\"c\":1}, 2]}}"], ["a": ["b": [["c": 1, "d": true], 2]]]),
    (["{\"a\":{}}"], ["a": [:]]), (["{\"a\":[1,2]}"], ["a": [1, 2]]), (["{\"0\":1}"], ["0": 1]),
    (["[1,2]", " [ 1.0 , 2 ] "], [1, 2]), (["[2,1]"], [2, 1]), (["[]"], []), (["1", "1.0"], 1), (["true"], true),
    (["null"], nil), (["\"a\""], "a"),
    (["{\"e\u{301}\":\"\\u00e9\"}", "{\"\u{E9}\":\"e\u{301}\"}"], ["\u{E9}": "\u{E9}"]),
    (["{\"a\":1,\"b\":[\"e\u{301}\",false,null]}"], ["a": 1, "b": ["\u{E9}", false, nil]]),
    (["{\"a\":1.5}"], ["a": 1.5]), (["{\"a\":9007199254740993}"], ["a": 9_007_199_254_740_993]),
    (["{\"a\":9007199254740992}"], ["a": 9_007_199_254_740_992]),
  ]

  static let jsonPaths = [
    "", "a", "b", "a.b", "a.b[0].c", "/a", "/a/b/0/c", "a[0]", "[0]", "/0", "e\u{301}", "/\u{E9}", "/a/0",
  ]

  static let formNames = [
    Word(["a", "%61"], means: ["a"]), Word("b"),
    Word(["caf%C3%A9", "cafe%CC%81"], means: ["caf\u{E9}", "cafe\u{301}"]),
  ]
  static let formValues = [
    Word(["1", "%31"], means: ["1"]), Word(""), Word(["1+2", "1%202"], means: ["1 2"]), Word(["1%2B2"], means: ["1+2"]),
    Word("2"),
  ]

  static let partNames = ["avatar", "note", "\u{E9}", "e\u{301}"]
  static let partTypes = ["image/png", "IMAGE/PNG", "text/plain", "text/plain; charset=utf-8", "application/json"]

  static let operations = ["GetUser", "SetUser", "GetUsers"]
  static let needles = ["a", "1", "\u{E9}", "e\u{301}", "GetUser", "name=", "\r\n", "{"]
}

/// A body and the Content-Type that goes with it.
struct GeneratedBody {
  var data: Data?
  var contentType: String?

  init(_ text: String, _ contentType: String?) {
    data = Data(text.utf8)
    self.contentType = contentType
  }

  init(data: Data?) { self.data = data }
}

extension CaseGenerator {
  mutating func body() -> GeneratedBody {
    switch random.below(12) {
    case 0: GeneratedBody(data: random.chance(percent: 50) ? nil : Data())
    case 1: GeneratedBody(data: Data(random.pick([[0xFF, 0xFE], [0x61], [0]])))
    case 2...5: GeneratedBody(random.pick(near(Alphabet.json, 3).texts), "application/json")
    case 6, 7: GeneratedBody(form(), "application/x-www-form-urlencoded")
    case 8, 9: multipart()
    default: graphQL()
    }
  }

  private mutating func form() -> String {
    (0..<random.below(4)).map { _ in
      let name = written(Alphabet.formNames, 2)
      return random.chance(percent: 20) ? name : name + "=" + written(Alphabet.formValues, 2)
    }.joined(separator: "&")
  }

  private mutating func multipart() -> GeneratedBody {
    let boundary = random.pick(["x", "xx"])
    var text = ""
    for _ in 0..<random.below(3) {
      text += "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(near(Alphabet.partNames, 2))\"\r\n"
      if random.chance(percent: 60) { text += "Content-Type: \(near(Alphabet.partTypes, 3))\r\n" }
      text += "\r\na\r\n"
    }
    let type = random.chance(percent: 90) ? "multipart/form-data; boundary=\(boundary)" : "multipart/form-data"
    return GeneratedBody(text + "--\(boundary)--\r\n", type)
  }

  private mutating func graphQL() -> GeneratedBody {
    let name = near(Alphabet.operations, 2)
    let document = "query \(name) { id }"
    return switch random.below(5) {
    case 0: GeneratedBody(document, "application/graphql")
    case 1:
      GeneratedBody(
        "{\"query\":\"\(document)\",\"operationName\":\"\(near(Alphabet.operations, 2))\"}", "application/json")
    case 2: GeneratedBody("[{\"query\":\"\(document)\"},{\"operationName\":\"SetUser\"}]", "application/json")
    case 3: GeneratedBody("{\"query\":\"{ id }\"}", "application/json")
    default: GeneratedBody("{\"query\":\"\(document)\"}", "application/json")
    }
  }

  mutating func bodyMatcher() -> RequestMatcher {
    switch random.below(13) {
    case 10, 11, 12: return recordedBodyMatcher()
    case 0:
      if random.chance(percent: 40), let body = bodies.randomElement(using: &random) { return hasBody(body) }
      return hasBody(Data(random.pick([[], [0x61], [0]])))
    case 1: return bodyContains(random.pick(Alphabet.needles))
    case 2: return hasJSONBody(near(Alphabet.json, 3).value)
    case 3: return hasJSONBody(containing: near(Alphabet.json, 3).value)
    case 4: return hasJSON(at: random.pick(Alphabet.jsonPaths), equals: random.pick(jsonParts))
    case 5: return hasFormBody(items(Alphabet.formNames, Alphabet.formValues))
    case 6: return formItems()
    case 7, 8:
      let type = random.chance(percent: 50) ? nil : near(Alphabet.partTypes, 3)
      return hasMultipartPart(named: near(Alphabet.partNames, 2), contentType: type)
    default: return isGraphQL(operation: near(Alphabet.operations, 2))
    }
  }

  private var jsonParts: [JSONValue] { [1, 1, 2, "1", nil, "\u{E9}", [1, 2], [["c": 1], 2], ["c": 1], [:]] }

  private mutating func formItems() -> RequestMatcher {
    func item(_ random: inout SplitMix64, _ name: String, _ value: String) -> URLQueryItem {
      URLQueryItem(name: name, value: random.chance(percent: 20) ? nil : value)
    }
    let first = item(&random, meant(Alphabet.formNames, 2), meant(Alphabet.formValues, 2))
    let second = item(&random, meant(Alphabet.formNames, 2), meant(Alphabet.formValues, 2))
    return switch random.below(5) {
    case 0: hasFormBody()
    case 1, 2, 3: hasFormBody(first)
    default: hasFormBody(first, second)
    }
  }
}
