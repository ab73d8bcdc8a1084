import Foundation
import StubKit

extension Chapter {
  static let fixtureFile = Chapter(
    "A file as the response",
    code: #"""
      stub(condition: isPath("/users") && containsQuery("page", "1"),
           response: .fixture("Fixtures/users.json", in: .module),
           name: "users")
      """#
  ) { page in
    stub(
      condition: isPath("/users") && containsQuery("page", "1"),
      response: .fixture("Fixtures/users.json", in: .module),
      name: "users")

    let reply = try await Reply.get("https://api.example.com/users?sort=name&page=1")
    page.show(reply)
    page.show(reply.text.trimmingCharacters(in: .newlines))
    let names = try JSONDecoder().decode([[String: String]].self, from: Data(reply.text.utf8)).map { $0["name"] }
    page.expect(names == ["Ann", "Ben", "Cleo"], "the three users of the file")
    page.expect(reply.contentType == "application/json", "the Content-Type of the file's extension")
  }
}
