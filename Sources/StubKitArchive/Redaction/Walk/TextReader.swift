import Foundation
import StubKit

extension LeafVisitor {
  /// Reads text: tags and elements, URLs, names with a value after a colon or an equals sign, and words.
  mutating func readText(_ text: SecretText) {
    readWords(text)
    let bytes = text.bytes
    var ends = ValueEnds(bytes)
    // Where the open tag begins.
    var tag: Int?
    var mark = bytes.firstIndex(in: .textMarks)
    while mark < bytes.count {
      var next = mark + 1
      switch bytes[mark] {
      case UInt8(ascii: "<"):
        if tag != nil { end() }
        tag = next
        begin(nil)
      case UInt8(ascii: ">"):
        guard let start = tag else { break }
        tag = nil
        end()
        let (name, content) = (bytes.elementName(from: start), text.content(from: next))
        guard !name.isEmpty, !content.bytes.isEmpty else { break }
        if visit(Leaf(place: .element, name: text[name].string, value: content), content) { readBase64(content) }
      case UInt8(ascii: ":") where bytes.has("://", at: mark):
        let end = bytes.endOfURL(from: mark + 3)
        let start = bytes.startIndex(of: .scheme, before: mark, notBefore: max(0, mark - 30))
        readURL(text[start..<end])
        next = max(next, end)
      default:
        let name = bytes.name(before: mark)
        let start = bytes.firstIndex(notIn: .blank, from: next)
        guard !name.isEmpty, start > next || !bytes.isInPath(name, mark) else { break }
        let quote = start < bytes.count && "\"'`".utf8.contains(bytes[start]) ? bytes[start] : nil
        let closed = quote.flatMap { text.quoted(from: start, by: $0) }
        let value = closed ?? text[ends.range(from: quote == nil ? start : start + 1)]
        guard !value.bytes.isEmpty else { break }
        // Of many names and values without anything between them, only the last is looked at as a whole.
        let inner = bytes.firstIndex(in: .textMarks, from: start)
        guard closed != nil || value.bytes.count <= 256 || inner + 2 >= start + value.bytes.count else { break }
        var leaf = Leaf(place: .text, name: text[name].string, value: value)
        if quote != nil {
          leaf.place = tag == nil ? .quoted : .attribute
        } else if bytes[mark] == UInt8(ascii: "="), start == next {
          leaf.place = .assigned
        }
        if !visit(leaf, value) {
          next = max(next, start + value.bytes.count)
        } else if leaf.place == .attribute, value.bytes.isURL {
          readLink(value)
        }
      }
      mark = bytes.firstIndex(in: .textMarks, from: next)
    }
    if tag != nil { end() }
  }

  /// Reads each word with a digit, as in `--token x1` or `The API key is x1`. Its name is the words before
  /// it.
  mutating func readWords(_ text: SecretText) {
    let bytes = text.bytes
    var digit = bytes.firstIndex(in: .digit)
    while digit < bytes.count {
      let start = bytes.startIndex(of: .notSpace, before: digit, notBefore: max(0, digit - 200))
      let end = bytes.firstIndex(in: .space, from: digit)
      digit = bytes.firstIndex(in: .digit, from: end)
      guard 4...8_192 ~= end - start else { continue }
      let first = bytes.firstIndex(notIn: .aroundWord, from: start)
      let value = text[first..<bytes.startIndex(of: .aroundWord, before: end, notBefore: first)]
      let before = text[max(0, start - 80)..<start].pieces(at: .newline)
      let leaf = Leaf(place: .word, name: before[before.count - 1].string, value: value)
      // What has a name of its own is no word.
      let isWord = value.bytes.firstIndex(in: .markup) + 2 >= value.bytes.count
      if isWord, !value.bytes.isEmpty { _ = visit(leaf, value) }
    }
  }
}

/// Where values without quotation marks end in a text: at white space, a quotation mark or `&`, at a tag, and at a `;`
/// or `,` before the name of another value. Each byte is read once, wherever values begin.
private struct ValueEnds {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var end = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  mutating func range(from start: Int) -> Range<Int> {
    if start >= end {
      end = bytes.firstIndex(in: .valueEnd, from: start)
      while isInValue(end) { end = bytes.firstIndex(in: .valueEnd, from: end + 1) }
    }
    // The end of a sentence and a bracket aren't a part of it.
    let last = max(start, min(end, start + 4_096))
    return start..<bytes.startIndex(of: .closing, before: last, notBefore: start)
  }

  /// Whether a separator is before a piece that has no name of its own.
  private func isInValue(_ end: Int) -> Bool {
    let next = end + 1
    guard next < bytes.count, ";,".utf8.contains(bytes[end]), !ByteSet.valueEnd[bytes[next]] else { return false }
    let name = bytes.firstIndex(notIn: .name, from: next)
    return name == bytes.count || !"=:".utf8.contains(bytes[name])
  }
}

extension SecretText {
  /// Returns the value between quotation marks, or `nil` if nothing closes them in the same line.
  fileprivate func quoted(from start: Int, by quote: UInt8) -> SecretText? {
    guard let end = bytes.firstIndex(of: quote, from: start + 1, to: start + 8_192) else { return nil }
    let value = self[start + 1..<end]
    return value.bytes.firstIndex(in: .newline) < value.bytes.count ? nil : value
  }

  /// Returns the text of an element up to the next tag, without the space around it.
  fileprivate func content(from start: Int) -> SecretText {
    let first = bytes.firstIndex(notIn: .space, from: start)
    if bytes.has("<![CDATA[", at: first), let end = bytes.firstIndex(of: "]]>", from: first, to: first + 4_096) {
      return self[first + 9..<end]
    }
    return self[start..<bytes.firstIndex(in: .tag, from: start)].trimmed
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Returns the range of the name before a colon or an equals sign, without quotation marks.
  fileprivate func name(before mark: Int) -> Range<Int> {
    let least = Swift.max(0, mark - 140)
    let end = startIndex(of: .beforeMark, before: mark, notBefore: least)
    return startIndex(of: .name, before: end, notBefore: least)..<end
  }

  /// Whether a name before a colon is a part of a URN or a path.
  fileprivate func isInPath(_ name: Range<Int>, _ mark: Int) -> Bool {
    self[mark] == UInt8(ascii: ":") && name.lowerBound > 0 && "=/:".utf8.contains(self[name.lowerBound - 1])
  }

  /// Returns the range of the name of the element whose start tag begins at a position, without its prefix.
  fileprivate func elementName(from start: Int) -> Range<Int> {
    let end = firstIndex(notIn: .name, from: start)
    guard end < count, self[end] == UInt8(ascii: ":") else { return start..<end }
    return end + 1..<firstIndex(notIn: .name, from: end + 1)
  }

  /// Returns the end of a URL in a text, which can be the next one.
  fileprivate func endOfURL(from start: Int) -> Int {
    var end = firstIndex(in: .urlEnd, from: start)
    while end < count, self[end] == UInt8(ascii: ":"), !has("://", at: end) {
      end = firstIndex(in: .urlEnd, from: end + 1)
    }
    return end
  }
}
