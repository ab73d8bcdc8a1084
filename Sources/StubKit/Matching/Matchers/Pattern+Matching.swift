import Foundation
import StubKitFormats

extension Pattern {
  /// Returns whether the text contains a match.
  func test(_ text: String, _ captures: inout Captures) -> Bool {
    firstMatch(in: text, &captures) != nil
  }

  /// Returns the first match, and captures its named groups.
  func firstMatch(in text: String, _ captures: inout Captures) -> NSTextCheckingResult? {
    let whole = NSRange(location: 0, length: text.utf16.count)
    guard let match = expression.firstMatch(in: text, range: whole) else { return nil }
    for name in names {
      if let range = Range(match.range(withName: name), in: text) { captures.add(name, String(text[range])) }
    }
    return match
  }
}
