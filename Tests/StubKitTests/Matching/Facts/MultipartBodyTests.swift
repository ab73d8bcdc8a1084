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

  @Test("has the parts between its delimiters")
  func parts() {
    for (name, contentType, expected) in [
      ("title", nil, true), ("title", "text/plain", true), ("title", "image/png", false), ("file", "image/png", true),
      ("file", "IMAGE/png", true), ("file", "image/png; charset=x", true), ("file", "image/png; charset=y", false),
      ("bare", "application/json", true),
      ("late", nil, false), ("Title", nil, false), ("x", nil, false),
    ] as [(String, String?, Bool)] {
      for header in ["multipart/form-data; boundary=XX", "Multipart/Mixed; charset=utf-8; boundary=\"XX\""] {
        #expect(
          hasMultipartPart(named: name, contentType: contentType).matches(post(Self.body, contentType: header))
            == expected, "\(name)")
      }
      let bareLines = post(Self.body.replacing("\r\n", with: "\n"), contentType: "multipart/form-data; boundary=XX")
      #expect(hasMultipartPart(named: name, contentType: contentType).matches(bareLines) == expected, "\(name)")
    }
  }

  @Test("is found by the file, the type and the content of one part")
  func content() {
    for (matcher, expected) in [
      (hasMultipartPart(named: "file", filename: "a;b.png"), true),
      (hasMultipartPart(named: "file", filename: "A;b.png"), false),
      (hasMultipartPart(named: "title", filename: ""), false),
      (hasMultipartPart(named: "title", value: "a --XX in the text"), true),
      (hasMultipartPart(named: "title", value: "a"), false), (hasMultipartPart(named: "bare", value: ""), true),
      (hasMultipartPart(named: "bare", filename: "x", contentType: "application/json", value: ""), true),
      (hasMultipartPart(named: "bare", filename: "x", contentType: "text/css", value: ""), false),
    ] {
      #expect(
        matcher.matches(post(Self.body, contentType: "multipart/form-data; boundary=XX")) == expected, "\(matcher)")
    }
  }

  /// The encodings of RFC 5987 (section 3.2.2), of WHATWG's forms, and of clients that encode a name alike.
  @Test("has names and files as clients encode them")
  func encodedNames() {
    for (disposition, name, filename) in [
      (#"name=a; filename="x"; filename*=utf-8''na%C3%AFve%20%E2%82%AC.txt"#, "a", "na\u{EF}ve €.txt"),
      (#"name=a; filename*=UTF-8'en'%c2%a3%20and%20%e2%82%ac%20rates; filename=x"#, "a", "£ and € rates"),
      ("name=a; filename*=iso-8859-1'en'%A3%20rates", "a", "£ rates"), ("name=a; filename*=utf-8''%FF", "a", nil),
      ("name=a; filename=x; filename*=utf-8''%FF", "a", "x"), ("name=a; filename=x; filename*=utf-8''%z", "a", "x"),
      ("name=a; filename=x; filename*=koi8-r''y", "a", "x"), ("name=a; filename=x; filename*=y", "a", "x"),
      ("name=a; filename*=UTF-8''Ann's%20cat.png", "a", "Ann's cat.png"), ("name=a; filename*=utf-8'y", "a", nil),
      (#"name="a%22b%0D%0Ac"; filename="%22x%22.txt""#, "a\"b\r\nc", "\"x\".txt"),
      (#"name="a\"b"; filename="50%.txt""#, "a\"b", "50%.txt"),
      ("name*=utf-8''%E2%82%AC; filename=%2522", "€", "%2522"),
    ] {
      let text = "--x\r\nContent-Disposition: form-data; \(disposition)\r\n\r\nv\r\n--x--"
      #expect(
        MultipartBody(parsing: Data(text.utf8), boundary: "x").parts.map(\.filename) == [filename], "\(disposition)")
      let request = post(text, contentType: "multipart/form-data; boundary=x")
      #expect(hasMultipartPart(named: name, filename: filename).matches(request), "\(disposition)")
    }
  }

  @Test("without names is listed by its Content-IDs and types")
  func unnamed() {
    let text = "--x\r\nContent-ID: <meta>\r\n\r\n{}\r\n--x\r\nContent-Type: image/png\r\n\r\n1\r\n--x--"
    let report = hasMultipartPart(named: "a").mismatches(post(text, contentType: "multipart/related; boundary=x"))
    #expect(
      report.map(\.description) == ["body part a: expected any type, got a part without a name: <meta>, image/png"])
  }

  @Test("takes header fields in several lines")
  func folded() {
    let text = "--x\r\nContent-Disposition: form-data;\r\n\tname=\"a\"\r\nContent-Type:\r\n text/css\r\n\r\nv\r\n--x--"
    #expect(
      hasMultipartPart(named: "a", contentType: "text/css")
        .matches(post(text, contentType: "multipart/form-data; boundary=x")))
  }

  @Test("is none without a boundary")
  func noBoundary() {
    for contentType in [nil, "multipart/form-data", "text/plain; boundary=XX", "multipart/form-data; boundary="] {
      #expect(!hasMultipartPart(named: "title").matches(post(Self.body, contentType: contentType)), "\(contentType)")
    }
  }
}
