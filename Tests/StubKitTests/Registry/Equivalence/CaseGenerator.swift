import Foundation
import TestSupport

@testable import StubKit

/// Makes requests and conditions out of a few neighbours of each list of ``Alphabet``: which ones, the round's seed says.
struct CaseGenerator {
  var random: SplitMix64
  private let place: UInt64

  /// The URLs and bodies of the requests made so far: conditions quote them.
  private(set) var urls: [String] = []
  private(set) var bodies: [Data] = []

  /// Counts the runs of the closures in the conditions.
  let closures = ClosureLog()

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

  mutating func request() -> URLRequest {
    let url = self.url()
    urls.append(url?.absoluteString ?? "")
    var request = URLRequest(url: url ?? URL(string: "http://a.com")!)
    if random.chance(percent: 1) { request.url = nil }
    if random.chance(percent: 85) { request.httpMethod = written(Alphabet.methods, 2) }
    addBody(to: &request)
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
    text += random.pick(["", "", near(Alphabet.ports, 2)])
    text += written(Alphabet.paths, 3)
    if random.chance(percent: 60) {
      let items = (0..<random.below(4)).map { _ in
        let name = written(Alphabet.queryNames, 2)
        return random.chance(percent: 20) ? name : name + "=" + written(Alphabet.queryValues, 2)
      }
      text += "?" + items.joined(separator: "&")
    }
    if random.chance(percent: 10) { text += "#top" }
    return URL(string: text)
  }

  /// As `httpBody`, as a stream that nobody has read, or not at all.
  private mutating func addBody(to request: inout URLRequest) {
    guard random.chance(percent: 75) else { return }
    let body = self.body()
    if let type = body.contentType, random.chance(percent: 95) {
      request.setValue(type, forHTTPHeaderField: "Content-Type")
    }
    if let data = body.data { bodies.append(data) }
    if let data = body.data, random.chance(percent: 15) {
      request.httpBodyStream = InputStream(data: data)
    } else {
      request.httpBody = body.data
    }
  }
}
