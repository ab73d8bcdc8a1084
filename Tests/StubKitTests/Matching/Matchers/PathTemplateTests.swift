import Foundation
import TestSupport
import Testing

@testable import StubKit
@testable import StubKitFormats

@Suite("A path template", .inTurn)
struct PathTemplateTests {
  @Test(
    "captures what stands in its places",
    arguments: [
      ("/users/{id}", "http://a.com/users/42", ["id": "42"]), ("/users/{id}", "http://a.com/users/42/", ["id": "42"]),
      ("/users/{id}/posts/{post}", "http://a.com/users/1/posts/2?q#f", ["id": "1", "post": "2"]),
      ("/users/{id}", "http://a.com/users", nil), ("/users/{id}", "http://a.com/users/", nil),
      ("/users/{id}", "http://a.com/users/1/2", nil), ("/users/{id}", "http://a.com/Users/1", nil),
      ("/users/{id}", "http://a.com/users/a%2Fb", ["id": "a/b"]),
      ("/users/{id}", "http://a.com/users/%C3%A9%20x", ["id": "é x"]),
      ("/users/{id}", "http://a.com/users/%FF", ["id": "%FF"]), ("/é/{id}", "http://a.com/e%CC%81/1", ["id": "1"]),
      ("/files/{name}.json", "http://a.com/files/a.b.json", ["name": "a.b"]),
      ("/files/{name}.json", "http://a.com/files/.json", nil),
      ("/v{n}/x", "http://a.com/v12/x", ["n": "12"]), ("/{a}-{b}", "http://a.com/1-2-3", ["a": "1", "b": "2-3"]),
      ("/{a}-{b}", "http://a.com/1-", nil), ("/{a}-{b}", "http://a.com/-1", nil), ("/", "http://a.com", [:]),
      ("/a", "http://a.com/a", [:]),
      ("{x}/b", "a/b", ["x": "a"]), ("/{x}", "http://a.com//a", nil),
    ] as [(String, String, [String: String]?)])
  func captures(template: String, url: String, expected: [String: String]?) {
    #expect(isPath(template: template).captures(request(url)) == expected)
  }

  @Test(
    "takes a segment only if it matches the place's expression as a whole",
    arguments: [
      ("/users/{id:[0-9]+}", "/users/42", ["id": "42"]), ("/users/{id:[0-9]+}", "/users/%34%32/", ["id": "42"]),
      ("/users/{id:[0-9]+}", "/users/42a", nil), ("/users/{id:[0-9]+}", "/users/a42", nil),
      ("/users/{id:[0-9]{3}}/x", "/users/123/x", ["id": "123"]), ("/users/{id:[0-9]{3}}/x", "/users/1234/x", nil),
      ("/{a:x|xy}", "/xy", ["a": "xy"]), ("/{a:[^/]+}/b", "/a%2Fb/b", nil), ("/{a:.+}/b", "/a%2Fb/b", ["a": "a/b"]),
      ("/{a:\\{+}", "/%7B%7B", ["a": "{{"]), ("/{a:[\\}]}", "/%7D", ["a": "}"]), ("/{a:\\\\}", "/%5C", ["a": "\\"]),
      ("/files/{name:[a-z]+}.json", "/files/ab.json", ["name": "ab"]),
      ("/files/{name:[a-z]+}.json", "/files/a.b.json", nil), ("/files/{name:[a-z]*}.json", "/files/.json", nil),
      ("/\u{E9}-{n:[0-9]}-\u{E9}", "/e%CC%81-1-%C3%A9", ["n": "1"]),
      (
        "/{date:[0-9]{4}-[0-9]{2}}-{slug}.html", "/2024-01-a-title.html", ["date": "2024-01", "slug": "a-title"]
      ),
      ("/{date:[0-9]{4}-[0-9]{2}}-{slug}.html", "/2024-a-title.html", nil),
      ("/{a}.{b:[a-z]+}", "/1.2.x", ["a": "1.2", "b": "x"]), ("/{a:[0-9]*}.{b}", "/.x", nil),
      ("/{a:(x)(y)}-{b:(z)}+{c}", "/xy-z+w", ["a": "xy", "b": "z", "c": "w"]),
      ("/{a:(.)\\1}", "/xx", ["a": "xx"]), ("/{a:(.)\\1}", "/xy", nil),
      ("/{a:(?<year>[0-9]{4})-.*}", "/2024-01", ["a": "2024-01", "year": "2024"]),
      ("/{a:(?i)B}c", "/bc", ["a": "b"]), ("/{a:(?i)B}c", "/bC", nil), ("/{a:b:c}", "/b:c", ["a": "b:c"]),
    ] as [(String, String, [String: String]?)])
  func expressions(template: String, path: String, expected: [String: String]?) {
    let condition = isPath(template: template)
    #expect(condition.captures(request("http://a.com\(path)")) == expected)
    #expect(condition.description == "isPath(template: \(template.debugDescription))")
  }

