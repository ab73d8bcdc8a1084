import Foundation
import TestSupport
import Testing

@testable import StubKit
@testable import StubKitFormats

@Suite("Response headers", .inTurn)
struct ResponseHeadersTests {
  @Test("are found whatever the case of their name")
  func lookUp() {
    let headers: ResponseHeaders = ["Content-Type": "text/html", "X-A": "1"]
    #expect(headers["content-type"] == "text/html")
    #expect(headers["CONTENT-TYPE"] == "text/html")
    #expect(headers["Content-Typ"] == nil)
    #expect(headers.contains("x-a"))
    #expect(!headers.contains("x-b"))
  }

  @Test("replace all of a name, at the place of the first")
  func replacing() {
    var headers: ResponseHeaders = ["A": "1", "B": "2", "a": "3"]
    headers.replace("a", "4")
    #expect(headers.fields.map(\.name) == ["a", "B"])
    #expect(headers.fields.map(\.value) == ["4", "2"])
    headers.replace("C", "5")
    #expect(headers.fields.last == .init(name: "C", value: "5"))
  }

  @Test("keep what was added twice, and join it for HTTPURLResponse in the first spelling")
  func appending() {
    var headers: ResponseHeaders = ["Set-Cookie": "a=1", "X": "y"]
    headers.append("set-cookie", "b=2")
    #expect(headers.fields.count == 3)
    #expect(headers["Set-Cookie"] == "a=1, b=2")
    #expect(headers.joined == ["Set-Cookie": "a=1, b=2", "X": "y"])
  }

  @Test("made from a dictionary are always in the same order")
  func order() {
    #expect(ResponseHeaders(["c": "3", "a": "1", "b": "2"]).fields.map(\.name) == ["a", "b", "c"])
  }

  @Test("set a default only where the caller set nothing")
  func defaults() {
    var headers: ResponseHeaders = ["content-length": "7"]
    headers.setDefault("Content-Length", "9")
    headers.setDefault("Content-Type", nil)
    headers.setDefault("X", "y")
    #expect(headers.joined == ["content-length": "7", "X": "y"])
  }

  @Test("accept every token as a name")
  func validNames() {
    for name in ["A", "x-1", "!#$%&'*+-.^_`|~", "ETag"] {
      #expect(ResponseHeaders.problem(name, "") == nil, "\(name)")
    }
  }

  @Test("refuse what is no token as a name")
  func invalidNames() {
    for name in ["", "A B", "A:", "é", "a\n", "(a)", "a/b", "\"a\"", "a\u{7F}"] {
      #expect(ResponseHeaders.problem(name, "x") == .invalidHeaderName(name), "\(name)")
    }
  }

  @Test("refuse a line break or NUL in a value")
  func invalidValues() {
    for value in ["a\nb", "a\rb", "a\r\nb", "\0", "\r\n"] {
      #expect(ResponseHeaders.problem("A", value) == .invalidHeaderValue(value, name: "A"), "\(value)")
    }
  }

  @Test("accept any other value")
  func validValues() {
    for value in ["", " ", "a\tb", "é", "{\"a\": 1}"] {
      #expect(ResponseHeaders.problem("A", value) == nil, "\(value)")
    }
  }
}
