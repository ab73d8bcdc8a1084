import StubKit

extension Chapter {
  static let delayedAnswer = Chapter(
    "A slow server",
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
    page.show("The response arrived after \(reply.elapsed.inWords).")
    page.expect(reply.text == "at last", "the text of the stub")
    page.expect(reply.elapsed >= .milliseconds(250), "a delay of at least 250 ms")
  }
}