  @Test(
    "takes the rest of a path, one or more segments",
    arguments: [
      ("/static/{path...}", "/static/a", ["path": "a"]), ("/static/{path...}", "/static/a/b%2Fc/", ["path": "a/b/c"]),
      ("/static/{path...}", "/static", nil), ("/static/{path...}", "/static/", nil),
      ("/static/{path...}", "/other/a", nil), ("/static/{path...}", "/static//a", ["path": "/a"]),
      ("/{all...}", "/a", ["all": "a"]), ("/{all...}", "/", nil), ("/{all...}/", "/a/b", ["all": "a/b"]),
      ("/users/{id:[0-9]+}/{rest...}", "/users/42/a/b", ["id": "42", "rest": "a/b"]),
      ("/users/{id:[0-9]+}/{rest...}", "/users/ann/a/b", nil),
      ("/{a}/{rest...}", "/%C3%A9/e%CC%81", ["a": "é", "rest": "é"]),
    ] as [(String, String, [String: String]?)])
  func rest(template: String, path: String, expected: [String: String]?) {
    #expect(isPath(template: template).captures(request("http://a.com\(path)")) == expected)
  }

  @Test(
    "is found by its literal segments, whatever its places take",
    arguments: ["/users/{id:[0-9]+}", "/users/{rest...}", "/users/{id:[0-9]+}/{rest...}"])
  func index(template: String) throws {
    let registry = StubRegistry()
    let path = "/users/42" + (template.has(":") && template.has(".") ? "/a/b" : "")
    let stub = stub(condition: isPath(template: template), response: .empty(), in: registry)
    for other in 0..<100 {
      StubKit.stub(condition: isPath(template: "/\(other)\(template)"), response: .empty(), in: registry)
    }
    #expect(registry.stub(matching: request("http://a.com\(path)")) === stub)
    let alternatives = try #require(isPath(template: template).indexAlternatives())
    #expect(alternatives.map { $0.map(\.dimension) } == [[.template]])
  }

  @Test("gives what it captured as a value of another type")
  func typed() {
    var captures = Captures()
    for (name, value) in [("id", "42"), ("price", "1.5"), ("name", "ann"), ("flag", "true")] {
      captures.add(name, value)
    }
    let match = RequestMatch(callNumber: 1, captures: captures)
    #expect(
      match["id", as: Int.self] == 42 && match["id", as: Double.self] == 42 && match["id", as: String.self] == "42")
    #expect(match["price", as: Double.self] == 1.5 && match["flag", as: Bool.self] == true)
    #expect(match["name", as: Int.self] == nil && match["other", as: Int.self] == nil)
  }

  @Test("is a mistake with braces that are unbalanced, empty or used twice")
  func mistakes() {
    #expect(isPath(template: "/a/{id").mistake != nil)
    #expect(isPath(template: "/a/id}").mistake != nil)
    #expect(isPath(template: "/a/{i{d}}").mistake != nil)
    #expect(isPath(template: "/a/{}").mistake != nil)
    #expect(isPath(template: "/{id}/{id}").mistake != nil)
    #expect(isPath(template: "/{a}{b}").mistake != nil)
    #expect(isPath(template: "/{a/b}").mistake != nil)
    #expect(isPath(template: "/{a}?q").mistake != nil)
    #expect(isPath(template: "/{a?}").mistake != nil)
    #expect(isPath(template: "/{a:[0-9]{3}").mistake != nil)
    #expect(isPath(template: "/{a:x}}").mistake != nil)
    #expect(isPath(template: "/{rest...}/{a...}").mistake != nil)
    #expect(isPath(template: "/{rest...:[a-z]}").mistake != nil)
    #expect(isPath(template: "/x{rest...}").mistake != nil)
  }
}
