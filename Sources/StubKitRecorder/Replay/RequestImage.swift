import Foundation
import StubKit
import StubKitArchive

/// The parts of a recorded request that are compared. Two entries with equal images answer the same requests.
struct RequestImage: Hashable {
  var method: String?
  var scheme: String?
  var host: String?
  var port: Int?
  var path: String?
  /// The sorted items, with redacted values reduced to the mark, or `nil` if the query doesn't count.
  var query: [NamedValue]?
  /// The headers by lower-case name, in alphabetical order. A missing header has the value `nil`.
  var headers: [NamedValue] = []
  /// The body, or `nil` if bodies don't count.
  var body: RecordedBody?

  /// Creates an image of everything that is compared except the body.
  ///
  /// - Parameter literally: Whether placeholders stay as they are, so that images of different secrets differ.
  init(headOf facts: inout RequestFacts, _ comparison: ReplayComparison, literally: Bool = false) {
    let (matching, ignored) = (comparison.matching, comparison.ignored)
    if matching.contains(.method) { method = facts.method }
    if matching.contains(.scheme) { scheme = facts.scheme ?? "" }
    if matching.contains(.host) { host = facts.host ?? "" }
    if matching.contains(.port) { port = facts.port ?? 0 }
    if matching.contains(.path) { path = literally ? facts.path : facts.path.withoutSecrets }
    func image(_ item: NamedValue) -> NamedValue { literally ? item : item.withoutSecret }
    if matching.contains(.query) {
      query = facts.queryItems.without(ignored.query).map(image).sorted(by: NamedValue.areInOrder)
    }
    headers = matching.headerNames.filter { !ignored.headers.contains($0) }.map {
      image(NamedValue(name: $0, value: facts.header($0)))
    }
  }

  /// The number of redacted values that are compared.
  var redactedCount: Int {
    let texts = [host?.uppercased(), path] + (query ?? []).map(\.value) + headers.map(\.value)
    return texts.compactMap(\.self).reduce(body?.redactedCount ?? 0) { $0 + $1.betweenPlaceholders.count - 1 }
  }
}

extension NamedValue {
  /// The item, with the mark in place of each placeholder.
  var withoutSecret: NamedValue { isRedacted ? NamedValue(name: name, value: value?.withoutSecrets) : self }

  static func areInOrder(_ left: NamedValue, _ right: NamedValue) -> Bool {
    (left.name, left.value == nil ? 0 : 1, left.value ?? "") < (
      right.name, right.value == nil ? 0 : 1, right.value ?? ""
    )
  }
}
