import Foundation
import TestSupport
import Testing

@testable import StubKit
@testable import StubKitFormats

@Suite("A delimiter before a combining mark is a delimiter", .inTurn)
struct DelimiterTests {
  static let mark = "\u{301}"

  @Test("in a JSON path")
  func jsonPath() {
    let body = post("{\"\(Self.mark)a\": {\"\(Self.mark)b\": [1]}, \"~\(Self.mark)\": 2, \"/\(Self.mark)\": 3}")
    for path in [
      "/\(Self.mark)a/\(Self.mark)b/0", "\(Self.mark)a.\(Self.mark)b[0]", "[\"\(Self.mark)a\"]['\(Self.mark)b'][0]",
    ] {
      #expect(hasJSON(at: path, equals: 1).matches(body), "\(path)")
    }
    #expect(hasJSON(at: "/~0\(Self.mark)", equals: 2).matches(body))
    #expect(hasJSON(at: "/~1\(Self.mark)", equals: 3).matches(body))
  }

  @Test("in a path template")
  func template() {
    let condition = isPath(template: "/{a}\(Self.mark)x{b}")
    #expect(condition.captures(request("http://h/-%CC%81xy")) == ["a": "-", "b": "y"])
    #expect(!condition.matches(request("http://h/-xy")))
    // The mark belongs to the letter before it, in each canonical form.
    #expect(!condition.matches(request("http://h/a%CC%81xy")) && !condition.matches(request("http://h/%C3%A1xy")))

    let slash = isPath(template: "/\(Self.mark)a/{b}")
    #expect(slash.captures(request("http://h/%CC%81a/%CC%81b")) == ["b": "\(Self.mark)b"])
    let prefix = isPath(template: "/v-{b}/{c}.\(Self.mark)d")
    #expect(prefix.captures(request("http://h/v-%CC%81b/c.%CC%81d")) == ["b": "\(Self.mark)b", "c": "c"])
    let point = isPath(template: "/{name}.{type}")
    #expect(point.captures(request("http://h/a.%CC%81b")) == ["name": "a", "type": "\(Self.mark)b"])
    let accent = isPath(template: "/\u{E9}-{a}-\u{E9}")
    for path in ["%C3%A9-1-%C3%A9", "e%CC%81-1-e%CC%81", "e%CC%81-1-%C3%A9"] {
      #expect(accent.captures(request("http://h/\(path)")) == ["a": "1"], "\(path)")
    }
    #expect(!isPath(template: "/e{a}").matches(request("http://h/e%CC%81x")))
  }

  @Test("in the beginning and the end of a path")
  func affixes() {
    let path = request("http://h/v1/%CC%81b/%CC%81c")
    for prefix in ["/", "/v1/", "/v1/\(Self.mark)b/", "/v1/\(Self.mark)b/\(Self.mark)c"] {
      #expect(pathStartsWith(prefix).matches(path), "\(prefix)")
    }
    for suffix in ["\(Self.mark)c", "/\(Self.mark)c", "b/\(Self.mark)c", "\(Self.mark)b/\(Self.mark)c"] {
      #expect(pathEndsWith(suffix).matches(path), "\(suffix)")
    }
    for accent in ["%C3%A9", "e%CC%81"] {
      let path = request("http://h/\(accent)/%CC%81b")
      #expect(pathStartsWith("/\u{E9}/").matches(path) && pathStartsWith("/e\u{301}/").matches(path))
      #expect(!pathStartsWith("/e").matches(path))
    }
    #expect(isExtension("\(Self.mark)x").matches(request("http://h/a/%CC%81b.%CC%81x")))
  }

