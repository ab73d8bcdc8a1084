import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A recorded request as far as it is compared: two entries of one image answer the same requests.
struct RequestImage: Hashable {
  var method: String?
  var scheme: String?
  var host: String?
  var port: Int?
  var path: String?
  /// Sorted, what was redacted as the mark alone. `nil` where the query does not count.
  var query: [NamedValue]?
  /// By name in lower case, in the order of the alphabet; `nil` for one that is not there.
  var headers: [NamedValue] = []
  /// Nil where bodies do not count.
  var body: RecordedBody?

  /// Everything that a matching names except for the body.
  init(headOf request: URLRequest, matching: ReplayMatching) {
    var facts = RequestFacts(request)
    if matching.contains(.method) { method = facts.method }
    if matching.contains(.scheme) { scheme = facts.scheme ?? "" }
    if matching.contains(.host) { host = facts.host ?? "" }
    if matching.contains(.port) { port = facts.port ?? 0 }
    if matching.contains(.path) { path = facts.path }
    if matching.contains(.query) { query = facts.queryItems.map(\.withoutSecret).sorted(by: NamedValue.areInOrder) }
    headers = matching.headerNames.map { NamedValue(name: $0, value: facts.header($0)).withoutSecret }
  }
}

extension NamedValue {
  /// The item with the mark alone for a value in which something was redacted.
  var withoutSecret: NamedValue { isRedacted ? NamedValue(name: name, value: Redacted.mark) : self }

  static func areInOrder(_ left: NamedValue, _ right: NamedValue) -> Bool {
    if left.name != right.name { return left.name < right.name }
    switch (left.value, right.value) {
    case (let left?, let right?): return left < right
    case (nil, _?): return true
    case (_, nil): return false
    }
  }
}
