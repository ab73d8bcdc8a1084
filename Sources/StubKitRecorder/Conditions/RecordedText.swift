import Foundation
import StubKitArchive
import StubKitFormats

/// The pieces of a recorded body. Between them, any bytes match, but not none, because those were redacted or differ in
/// each request.
struct RecordedText: Sendable, Hashable {
  /// The recorded pieces, in order. The body begins with the first and ends with the last. There is at least one.
  let parts: [Data]

  /// Creates the pieces of text that contains placeholders.
  init(redacted data: Data) { parts = data.partsBetweenPlaceholders }

  /// Creates the pieces of a multipart body, which has a new boundary in each request (RFC 2046, section 5.1). It can
  /// be redacted.
  init(multipart data: Data, boundary: String) {
    parts = data.parts(between: Data(boundary.utf8)).flatMap(\.partsBetweenPlaceholders)
  }

  /// Returns whether the body contains the pieces in this order. It reads each byte at most a few times.
  func isMet(by body: Data) -> Bool {
    guard let first = parts.first, let last = parts.last else { return true }
    guard parts.count > 1 else { return body == first }
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
  var data: Data { Data(parts.joined(separator: Data(Redacted.mark.utf8))) }
}

extension Data {
  /// Splits the bytes at each occurrence of a separator.
  fileprivate func parts(between separator: Data) -> [Data] {
    var parts: [Data] = []
    var rest = self[...]
    while let place = rest.range(of: separator) {
      parts.append(Data(rest[..<place.lowerBound]))
      rest = rest[place.upperBound...]
    }
    return parts + [Data(rest)]
  }

  fileprivate var partsBetweenPlaceholders: [Data] {
    withUnsafeBytes { bytes in
      let text = bytes.bindMemory(to: UInt8.self)
      var (parts, position) = ([Data](), 0)
      for range in Redacted.ranges(in: text) {
        parts.append(Data(text[position..<range.lowerBound]))
        position = range.upperBound
      }
      return parts + [Data(text[position...])]
    }
  }
}
