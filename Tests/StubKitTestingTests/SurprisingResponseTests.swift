import Foundation
import StubKitTesting
import TestSupport
import Testing

@Suite("A response that a client hardly expects", .inTurn)
struct SurprisingResponseTests {
  private static let gzip = Data([0x1F, 0x8B, 8, 0])

  @Test(
    "is a warning of a test that fails, once, at most three",
    .issues(
      surprise(19, "answered as application/json with a body that is not JSON. Mend the body."),
      surprise(
        20,
        "answered with the status 204, which has no body (RFC 9110, section 15.3.5), and its 9 bytes were not sent. "
          + "Write another status, or .empty()."),
      surprise(
        21,
        "answered with a body in gzip, which URLSession delivers as it is if it comes from a stub. Write the decoded "
          + "body, without the header Content-Encoding."),
      ExpectedIssue("threw CancellationError()")), .stubbed)
  func surprises() async throws {
    stubAtLine(18, isPath("/first"), .text("[]"))
    stubAtLine(19, isPath("/json"), .json(text: "{'id': 42}"))
    stubAtLine(20, isPath("/204"), .json(["id": 42], status: 204))
    stubAtLine(21, isPath("/gzip"), .data(Self.gzip, headers: ["Content-Encoding": "gzip"]))
    for path in ["first", "first", "json", "204", "gzip", "gzip"] {
      _ = try await fetch("http://surprise.example/\(path)")
    }
    throw CancellationError()
  }

  @Test(
    "is JSON as text",
    .issues(
      surprise(
        22,
        "answered with JSON as text/plain, which some clients refuse. Write .json(text: text), or the header "
          + "Content-Type."),
      ExpectedIssue("threw CancellationError()")), .stubbed)
  func text() async throws {
    stubAtLine(22, isPath("/text"), .text(#"{"id": 42}"#))
    _ = try await fetch("http://surprise.example/text")
    throw CancellationError()
  }

  @Test("is nothing in a test that passes", .issues(), .stubbed)
  func passed() async throws {
    stubAtLine(20, isPath("/204"), .json(["id": 42], status: 204))
    _ = try await fetch("http://surprise.example/204")
  }

  @Test(
    "is none of these", .issues(ExpectedIssue("threw CancellationError()")), .stubbed,
    arguments: [
      .text("42"), .text("[x]"), .text(""), .text("{}", headers: ["Content-Type": "application/json"]), .empty(),
      .json(text: "{}"), .json(text: "42"), .json(text: ""), .json(text: "{}").failing(afterBytes: 1),
      .json(text: "{", status: 206),
      .json(text: "{", headers: ["Content-Encoding": "br"]), .data(gzip),
      .data(Data("[]".utf8), headers: ["Content-Encoding": "gzip"]), .status(204),
    ] as [StubResponse])
  func usual(response: StubResponse) async throws {
    stubAtLine(20, isPath("/usual"), response)
    _ = try? await fetch("http://surprise.example/usual")
    throw CancellationError()
  }
}

private func surprise(_ line: Int, _ rest: String) -> ExpectedIssue {
  ExpectedIssue("The stub at App/Users.swift:\(line) \(rest)")
}