  @Test("in the index, as in a scan")
  func index() {
    let registry = StubRegistry()
    let conditions = [
      pathStartsWith("/v1/"), pathStartsWith("/\u{E9}/"), pathEndsWith("/\u{E9}"), pathEndsWith("\u{E9}.x"),
      isPath(template: "/{a}-\(Self.mark)x{b}"),
    ]
    let paths = ["/v1/%CC%81b", "/e%CC%81/%CC%81", "/a/%C3%A9", "/a/e%CC%81", "/a/e%CC%81.x", "/1-%CC%81x2"]
    for condition in conditions {
      let stub = stub(condition: condition, response: .empty(), in: registry)
      for path in paths {
        let request = request("http://h" + path)
        #expect((registry.stub(matching: request) === stub) == condition.matches(request), "\(condition) \(path)")
      }
      #expect(paths.contains { condition.matches(request("http://h" + $0)) }, "\(condition)")
      stub.remove()
    }
  }

  @Test("in a Cookie header and in a header's parameters")
  func headers() {
    let cookies = NamedValue.cookies("a=\(Self.mark)1;\(Self.mark)b=2 ; c =\t3")
    #expect(
      cookies.map { "\($0.name)|\($0.value ?? "")" } == ["a|\(Self.mark)1", "\(Self.mark)b|2", "c|3"])
    let parameters = HeaderParameters("x;\(Self.mark)a=1;b=\(Self.mark)2; c=\"\(Self.mark)3\\\"\(Self.mark)\"; d=4")
    #expect(parameters["\(Self.mark)a"] == "1" && parameters["b"] == "\(Self.mark)2")
    #expect(parameters["c"] == "\(Self.mark)3\"\(Self.mark)" && parameters["d"] == "4")
  }

  @Test("in credentials")
  func credentials() {
    let header = "Basic " + Data("\(Self.mark)u:\(Self.mark)p".utf8).base64EncodedString()
    #expect(
      hasBasicAuth(user: "\(Self.mark)u", password: "\(Self.mark)p")
        .matches(request("http://h/", headers: ["Authorization": header])))
  }

  @Test("in credentials that begin with a byte order mark, as with any other character")
  func byteOrderMark() {
    let header = "Basic " + Data("\u{FEFF}u:p".utf8).base64EncodedString()
    let request = request("http://h/", headers: ["Authorization": header])
    #expect(hasBasicAuth(user: "\u{FEFF}u", password: "p").matches(request))
    #expect(!hasBasicAuth(user: "u", password: "p").matches(request))
    #expect(!hasBody(Data("a".utf8)).matches(post("\u{FEFF}a")))
    #expect(hasBody(Data("\u{FEFF}a".utf8)).description == "hasBody(Data(\"\u{FEFF}a\".utf8))")
  }

  @Test("in a multipart body")
  func multipart() {
    let body =
      "--X\r\nContent-Disposition: form-data; name=\"\(Self.mark)a\"\r\nContent-Type:\(Self.mark)t;\(Self.mark)c\r\n\r\n\(Self.mark)\r\n--X--"
    let parts = MultipartBody(parsing: Data(body.utf8), boundary: "X").parts
    #expect(parts.map(\.name) == ["\(Self.mark)a"] && parts[0].body == Data(Self.mark.utf8))
    #expect(parts[0].hasContentType("\(Self.mark)t"))
  }

  @Test("in a GraphQL document")
  func graphQL() {
    let document = "{\(Self.mark) a } #\(Self.mark) query No\nquery Yes{a(b:\"\(Self.mark){\")}"
    #expect(GraphQLOperation.names(inDocument: document) == ["Yes"])
  }

  @Test("in what a matcher refuses")
  func mistakes() {
    #expect(isPath("/a?\u{301}b=1").mistake != nil)
    #expect(isHost("a/\u{301}").mistake != nil)
    #expect(isHost("a:\u{301}80").mistake != nil)
    #expect(hasCookie("a=\u{301}b").mistake != nil)
    #expect(hasBasicAuth(user: "a:\u{301}b", password: "").mistake != nil)
    #expect(isScheme("http:\u{301}").mistake != nil)
    #expect(isExtension(".\u{301}a").mistake != nil)
    #expect(isPath(template: "/{a{\u{301}b}").mistake != nil)
    #expect(hasJSON(at: "a.\u{301}b[", equals: 1).mistake != nil)
  }
}
