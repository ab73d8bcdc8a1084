import StubKit

extension Chapter {
  static let delayedAnswer = Chapter(
    "A server that takes its time",
    code: #"""
      stub(condition: isPath("/slow"),
           response: .text("at last").delay(.milliseconds(250)), name: "slow")
      """#
  ) { page in
    stub(
      condition: isPath("/slow"),
      response: .text("at last").delay(.milliseconds(250)), name: "slow")

    let reply = try await Reply.get("https://api.example.com/slow")
    page.show(reply)
    page.show("It came after \(reply.elapsed.inWords).")
    page.expect(reply.text == "at last", "the stub's text")
    page.expect(reply.elapsed >= .milliseconds(250), "at least 250 ms")
  }
}
