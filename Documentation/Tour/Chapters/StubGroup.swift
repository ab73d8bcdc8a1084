import StubKit

extension Chapter {
  static let group = Chapter(
    "A group of stubs with a common base URL",
    code: #"""
      let api = stubs(under: "https://api.example.com/v1") {
        stub(.get, "me", response: .json(["name": "Ann"]), name: "v1 me")
        stub(.get, "news", response: .status(204), name: "v1 news")
      }
      """#
  ) { page in
    let api = stubs(under: "https://api.example.com/v1") {
      stub(.get, "me", response: .json(["name": "Ann"]), name: "v1 me")
      stub(.get, "news", response: .status(204), name: "v1 news")
    }

    page.show(try await Reply.get("https://api.example.com/v1/me"))
    page.show(try await Reply.get("https://api.example.com/v1/news"))
    page.show("\nThe group counts the calls of all its stubs (\(api.callCount)), and removes them together.")
    page.expect(api.callCount == 2, "two calls to the group")
    api.remove()
    page.expect(HTTPStubs.allStubs().isEmpty, "no stubs after that")
  }
}
