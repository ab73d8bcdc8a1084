import Foundation
import StubKit
import StubKitArchive

extension HTTPArchive.Entry {
  /// Returns how an exchange with the network differs in its shape from this recorded one, each difference as
  /// `place: was …, is …`.
  func differences(to live: HTTPArchive.Entry, _ ignored: IgnoredParts) -> [String] {
    var differences: [String] = []
    func compare(_ place: String, _ fact: (HTTPArchive.Entry) -> String?) {
      let (before, after) = (fact(self), fact(live))
      if before != after { differences.append("\(place): was \(before ?? "none"), is \(after ?? "none")") }
    }
    compare("query items") { entry in
      var facts = RequestFacts(entry.request)
      return facts.queryItems.without(ignored.query).nameList
    }
    compare("form fields") { RecordedBody(of: $0, ignored).formNames }
    // Nothing is known of the response of an entry that can't be replayed.
    guard obstacle == nil, live.obstacle == nil else { return differences }
    // Whether a client cancels a request in time doesn't depend on the service.
    guard error?.code != .cancelled, live.error?.code != .cancelled else { return differences }
    compare("error") { $0.error.map { "\($0.code.rawValue)" } }
    guard let response, let other = live.response else { return differences }
    compare("status") { $0.response.map { "\($0.status)" } }
    compare("media type") { $0.response?.mediaType }
    guard response.status == other.status, let shape = response.shape else { return differences }
    guard let otherShape = other.shape else { return differences + ["$: was JSON, is not JSON"] }
    return differences + shape.differences(to: otherShape)
  }
}

extension HTTPArchive.Response {
  /// The media type without parameters, or `nil` if there is none.
  fileprivate var mediaType: String? { headers["Content-Type"]?.mediaType }

  /// The shape of a JSON body, or `nil` if the body isn't JSON.
  fileprivate var shape: JSONShape? {
    let data = body
    let first = data.first { $0 > 0x20 }
    let type = mediaType ?? ""
    guard type.contains("json") || first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else { return nil }
    let isLines = type.contains("ndjson") || type.contains("jsonl")
    if !isLines, let value = try? StubJSON(parsing: data) { return JSONShape(value) }
    // A value on each line, as in NDJSON, is an array without its brackets.
    let lines = data.split(separator: .newline).filter { $0.contains { $0 > 0x20 } }
    return (try? lines.map { try StubJSON(parsing: Data($0)) }).map { JSONShape(.array($0)) }
  }
}

extension RecordedBody {
  /// The names of a form's fields, or `nil` if the body isn't a form.
  fileprivate var formNames: String? { if case .form(let fields) = self { fields.nameList } else { nil } }
}

extension NamedItems {
  /// The names in alphabetical order, each as often as it occurs, or `nil` if there are none.
  fileprivate var nameList: String? { isEmpty ? nil : map(\.name).sorted().listed }
}
