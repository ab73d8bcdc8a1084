#if os(Linux)
  import Foundation
  import FoundationNetworking
  import TestSupport
  import Testing

  @testable import StubKit
  @testable import StubKitFormats

  @Suite("A head from a template", .inTurn)
  struct HeadTemplatesTests {
    @Test(
      "says the same as one that is created from its headers",
      arguments: [
        [:], ["content-type": "text/html; charset=UTF-8"], ["Content-Type": "image/png", "content-length": "7"],
        ["Content-Length": "none"], ["Content-Disposition": "attachment; filename=a.txt", "X-A": "1", "x-a": "2"],
        ["Transfer-Encoding": "chunked"],
      ] as [ResponseHeaders], [200, 401, 204])
    func equality(headers: ResponseHeaders, status: Int) throws {
      let templates = try #require(HeadTemplates())
      for (path, length) in [("1.html", nil), ("2.png", 12), ("", 0), ("4", 1 << 40)] as [(String, Int?)] {
        let address = url("http://a.example/\(path)")
        let content = HeadContent(
          status: status, headers: headers, addedLength: headers.missingLength(ofBody: length, status: status))
        let head = try #require(templates.head(for: address, content))
        let made = try #require(Platform.makeResponse(url: address, status: status, headers: content.fields))
        #expect(type(of: head) == type(of: made))
        #expect(head.allHeaderFields as? [String: String] == made.allHeaderFields as? [String: String])
        #expect(
          [head.url?.absoluteString, head.mimeType, head.textEncodingName, head.suggestedFilename]
            == [made.url?.absoluteString, made.mimeType, made.textEncodingName, made.suggestedFilename])
        #expect([Int64(head.statusCode), head.expectedContentLength] == [Int64(status), made.expectedContentLength])
      }
    }
  }
#endif
