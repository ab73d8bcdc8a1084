import Foundation
import TestSupport
import Testing

@testable import StubKit
@testable import StubKitFormats

@Suite("A multipart body", .inTurn)
struct MultipartBodyTests {
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
}
