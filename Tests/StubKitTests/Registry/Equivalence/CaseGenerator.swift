import Foundation
import StubKit
import TestSupport

/// Makes requests and conditions out of a few neighbours of each list of ``Alphabet``: which ones, the round's seed
/// says.
struct CaseGenerator {
  var random: SplitMix64
  private let place: UInt64

  /// The URLs and bodies of the requests made so far: conditions quote them.
  private(set) var urls: [String] = []
  private(set) var bodies: [Data] = []

  /// How often each closure in the conditions has run.
  let closures = Protected<[Int]>([])

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    place = random.next()
  }

  /// One of the few neighbours that this round uses.
  mutating func near<Element>(_ list: [Element], _ width: Int) -> Element {
    let start = Int((place &* UInt64(2 * list.count + 1)) >> 33)
    return list[(start + random.below(min(width, list.count))) % list.count]
  }

  mutating func written(_ words: [Word], _ width: Int) -> String { random.pick(near(words, width).written) }
  mutating func meant(_ words: [Word], _ width: Int) -> String { random.pick(near(words, width).meant) }

  mutating func items(_ names: [Word], _ values: [Word]) -> [String: String?] {
    var items: [String: String?] = [:]
    for _ in 0..<random.pick([0, 1, 1, 1, 2]) {
      let value: String? = random.chance(percent: 20) ? nil : meant(values, 2)
      items.updateValue(value, forKey: meant(names, 2))
    }
    return items
  }

  /// The items of a query or a form.
  private mutating func text(_ names: [Word], _ values: [Word]) -> String {
    (0..<random.below(4)).map { _ in
      let name = written(names, 2)
      return random.chance(percent: 20) ? name : name + "=" + written(values, 2)
    }.joined(separator: "&")
  }

  mutating func request() -> URLRequest {
    let url = self.url()
    urls.append(url?.absoluteString ?? "")
    var request = URLRequest(url: url ?? URL(string: "http://a.com")!)
    if random.chance(percent: 1) { request.url = nil }
    if random.chance(percent: 85) { request.httpMethod = written(Alphabet.methods, 2) }
    if random.chance(percent: 75) { addBody(to: &request) }
    for _ in 0..<random.below(3) {
      let (name, value) = (written(Alphabet.headerNames, 2), written(Alphabet.headerValues, 2))
      if random.chance(percent: 20) {
        request.addValue(value, forHTTPHeaderField: name)
      } else {
        request.setValue(value, forHTTPHeaderField: name)
      }
    }
    if random.chance(percent: 75) { request.setValue(near(Alphabet.cookieHeaders, 4), forHTTPHeaderField: "Cookie") }
    if random.chance(percent: 50) {
      request.setValue(near(Alphabet.authorizations, 4), forHTTPHeaderField: "authorization")
    }
    return request
  }

  mutating func url() -> URL? {
    if random.chance(percent: 4) { return URL(string: random.pick(Alphabet.odd)) }
    var text = written(Alphabet.schemes, 2) + "://" + written(Alphabet.hosts, 2)
    text += random.pick(["", "", near(Alphabet.ports, 2)]) + written(Alphabet.paths, 3)
    if random.chance(percent: 60) { text += "?" + self.text(Alphabet.queryNames, Alphabet.queryValues) }
    return URL(string: random.chance(percent: 10) ? text + "#top" : text)
  }

  /// As `httpBody`, or as a stream that nobody has read.
  private mutating func addBody(to request: inout URLRequest) {
    let (data, contentType) = body()
    if let contentType, random.chance(percent: 95) {
      request.setValue(contentType, forHTTPHeaderField: "Content-Type")
    }
    guard let data else { return }
    bodies.append(data)
    if random.chance(percent: 15) {
      request.httpBodyStream = InputStream(data: data)
    } else {
      request.httpBody = data
    }
  }

  private mutating func body() -> (Data?, contentType: String?) {
    let json = "application/json"
    let (text, type): (String, String)
    switch random.below(12) {
    case 0: return (random.chance(percent: 50) ? nil : Data(), nil)
    case 1: return (Data(random.pick([[0xFF, 0xFE], [0x61], [0]])), nil)
    case 2...5: (text, type) = (random.pick(near(Alphabet.json, 3).texts), json)
    case 6, 7: (text, type) = (self.text(Alphabet.formNames, Alphabet.formValues), "application/x-www-form-urlencoded")
    case 8, 9: (text, type) = multipart()
    default:
      let document = "query \(near(Alphabet.operations, 2)) { id }"
      switch random.below(5) {
      case 0: (text, type) = (document, "application/graphql")
      case 1: (text, type) = (#"{"query":"\#(document)","operationName":"\#(near(Alphabet.operations, 2))"}"#, json)
      case 2: (text, type) = (#"[{"query":"\#(document)"},{"operationName":"SetUser"}]"#, json)
      case 3: (text, type) = (#"{"query":"{ id }"}"#, json)
      default: (text, type) = (#"{"query":"\#(document)"}"#, json)
      }
    }
    return (Data(text.utf8), type)
  }

  private mutating func multipart() -> (String, String) {
    let boundary = random.pick(["x", "xx"])
    var text = ""
    for _ in 0..<random.below(3) {
      text += "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(near(Alphabet.partNames, 2))\"\r\n"
      if random.chance(percent: 60) { text += "Content-Type: \(near(Alphabet.partTypes, 3))\r\n" }
      text += "\r\na\r\n"
    }
    let type = random.chance(percent: 90) ? "multipart/form-data; boundary=\(boundary)" : "multipart/form-data"
    return (text + "--\(boundary)--\r\n", type)
  }
}
