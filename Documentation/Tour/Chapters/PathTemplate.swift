import StubKit

extension Chapter {
  static let pathTemplate = Chapter(
    "A path template that captures segments",
    code: #"""
      stub(condition: isPath(template: "/users/{id}/posts/{post}"), name: "post") {
        _, match in try .text("post \(match("post")) of user \(match("id"))")
      }
      """#
  ) { page in
    stub(condition: isPath(template: "/users/{id}/posts/{post}"), name: "post") {
      _, match in try .text("post \(match("post")) of user \(match("id"))")
    }

    let first = try await Reply.get("https://api.example.com/users/42/posts/7")
    page.show(first)
    page.expect(first.text == "post 7 of user 42", "both segments to be captured")
    let second = try await Reply.get("https://api.example.com/users/ann%20lee/posts/8")
    page.show(second)
    page.expect(second.text == "post 8 of user ann lee", "both segments to be percent-decoded")
  }
}
