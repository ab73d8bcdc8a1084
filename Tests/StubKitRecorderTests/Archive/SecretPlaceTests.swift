import Foundation
import TestSupport
import Testing

@testable import StubKitArchive
@testable import StubKitRecorder

/// Secrets below sure names, wherever they stand. A text of each form has two.
@Suite("A secret", .inTurn)
struct SecretPlaceTests {
  /// What is known to stay, by the number of secrets: in tables, YAML, comments, quoted-printable, lists of names and
  /// values, and the quotation marks of print, which are read as plain text.
  private static let known = [
    "CSV": 2, "CSV with semicolons": 2, "CSV without a head": 2, "JSON with comments": 1, "LDIF": 1, "Markdown": 2,
    "TOML with sections": 1, "UTF-16 in Base64": 2, "YAML in a member": 2, "YAML with a text of lines": 2,
    "YAML with an anchor": 1, "YAML with two documents": 2, "a mail": 1, "a table of MySQL": 2,
    "a table of box characters": 2, "a table of psql": 2, "a table with a line between rows": 2, "an insertion": 2,
    "arguments in a list": 1, "columns beside rows": 2, "columns between spaces": 2, "comments around names": 2,
    "comments around values": 1, "entries with names": 1, "examples of Gherkin": 2, "fields beside values": 2,
    "keys of YAML": 2, "lists of names and values": 1, "parts in quoted-printable": 1, "quotation marks of print": 2,
    "tabs": 2, "values in the next line": 2,
  ]

  @Test(
    "is replaced in texts of many formats, but for known ones, and other values stay", arguments: SecretPlace.all)
  func places(_ place: SecretPlace) throws {
    let entry = RedactionTests.entry("/", answer: place.text, place.type)
    let archive = HTTPArchive(entry).redactedAndReported(.named).archive
    let body = try #require(archive.entries[0].response?.body)
    let (before, after) = (Decodings(place.text).all, Decodings(body.text).all)
    let left = SecretPlace.secrets.filter { secret in after.contains { $0.contains(secret) } }
    #expect(left.count == Self.known[place.name] ?? 0, "\(left): \(body.text)")
    for value in place.ordinary {
      try #require(before.contains { $0.contains(value) })
      #expect(after.contains { $0.contains(value) }, "\(value): \(body.text)")
    }
    #expect(archive.entries[0].response?.headers["Content-Length"] == "\(body.count)")
    // What is redacted stays so.
    #expect(archive.redactedAndReported(.named).archive == archive)
  }
}

/// All texts that a text contains, by decoding it and its parts.
struct Decodings {
  private(set) var all: Set<String> = []

  init(_ text: String) {
    var rest = [text]
    while let next = rest.popLast() {
      guard all.insert(next).inserted, all.count < 2_000 else { continue }
      rest += [next.percentDecoded, Self.unescaped(next), Self.withoutEntities(next), Self.printed(next)]
      for run in next.matches(of: #/(?:(?:0x)?[0-9a-fA-F]{2}[ :,]*){12,}/#) {
        let digits = run.0.replacing("0x", with: "").filter(\.isHexDigit)
        if let data = Self.hexadecimal(String(digits)) { rest.append(String(decoding: data, as: UTF8.self)) }
      }
      for run in next.matches(of: #/[A-Za-z0-9+\/_\-\n]{12,}=*/#) {
        let run = String(run.0)
        let bytes = [Data(base64OfAnyKind: run), Self.hexadecimal(run)].compactMap { $0 }
        rest += bytes.flatMap { data in
          [String(data: data, encoding: .utf8), String(data: data, encoding: .utf16LittleEndian)].compactMap { $0 }
        }
      }
    }
  }

  private static func unescaped(_ text: String) -> String {
    var text = text.replacing(#/\\(?:u00|x)([0-9a-fA-F]{2})/#) { String(UnicodeScalar(UInt8($0.1, radix: 16)!)) }
    for (escape, plain) in [("\\\\", "\u{1}"), ("\\n", "\n"), ("\\r", "\r"), ("\\\"", "\""), ("\\/", "/")] {
      text = text.replacing(escape, with: plain)
    }
    return text.replacing("\u{1}", with: "\\")
  }

  /// A text without what quoted-printable has for equals signs and long lines.
  private static func printed(_ text: String) -> String {
    text.replacing("=\r\n", with: "").replacing("=3D", with: "=")
  }

  private static func withoutEntities(_ text: String) -> String {
    [
      ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#34;", "\""), ("&colon;", ":"), ("&lowbar;", "_"),
      ("&amp;", "&"),
    ].reduce(text) {
      $0.replacing($1.0, with: $1.1)
    }
  }

  private static func hexadecimal(_ text: String) -> Data? {
    let digits = text.utf8.compactMap(\.hexadecimalDigit)
    guard digits.count == text.utf8.count, digits.count % 2 == 0 else { return nil }
    return Data(stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0]) << 4 | UInt8(digits[$0 + 1]) })
  }
}
