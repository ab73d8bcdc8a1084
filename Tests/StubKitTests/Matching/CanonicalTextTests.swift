import Foundation
import TestSupport
import Testing

@testable import StubKit
@testable import StubKitFormats

@Suite("Text is compared in its canonical form", .inTurn)
struct CanonicalTextTests {
  /// Characters in several canonical forms, marks, characters beyond the basic multilingual plane with the same low 16
  /// bits as others, and characters that compose beyond the plane.
  static let pieces = [
    "a", "e", "O", "K", ";", "`", "<", "/", "1", "\u{301}", "\u{304}", "\u{323}", "\u{307}", "\u{338}", "\u{E9}",
    "\u{14C}",
    "\u{212A}", "\u{37E}", "\u{1FEF}", "\u{226E}", "\u{1004F}", "\u{10304}", "\u{1D15E}", "\u{1D157}", "\u{1D165}",
    "\u{11099}", "\u{110BA}", "\u{1109A}", "\u{2F800}", "\u{4E3D}", "\u{1100}", "\u{1161}", "\u{11A8}", "\u{AC00}",
    "\u{AC01}", "\u{600}", "\u{1F1E6}", "\u{200D}", "\u{1F469}", "\r", "\n", "\u{FFFD}", "\u{1E69}", "s",
  ]

  static func text(_ random: inout SplitMix64, _ most: Int = 5) -> String {
    (0..<Int.random(in: 0...most, using: &random)).map { _ in pieces.randomElement(using: &random)! }.joined()
  }

  @Test("with equal hashes for equal texts, and equal bytes if they are in ASCII")
  func hashes() {
    var random = SplitMix64(seed: 18)
    let texts = (0..<3_000).map { _ in Self.text(&random, 3) }
    let byText = Dictionary(grouping: texts) { $0 }
    for (text, equals) in byText {
      for other in equals {
        #expect(KeyHash.of(text) == KeyHash.of(other), "\(text.unicodeScalars) \(other.unicodeScalars)")
        #expect(text.canonical == other && text.canonical.isASCII == other.canonical.isASCII)
        #expect(!text.canonical.isASCII || Array(text.canonical.utf8) == Array(other.canonical.utf8))
      }
    }
    #expect(byText.values.contains { Set($0.map { Array($0.utf8) }).count > 1 })
    #expect(KeyHash.of("\u{1004F}\u{304}") != KeyHash.of("\u{14C}"))
  }

  @Test("in matchers of paths, hosts and queries, which take no character for another with the same low 16 bits")
  func beyondThePlane() {
    #expect(!isPath("/\u{14C}").matches(request("http://h/%F0%90%81%8F%CC%84")))
    #expect(!isPath("/\u{14C}").matches(request("http://h/%F0%B0%81%8F%CC%84")))
    #expect(isPath("/\u{1004F}\u{304}").matches(request("http://h/%F0%90%81%8F%CC%84")))
    #expect(isPath("/\u{14C}").matches(request("http://h/O%CC%84")))
    #expect(!containsQuery("\u{14C}").matches(request("http://h/?%F0%90%81%8F%CC%84")))
    #expect(!pathStartsWith("/\u{14C}").matches(request("http://h/%F0%90%81%8F%CC%84")))
    #expect(!isPath(template: "/{a}-\u{14C}").matches(request("http://h/a-%F0%90%81%8F%CC%84")))
    #expect(isPath(template: "/{a}-\u{1004F}\u{304}").matches(request("http://h/a-%F0%90%81%8F%CC%84")))
    #expect(HostName.canonical("o\u{10304}.com") != HostName.canonical("\u{14D}.com"))
  }

