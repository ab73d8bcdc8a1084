import Foundation

/// The bytes of a recorded body, of which some were redacted or differ from one request to the next: in between there may be any.
struct RecordedText: Sendable, Hashable {
  /// What was recorded, in order; the first begins the body and the last ends it. At least one.
  let parts: [Data]

  /// A text with the mark in it.
  init(redacted data: Data) { parts = data.parts(between: Data(Redacted.mark.utf8)) }

  /// A multipart body, which has another boundary in each request (RFC 2046, 5.1), and may be redacted.
  init(multipart data: Data, boundary: String) {
    parts = data.parts(between: Data(boundary.utf8)).flatMap { $0.parts(between: Data(Redacted.mark.utf8)) }
  }

  /// Whether the body has the parts in this order. It looks at each byte a few times at the most.
  func isMet(by body: Data) -> Bool {
    guard let first = parts.first, let last = parts.last else { return true }
    guard parts.count > 1 else { return body == first }
    guard body.count >= first.count + last.count, body.starts(with: first), body.suffix(last.count) == last else {
      return false
    }
    var rest = body.dropFirst(first.count).dropLast(last.count)
    // The first place where a part fits leaves the most for those that follow.
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard let place = rest.range(of: part) else { return false }
      rest = rest[place.upperBound...]
    }
    return true
  }

  /// The body with the mark wherever there may be any text.
  var data: Data { Data(parts.joined(separator: Data(Redacted.mark.utf8))) }
}

extension Data {
  /// What is left when every occurrence of the separator is taken out: one piece more than there are occurrences.
  fileprivate func parts(between separator: Data) -> [Data] {
    var parts: [Data] = []
    var rest = self[...]
    while let place = rest.range(of: separator) {
      parts.append(Data(rest[..<place.lowerBound]))
      rest = rest[place.upperBound...]
    }
    return parts + [Data(rest)]
  }
}
