import Foundation
import StubKit
import StubKitArchive

/// The pieces of a recorded body. Between them, any bytes match, but not none, because those were redacted or differ in
/// each request.
struct RecordedText: Hashable {
  /// The recorded pieces, in order. The body begins with the first and ends with the last. There is at least one.
  let parts: [Data]

  /// Creates the pieces of text that contains placeholders.
  init(redacted data: Data, _ placeholders: Placeholders = .byLook) {
    parts = data.withUnsafeBytes { placeholders.pieces(of: $0.bindMemory(to: UInt8.self)) }
  }

  /// Creates the pieces of a multipart body, which has a new boundary in each request (RFC 2046, section 5.1).
  init(multipart data: Data, boundary: String) { parts = data.parts(between: Data(boundary.utf8)) }

  init(_ parts: [Data]) { self.parts = parts }

  /// Returns the pieces without the placeholders in them.
  func redacted(_ placeholders: Placeholders) -> RecordedText {
    RecordedText(parts.flatMap { RecordedText(redacted: $0, placeholders).parts })
  }

  /// Returns whether the body contains the pieces in this order. It reads each byte at most a few times.
  func isMet(by body: Data) -> Bool {
    let first = parts[0]
    guard let last = parts.dropFirst().last else { return body == first }
    guard body.count > first.count + last.count, body.starts(with: first), body.suffix(last.count) == last else {
      return false
    }
    var rest = body.dropFirst(first.count).dropLast(last.count)
    // The first match of a piece leaves the most bytes for the others.
    for part in parts.dropFirst().dropLast() {
      rest = rest.dropFirst()
      guard !part.isEmpty else { continue }
      guard let place = rest.range(of: part) else { return false }
      rest = rest[place.upperBound...]
    }
    return !rest.isEmpty
  }

  /// The body, with the mark wherever any text matches.
  var data: Data { Data(parts.joined(separator: Data(PlaceholderText.mark.utf8))) }
}

/// A recorded body without a structure that has redacted parts, or a recorded multipart body.
final class RecordedTextCriterion: Criterion {
  private let text: RecordedText
  private let ignored: IgnoredParts

  init(_ text: RecordedText, _ ignored: IgnoredParts) { (self.text, self.ignored) = (text, ignored) }

  var description: String { "hasBody(\(text.data.swiftSource))" }
  var subject: String { "body" }
  var expectation: String { text.data.excerpt }
  var stages: Stages { .body }

  func test(_ facts: inout RequestFacts) -> Bool {
    text.isMet(by: facts.reducedBody(ignored) ?? Data())
  }

  func actual(_ facts: inout RequestFacts) -> String? { facts.bodyData?.excerpt }

  func explainMismatch(_ facts: inout RequestFacts, _ result: inout ScoredMismatches) {
    guard let body = facts.reducedBody(ignored) else { return result.add(Points.otherBody, mismatch(actual: nil)) }
    let fields = facts.boundary.map { differingFields(of: body, boundary: $0) } ?? []
    guard !fields.isEmpty else { return result.add(Points.body.upperBound, mismatch(actual: actual(&facts))) }
    for field in fields { result.add(max(1, Points.body.upperBound / fields.count), field) }
  }

  /// Returns the fields of a multipart body that differ, or none if it has other fields than the recorded one.
  private func differingFields(of body: Data, boundary: String) -> [RequestMatcher.Mismatch] {
    // The mark stands for the boundary, too.
    let recorded = MultipartBody(parsing: text.data, boundary: PlaceholderText.mark).parts
    let parts = MultipartBody(parsing: body, boundary: boundary).parts
    guard recorded.map(\.name) == parts.map(\.name) else { return [] }
    return zip(recorded, parts).compactMap { wanted, part in
      // What is redacted is the mark there.
      guard let name = part.name, !RecordedText(redacted: wanted.body).isMet(by: part.body) else { return nil }
      return .init("form field \(name.plain)", expected: wanted.body.excerpt, actual: part.body.excerpt)
    }
  }
}

extension RequestFacts {
  /// The boundary of a multipart body, or `nil` if the body is of another kind.
  var boundary: String? { mutating get { header("Content-Type").flatMap(MultipartBody.boundary(ofContentType:)) } }

  /// Returns what is compared of the body, or `nil` if there is none.
  fileprivate mutating func reducedBody(_ ignored: IgnoredParts) -> Data? {
    guard let body = bodyData else { return nil }
    return boundary.map { ignored.reduced(body, boundary: $0) } ?? body
  }
}

extension Data {
  /// Splits the bytes at each occurrence of a separator.
  func parts(between separator: Data) -> [Data] {
    var (parts, rest) = ([Data](), self[...])
    while let place = rest.range(of: separator) {
      parts.append(Data(rest[..<place.lowerBound]))
      rest = rest[place.upperBound...]
    }
    return parts + [Data(rest)]
  }
}
