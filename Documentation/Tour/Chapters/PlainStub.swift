import StubKit

extension Chapter {
  static let plainStub = Chapter(
    "A stub in one line",
    code: #"""
      stub(condition: isHost("api.example.com") && isPath("/users/42"),
           response: .json(["id": 42, "name": "Ann"]), name: "user")
      """#
  ) { page in
    stub(
      condition: isHost("api.example.com") && isPath("/users/42"),
      response: .json(["id": 42, "name": "Ann"]), name: "user")

    let reply = try await Reply.get("https://api.example.com/users/42")
    page.show(reply)
    page.expect(reply.status == 200, "the status 200")
    page.expect(reply.contentType == "application/json", "the Content-Type of JSON, by default")
    page.expect(reply.text == #"{"id":42,"name":"Ann"}"#, "the JSON of the stub")
  }
}