  @Test("also where a text begins, ends or is cut, whichever form it has")
  func edges() async {
    for seed in [UInt64(1), 2, 3] {
      // A long loop leaves the thread to other tests.
      await Task.yield()
      var random = SplitMix64(seed: seed)
      for _ in 0..<TestSize.of(4_000, inPart: 800) {
        let (text, affix) = (Self.text(&random), Self.text(&random, 2))
        for (text, affix) in [
          (text, affix), (text.decomposedStringWithCanonicalMapping, affix), (affix + text, affix),
          (text + affix, affix),
        ] where text == text.decomposedStringWithCanonicalMapping {
          let comment: Comment = "\(text.unicodeScalars.map(\.value)) \(affix.unicodeScalars.map(\.value))"
          // Whole characters are found, as Swift finds them.
          #expect(!text.hasPrefix(affix) || text.begins(with: affix), comment)
          #expect(!text.hasSuffix(affix) || text.ends(with: affix), comment)
          // What is found is equal in every form.
          if let end = text[...].end(ofPrefix: affix) { #expect(text[..<end] == affix, comment) }
          if let start = text[...].start(ofSuffix: affix) { #expect(text[start...] == affix, comment) }
        }
      }
    }
  }
}

@Suite("Percent escapes", .inTurn)
struct PercentEncodingTests {
  @Test("are decoded as Foundation decodes them, but for its errors")
  func asFoundation() async {
    for seed in [UInt64(4), 5, 6] {
      // A long loop leaves the thread to other tests.
      await Task.yield()
      let pieces = [
        "a", "/", "%", "%4", "%41", "%zz", "%2F", "%2f", "%25", "%00", "%C3", "%A9", "%C3%A9", "%E2%82%AC",
        "%F0%9F%98%80",
        "%FF", "%FE", "%ED%A0%80", "%C0%80", "%F8%88%80%80%80", "%EF%BF%BD", "é", "\u{301}", "%CC%81", "+", "%EF%BB%BF",
        "g",
      ]
      var random = SplitMix64(seed: seed)
      var (agreed, differed) = (0, 0)
      for _ in 0..<TestSize.of(5_000, inPart: 1_000) {
        let text = (0..<Int.random(in: 0...6, using: &random)).map { _ in pieces.randomElement(using: &random)! }
          .joined()
        let expected = text.removingPercentEncoding ?? text
        if text.percentDecoded.unicodeScalars.elementsEqual(expected.unicodeScalars) {
          agreed += 1
          continue
        }
        differed += 1
        // Foundation drops a byte order mark, which is a character like others in a URL.
        if text.percentDecoded.unicodeScalars.first == "\u{FEFF}" { continue }
        // Foundation takes bytes that are no UTF-8 for U+FFFD or leaves some of them out; here the text stays as it is.
        #expect(text.percentDecoded.utf8.elementsEqual(text.utf8), "\(text)")
        let bytes = Self.bytes(of: text)
        #expect(bytes.map { !String(decoding: $0, as: UTF8.self).utf8.elementsEqual($0) } ?? true, "\(text)")
      }
      #expect(agreed > differed, "\(seed)")
    }
  }

  /// The slow way, by scalars.
  private static func bytes(of text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard rest.count >= 2, rest.prefix(2).allSatisfy({ $0.hexadecimalDigit != nil }),
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return bytes
  }

  @Test("that are no UTF-8 stay")
  func strict() {
    for (text, expected) in [
      ("%A9", "%A9"), ("%C3%A9", "é"), ("a%FFb", "a%FFb"), ("%41%zz", "%41%zz"), ("%", "%"), ("%4", "%4"),
      ("%%41", "%%41"),
      ("%EF%BF%BD", "\u{FFFD}"), ("%00", "\0"), ("%e9", "%e9"), ("%41%2f", "A/"), ("+%2B", "++"),
    ] {
      #expect(text.percentDecoded.utf8.elementsEqual(expected.utf8), "\(text)")
    }
  }

  @Test("of a form are decoded where they can be")
  func lenient() {
    for (text, expected) in [
      ("%A9", "\u{FFFD}"), ("a+%2B", "a +"), ("%zz%41", "%zzA"), ("%4", "%4"), ("%%41", "%A"), ("%4+1", "%4 1"),
      ("%4%41", "%4A"),
      ("%a%c3%a9", "%aé"),
    ] {
      #expect(text[...].formDecoded == expected, "\(text)")
    }
  }
}
