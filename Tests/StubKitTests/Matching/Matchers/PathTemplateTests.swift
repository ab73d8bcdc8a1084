import Foundation
import Testing

@testable import StubKit

@Suite("A path template")
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
    ])
  func captures(template: String, url: String, expected: [String: String]?) {
    #expect(isPath(template: template).captures(request(url)) == expected)
  }

  @Test("traps on braces that are unbalanced, empty or used twice")
  func traps() async {
    await #expect(processExitsWith: .failure) { _ = isPath(template: "/a/{id") }
    await #expect(processExitsWith: .failure) { _ = isPath(template: "/a/id}") }
    await #expect(processExitsWith: .failure) { _ = isPath(template: "/a/{i{d}}") }
    await #expect(processExitsWith: .failure) { _ = isPath(template: "/a/{}") }
    await #expect(processExitsWith: .failure) { _ = isPath(template: "/{id}/{id}") }
    await #expect(processExitsWith: .failure) { _ = isPath(template: "/{a}{b}") }
    await #expect(processExitsWith: .failure) { _ = isPath(template: "/{a/b}") }
    await #expect(processExitsWith: .failure) { _ = isPath(template: "/{a}?q") }
  }
}
