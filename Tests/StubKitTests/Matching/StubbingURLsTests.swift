import Foundation
import StubKit
import TestSupport
import Testing

@Suite("A stub for a method and a URL", .inTurn)
struct StubbingURLsTests {
  private func matcher(_ method: StubMethod, _ url: String) -> RequestMatcher {
    RequestMatcher(method, url)
  }

  @Test("has the condition that its matchers would be")
  func conditions() {
    for (method, url, condition) in [
      (.get, "/users", #"isMethodGET() && isPath("/users")"#), (.any, "/", #"isPath("/")"#),
      (.delete, "/users/{id:[0-9]+}", #"isMethodDELETE() && isPath(template: "/users/{id:[0-9]+}")"#),
      (.put, "/a%20b", #"isMethodPUT() && isPath("/a b")"#), (.patch, "/a b", #"isMethodPATCH() && isPath("/a b")"#),
      (.head, "https://a.example/v1", #"isMethodHEAD() && isURL("https://a.example/v1")"#),
      (
        .options, "https://a.example:8080/{id}",
        #"isMethodOPTIONS() && isUnder("https://a.example:8080") && isPath(template: "/{id}")"#
      ),
      (
        .post, "/users?sort=a%26b&page=2&flag",
        #"isMethodPOST() && isPath("/users") && containsQuery(["sort": "a&b"]) && containsQuery(["page": "2"])"#
          + #" && containsQuery(["flag": nil])"#
      ),
      ("PURGE", "/users?", #"isMethod("PURGE") && isPath("/users") && hasExactQuery([:])"#),
      ("get", "/x", #"isMethodGET() && isPath("/x")"#),
      (.any, "/files/a%2Fb/{name}.json", #"isPath(template: "/files/a/b/{name}.json")"#),
    ] as [(StubMethod, String, String)] {
      #expect(matcher(method, url).description == condition, "\(url)")
      #expect(matcher(method, url).mistake == nil, "\(url)")
    }
  }

  @Test("matches")
  func matching() {
    for (url, request, matches) in [
      ("/users", "http://a.example/users/?page=2", true), ("/users", "http://a.example/user", false),
      ("/users?page=2", "http://a.example/users?sort=a&page=2", true),
      ("/users?page=2", "http://a.example/users", false),
      ("/users?tag=a&tag=b", "http://a.example/users?tag=b&tag=a", true),
      ("/users?tag=a&tag=b", "http://a.example/users?tag=b", false),
      ("/users?", "http://a.example/users?page=2", false), ("/users?q=a%20b", "http://a.example/users?q=a%20b", true),
      ("https://A.example:443/users", "https://a.example/users", true),
      ("https://a.example/users#top", "https://a.example/users", true),
      ("https://a.example", "https://a.example/", true), ("https://a.example", "https://a.example/users", false),
      ("https://a.example/users", "http://a.example/users", false),
      ("https://a.example/users?page=2", "https://a.example/users?page=2&sort=a", true),
      ("https://a.example/users/{id}?page=2", "https://a.example/users/42?page=2", true),
      ("https://a.example/users/{id}", "https://b.example/users/42", false),
      ("https://a.example/{id:[a?]+}?page=2", "https://a.example/a?page=2", true),
      ("/a%20b/{id}", "http://a.example/a%20b/1", true), ("/a b/{id}", "http://a.example/a%20b/1", true),
      ("/a%2Fb/{id}", "http://a.example/a%2Fb/1", true), ("/a%2Fb/{id}", "http://a.example/a/b/1", false),
      ("/v1/files:upload", "http://a.example/v1/files:upload", true), ("/%3Aid", "http://a.example/:id", true),
      ("/%2A", "http://a.example/*", true), ("/%2A/{id}", "http://a.example/*/1", true),
      ("", "http://a.example/", false),
    ] {
      #expect(matcher(.any, url).matches(URLRequest(url: URL(string: request)!)) == matches, "\(url)")
    }
  }

  @Test("is a mistake that says what to write")
  func mistakes() {
    for (url, sentence) in [
      ("users", #"stub(.get, "users") has neither a URL nor a path: write "https://users" for a URL, or "/users" for"#),
      ("a.example/users", #"write "https://a.example/users" for a URL"#), ("", #"or "/" for a path on any host."#),
      ("/users/:id", #"stub(.get, "/users/:id") has :id, which stands for no other text: write {id} for any segment"#),
      ("https://a.example/users/*", "has *, which stands for no other text: write {name} for any segment"),
      ("/users/*.json", "write %3A for a literal : and %2A for a literal *."),
      ("https://{tenant}.example/users", "has a placeholder before its path"),
      ("https://*.example/users", "has a placeholder before its path"),
      ("/users?page={page}", "has a placeholder in its query"), ("/users/{id", "has a { without a }"),
      ("https://a b.example/users", "isURL"), ("https:///users", "has no host"),
    ] {
      let mistake = matcher(.get, url).mistake
      #expect(mistake?.contains(sentence) == true, "\(mistake ?? "no mistake")")
    }
  }

  @Test("gives its closure the captures")
  func captures() async throws {
    try await withStubs {
      stub(.get, "https://a.example/users/{id}") { _, match in try .json(["id": match("id", as: Int.self)]) }
      stub(.get, "https://a.example/mock/{id}") { request in
        let response = HTTPURLResponse(url: request.url!, statusCode: 201, httpVersion: nil, headerFields: nil)!
        return (response, Data(request.url!.lastPathComponent.utf8))
      }
      stub(.post, "/jobs", responses: [.status(202), .text("done")], times: 2)
      #expect(try await URLSession.shared.fetch("https://a.example/users/42").text == #"{"id":42}"#)
      let mock = try await URLSession.shared.fetch("https://a.example/mock/7")
      #expect(mock.text == "7" && mock.status == 201)
    }
  }
}
