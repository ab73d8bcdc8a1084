import Foundation
import StubKit
import StubKitArchive

/// The parts of a recorded request that are compared. Two entries whose images are equal but for their placeholders
/// answer the same requests.
struct RequestImage: Hashable {
  var method: String?
  var scheme: String?
  var host: String?
  var port: Int?
  var path: String?
  /// The sorted items, or `nil` if the query doesn't count.
  var query: [NamedValue]?
  /// The headers by lower-case name, in alphabetical order. A missing header has the value `nil`.
  var headers: [NamedValue] = []
  /// The body, or `nil` if bodies don't count.
  var body: RecordedBody?

  /// Creates an image of everything that is compared except the body.
  init(headOf facts: inout RequestFacts, _ comparison: ReplayComparison) {
    let (matching, ignored) = (comparison.matching, comparison.ignored)
    func value<Value>(of part: ReplayMatching, _ value: @autoclosure () -> Value) -> Value? {
      matching.contains(part) ? value() : nil
    }
    method = value(of: .method, facts.method)
    scheme = value(of: .scheme, facts.scheme ?? "")
    host = value(of: .host, facts.host ?? "")
    port = value(of: .port, facts.port ?? 0)
    path = value(of: .path, facts.path)
    query = value(of: .query, facts.queryItems.without(ignored.query).sorted(by: NamedValue.areInOrder))
    headers = matching.headerNames.filter { !ignored.headers.contains($0) }.map {
      NamedValue(name: $0, value: facts.header($0))
    }
  }

  /// Creates an image with the body, if bodies can count.
  init(_ facts: inout RequestFacts, _ comparison: ReplayComparison) {
    self.init(headOf: &facts, comparison)
    if comparison.matching.comparesBodies { body = RecordedBody(&facts, comparison.ignored) }
  }

  /// Returns the image with a mark in the place of each placeholder, and their number.
  func marked(_ placeholders: Placeholders) -> (image: RequestImage, count: Int) {
    guard !placeholders.isEmpty else { return (self, 0) }
    var (image, count) = (self, 0)
    image.host = host.map { Placeholders.marked(placeholders.pieces(ofHost: $0), &count) }
    image.path = path.map { Placeholders.marked(placeholders.pieces(of: $0), &count) }
    image.query = query?.map { $0.marked(placeholders, &count) }.sorted(by: NamedValue.areInOrder)
    image.headers = headers.map { $0.marked(placeholders, &count) }
    image.body = body?.marked(placeholders, &count)
    return (image, count)
  }
}

/// What stands for any placeholder in an image of a request.
///
/// An image has the types of a request, and is compared only with another image. So each mark is a value that no
/// request has, in place of a second type for each part.
enum PlaceholderMark {
  /// A character that Unicode reserves for such a use, and no text contains. The compiler takes none in a literal.
  static let text = String(Unicode.Scalar(0xFDD0 as UInt16) ?? "?")
  /// No number of a body.
  static let number = StubJSON(Double.nan)
}

extension Placeholders {
  /// Returns a text of pieces with a mark between them, and counts the marks.
  static func marked(_ pieces: [String], _ count: inout Int) -> String {
    count += pieces.count - 1
    return pieces.joined(separator: PlaceholderMark.text)
  }
}

extension NamedValue {
  func marked(_ placeholders: Placeholders, _ count: inout Int) -> NamedValue {
    // Of an item without a value, the name is what was redacted.
    guard let value else {
      return NamedValue(name: Placeholders.marked(placeholders.pieces(of: name), &count), value: nil)
    }
    return NamedValue(name: name, value: Placeholders.marked(placeholders.pieces(of: value), &count))
  }

  static func areInOrder(_ left: NamedValue, _ right: NamedValue) -> Bool {
    func key(_ item: NamedValue) -> (String, Int, String) { (item.name, item.value == nil ? 0 : 1, item.value ?? "") }
    return key(left) < key(right)
  }
}
