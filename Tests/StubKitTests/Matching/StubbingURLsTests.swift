import Foundation
import StubKit
import TestSupport
import Testing

@Suite("A stub for a method and a URL", .inTurn)
struct StubbingURLsTests {
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
      let mistake = RequestMatcher(.get, url).mistake
      #expect(mistake?.contains(sentence) == true, "\(mistake ?? "no mistake")")
    }
  }

  @Test("gives its closure the captures")
  func captures() async throws {
    try await withStubs {
      stub(.get, "https://a.example/users/{id}") { _, match in try .json(["id": match("id", as: Int.self)]) }
      let mocked = stub(.get, "https://a.example/mock/{id}") { request in
        let response = HTTPURLResponse(
          url: request.url!, statusCode: 201, httpVersion: nil, headerFields: ["X-A": "b"])!
        return (response, Data(request.url!.lastPathComponent.utf8))
      }
      stub(.post, "/jobs", responses: [.status(202), .text("done")], times: 2)
      #expect(try await URLSession.shared.fetch("https://a.example/users/42").text == #"{"id":42}"#)
      let mock = try await URLSession.shared.fetch("https://a.example/mock/7")
      #expect(mock.text == "7" && mock.status == 201 && mocked.lastRequest?.response?.headers["X-A"] == "b")
    }
  }
}
