import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("The format of a body")
struct BodyFormatTests {
  private static let jpeg = Data([0xFF, 0xD8, 0xFF, 0xE0, 0, 0x10, 0x4A, 0x46, 0x49, 0x46])

  @Test("is a form only if it is UTF-8")
  func forms() {
    for (body, isForm) in [(nil, true), (Data(), true), (Data("a=1".utf8), false), (Self.jpeg, false)]
      as [(Data?, Bool)]
    {
      let post = request(url("http://a.example/"), method: "POST", body: body)
      #expect(hasFormBody([:]).matches(post) == isForm, "\(body.map { "\($0)" } ?? "none")")
      #expect(hasFormBody(items: []).matches(post) == isForm)
    }
  }

  @Test("can begin with a byte order mark in GraphQL, as in JSON")
  func byteOrderMark() {
    let mark = "\u{FEFF}"
    for (body, type) in [
      ("\(mark)query GetUser { user }", "application/graphql"), ("\(mark){\"query\":\"query GetUser { user }\"}", nil),
      ("{\"query\":\"\(mark)query GetUser { user }\"}", nil), ("{\"query\":\"query\(mark)GetUser { user }\"}", nil),
    ] {
      #expect(isGraphQL(operation: "GetUser").matches(post(body, contentType: type)), "\(body)")
    }
  }

  @Test("has the same text in the composed and in the decomposed form")
  func normalForms() {
    let texts = ["caf\u{E9}", "cafe\u{301}"]
    func part(_ text: String) -> URLRequest {
      post(
        "--x\r\nContent-Disposition: form-data; name=\"\(text)\"\r\n\r\n\(text)\r\n--x--",
        contentType: "multipart/form-data; boundary=x")
    }
    for (written, sent) in [(texts[0], texts[1]), (texts[1], texts[0])] {
      for (matcher, request) in [
        (bodyContains(written), post("a \(sent) b")), (hasMultipartPart(named: written, value: written), part(sent)),
        (hasFormBody([written: written]), post("\(sent)=\(sent)")),
        (hasJSONBody([written: JSONValue(written)]), post("{\"\(sent)\":\"\(sent)\"}")),
        (hasJSON(at: written, equals: JSONValue(written)), post("{\"\(sent)\":\"\(sent)\"}")),
      ] {
        #expect(matcher.matches(request), "\(matcher)")
      }
    }
  }
}
