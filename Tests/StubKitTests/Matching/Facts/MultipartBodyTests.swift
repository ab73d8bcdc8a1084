import Foundation
import TestSupport
import Testing

@testable import StubKit
@testable import StubKitFormats

@Suite("A multipart body", .inTurn)
struct MultipartBodyTests {
  static let body = [
    "preamble", "--XX", "Content-Disposition: form-data; name=\"title\"", "", "a --XX in the text", "--XX",
    "content-disposition: form-data; filename=\"a;b.png\"; name=\"file\"", "Content-Type: image/PNG; charset=x", "",
    "\u{1}\n\u{2}", "--XXY", "--XX",
    "Content-Disposition: form-data; name=bare; filename=x", "Content-Type: application/json", "", "", "--XX--",
    "epilogue", "--XX",
    "Content-Disposition: form-data; name=\"late\"", "", "", "--XX--",
  ].joined(separator: "\r\n")

  @Test(
    "has the parts between its delimiters",
    arguments: [
      ("title", nil, true), ("title", "text/plain", true), ("title", "image/png", false), ("file", "image/png", true),
      ("file", "IMAGE/png", true), ("file", "image/png; charset=x", true), ("file", "image/png; charset=y", false),
      ("bare", "application/json", true),
      ("late", nil, false), ("Title", nil, false), ("x", nil, false),
    ] as [(String, String?, Bool)])
  func parts(name: String, contentType: String?, expected: Bool) {
    for header in ["multipart/form-data; boundary=XX", "Multipart/Mixed; charset=utf-8; boundary=\"XX\""] {
      #expect(
        hasMultipartPart(named: name, contentType: contentType).matches(post(Self.body, contentType: header))
          == expected)
    }
    let bareLines = post(Self.body.replacing("\r\n", with: "\n"), contentType: "multipart/form-data; boundary=XX")
    #expect(hasMultipartPart(named: name, contentType: contentType).matches(bareLines) == expected)
  }

  @Test(
    "is found by the file, the type and the content of one part",
    arguments: [
      (hasMultipartPart(named: "file", filename: "a;b.png"), true),
      (hasMultipartPart(named: "file", filename: "A;b.png"), false),
      (hasMultipartPart(named: "title", filename: ""), false),
      (hasMultipartPart(named: "title", value: "a --XX in the text"), true),
      (hasMultipartPart(named: "title", value: "a"), false), (hasMultipartPart(named: "bare", value: ""), true),
      (hasMultipartPart(named: "bare", filename: "x", contentType: "application/json", value: ""), true),
      (hasMultipartPart(named: "bare", filename: "x", contentType: "text/css", value: ""), false),
    ])
  func content(matcher: RequestMatcher, expected: Bool) {
    #expect(matcher.matches(post(Self.body, contentType: "multipart/form-data; boundary=XX")) == expected)
  }

  @Test("takes header fields in several lines")
  func folded() {
    let text = "--x\r\nContent-Disposition: form-data;\r\n\tname=\"a\"\r\nContent-Type:\r\n text/css\r\n\r\nv\r\n--x--"
    #expect(
      hasMultipartPart(named: "a", contentType: "text/css")
        .matches(post(text, contentType: "multipart/form-data; boundary=x")))
  }

  @Test("keeps each part's bytes")
  func bytes() {
    let parts = MultipartBody(parsing: Data(Self.body.utf8), boundary: "XX").parts
    #expect(parts.map(\.name) == ["title", "file", "bare"])
    #expect(
      parts.map { String(decoding: $0.body, as: UTF8.self) } == ["a --XX in the text", "\u{1}\n\u{2}\r\n--XXY", ""])
  }

  @Test(
    "is none without a boundary",
    arguments: [nil, "multipart/form-data", "text/plain; boundary=XX", "multipart/form-data; boundary="])
  func noBoundary(contentType: String?) {
    #expect(!hasMultipartPart(named: "title").matches(post(Self.body, contentType: contentType)))
  }

  @Test("that is cut off keeps what came")
  func truncated() {
    let cut = Data("--XX\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nhal".utf8)
    let parts = MultipartBody(parsing: cut, boundary: "XX").parts
    #expect(parts.count == 1 && parts[0].name == "a" && parts[0].body == Data("hal".utf8))
    #expect(MultipartBody(parsing: Data(), boundary: "XX").parts.isEmpty)
    #expect(MultipartBody(parsing: Data("--XX--".utf8), boundary: "XX").parts.isEmpty)
  }
}
