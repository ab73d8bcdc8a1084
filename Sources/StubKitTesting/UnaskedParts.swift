import Foundation
import StubKit

/// What the requests of one stub have, and nothing asks about.
struct UnaskedParts: Sendable {
  let stub: String
  let location: StubLocation
  /// Whether the URL of the stub has a query, so that a further item follows an `&`.
  let hasQuery: Bool
  /// Whether the stub's condition has a whole URL, in which a query means more in isURL than in the short form.
  var hasURL = false
  /// The parts besides query items: the key of each, and a sentence with the request.
  var others: [(key: String, sentence: String)] = []
  var items: [UnaskedItem] = []
  /// The first request with an unasked item.
  var request: String?
  /// The number of requests of the stub.
  var requestCount = 0

  /// Adds what another case of a parameterised test has found at the same stub.
  mutating func merge(_ other: UnaskedParts) {
    for part in other.others where !others.contains(where: { $0.key == part.key }) { others.append(part) }
    for item in other.items {
      if let index = items.firstIndex(where: { $0.name.isSame(as: item.name) }) {
        for value in item.values { items[index].add(value) }
        items[index].requestCount += item.requestCount
      } else {
        items.append(item)
      }
    }
    request = request ?? other.request
    requestCount += other.requestCount
  }
}

/// An item of the query that nothing asks about.
struct UnaskedItem: Sendable {
  let name: String
  /// The different values as a report may show them, with the texts of the items in the URL, or `nil` for one that
  /// isn't shown.
  var values: [(shown: String, text: String?)] = []
  /// The number of requests that have the item once.
  var requestCount = 0

  mutating func add(_ value: (shown: String, text: String?)) {
    if !values.contains(where: { $0 == value }) { values.append(value) }
  }
}

extension [UnaskedParts] {
  /// One finding for each stub, and what a suite can allow if more than one stub has the same item.
  func findings(isNote: Bool = false) -> [Finding] {
    let names = flatMap { $0.items.map(\.name) }
    let shared = names.reduce(into: [String]()) { shared, name in
      if !shared.contains(name), names.filter({ $0 == name }).count > 1 { shared.append(name) }
    }
    let isFirst = firstIndex { $0.items.contains { shared.contains($0.name) } }
    return indices.map { index in
      let offer = index == isFirst && !isNote ? shared : []
      return Finding(self[index].lines(offering: offer).lines, at: self[index].location, isNote: isNote)
    }
  }
}

extension UnaskedParts {
  fileprivate func lines(offering shared: [String]) -> [String] {
    var sentences = others.map(\.sentence)
    if let request, !items.isEmpty { sentences.append("\(request), and \(sentenceOfItems)") }
    var lines = sentences.enumerated().map { ($0 == 0 ? "The stub \(stub) answered " : "It answered ") + $1 }
    if !shared.isEmpty {
      let list = shared.map(\.debugDescription).joined(separator: ", ")
      let them = shared.count == 1 ? "it" : "them"
      lines.append(
        "More than one stub has \(shared.map { $0.middle(100).plain }.listed). Allow \(them) for the suite with "
          + ".stubbed(strict: .allowing(query: [\(list)])), or in XCTest with strictness.")
    }
    return lines
  }

  private var sentenceOfItems: String {
    let isOne = items.count == 1
    let list = items.map { item in
      let name = item.name.middle(100).plain
      let values = item.values.prefix(5).map(\.shown)
      let more = item.values.count > 5 ? ["\(item.values.count - 5) more"] : []
      return "\(name) (\((values + more).joined(separator: ", ")))"
    }
    return "no condition names its query \(isOne ? "item" : "items") \(list.listed). \(cure)"
  }

  /// What to write.
  private var cure: String {
    let removal = "or take \(items.count == 1 ? "the item" : "them") out of the request."
    // A name with an = or an escape is a mistake there.
    let calls = items.filter { containsQuery($0.name).mistake == nil && $0.name.count <= 100 }.map { item in
      "containsQuery(\(item.name.debugDescription))"
    }
    guard calls.count == items.count else { return "Test \(items.count == 1 ? "it" : "them") in a closure, \(removal)" }
    let conditions = calls.joined(separator: " && ")
    // What each request of the stub has can stand in its URL.
    let texts = items.compactMap { item in
      item.values.count == 1 && item.requestCount == requestCount ? item.values[0].text : nil
    }
    let text = texts.joined(separator: "&")
    guard texts.count == items.count, text.count <= 200 else {
      return "Write \(conditions) in the condition of the stub or in a verification, \(removal)"
    }
    // The stub doesn't say which of both it was written as.
    let difference = hasURL && !hasQuery ? " (isURL then allows no other item, and stub(.get, …) does)" : ""
    return
      "Write \(hasQuery ? "&" : "?")\(text) in its URL\(difference), or \(conditions) in the condition of the stub "
      + "or in a verification, \(removal)"
  }
}
