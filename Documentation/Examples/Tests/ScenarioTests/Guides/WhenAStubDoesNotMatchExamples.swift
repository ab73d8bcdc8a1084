import Foundation
import StubKit
import TestSupport
import Testing

@Suite("The guide to stubs that do not match", .inTurn)
struct WhenAStubDoesNotMatchExamples {
  private let page = Page.guide("Troubleshooting")

  private let signUp = request("/users?pge=2", "POST", body: #"{"name": "Ann", "address": {"zip": "1020"}}"#)

  @Test("shows a report as it is printed")
  func report() async throws {
    try await withStubs {
      for line in 1...9 as ClosedRange<UInt> { printedStub(isHost("cdn\(line).example.org"), line: line) }
      printedStub(isPath("/users") && hasJSON(at: "address.zip", equals: "1010"), "sign up", line: 24)
      printedStub(isPath("/users") && containsQuery("page", "2"), "page 2", line: 28)
      printedStub(hostEndsWith("example.com"), "outage", times: 1, line: 31)
      _ = try await text("/anything")
      await expectReport(page.printed[0], of: signUp)
    }
  }

  @Test("shows how a test reads what differs from the nearest stub")
  func values() async throws {
    try await withStubs {
      printedStub(
        isMethod(.post) && isPath("/users") && hasJSON(at: "address.zip", equals: "1010"), "sign up", line: 24)
      do {
        _ = try await text(signUp)
        Issue.record("The request was answered.")
      } catch {
        let miss = try #require(UnmatchedRequestError(from: error))
        #expect(miss.nearest.first?.stub.name == "sign up")
        #expect(miss.nearest.first?.mismatches.map(\.criterion) == ["body at address.zip"])
      }
    }
  }

  @Test("shows the lines of single mismatches as they are printed")
  func mismatches() {
    func explained(_ request: URLRequest, by conditions: RequestMatcher...) -> String {
      let registry = StubRegistry()
      for condition in conditions { stub(condition: condition, response: .status(204), in: registry) }
      return registry.explain(request).description
    }
    let json = #"{"user": {"address": [{"zip": "1020"}]}, "id": "42", "tags": ["a", "b", "c"]}"#
    let form = ["Content-Type": "application/x-www-form-urlencoded"]
    let texts = [
      explained(
        request("/users", "POST", ["X-Api-Kye": "k", "Accept": "*/*"], body: json),
        by: hasHeader("X-Api-Key", "k"), hasJSON(at: "user.address[0].zip", equals: "1010"),
        hasJSON(at: "id", equals: 42), hasJSON(at: "tags", equals: ["a", "b"])),
      explained(
        request("/users", "POST", form, body: "pasword=x"),
        by: hasFormBody(URLQueryItem(name: "password", value: "x"))),
      explained(request("/users", "POST", form, body: #"{"user": "ann"}"#), by: hasFormBody(["user": "ann"])),
    ]
    for line in page.printed[1].split(separator: "\n") {
      #expect(texts.contains { $0.contains("    \(line)") }, "\(line)\n\(texts)")
    }
  }

  @Test("shows an explanation as it is printed")
  func explanation() {
    withStubs {
      printedStub(isHost("api.example.com") && isPath("/users/42"), line: 12)
      let request = request("/users/43")
      print(HTTPStubs.explain(request))
      #expect(HTTPStubs.explain(request).description == page.printed[2])
    }
  }

  @Test("shows what a verification says of a stub that is shadowed, and of one that is verified too early")
  func verifications() async throws {
    try await withStubs {
      let user = printedStub(isPath("/users/42"), line: 12)
      stub(
        condition: isHost("api.example.com"), response: .status(404), fileID: "AppTests/UserTests.swift", line: 14)
      _ = try await status("/users/42")
      let lines = page.printed[5].split(separator: "\n")
      let error = try #require(#expect(throws: VerificationError.self) { try verify(user) })
      #expect(error.description.hasSuffix("\n" + lines[1...3].joined(separator: "\n")))
      #expect(lines[0].hasSuffix(" \(user)"))
      let other = try #require(#expect(throws: VerificationError.self) { try verify(isPath("/events")) })
      #expect(other.description.contains("wait for its stub first: try await stub.waitForCalls()."))
    }
  }

  @Test("shows what a report says of the stubs of another scope")
  func otherScope() async throws {
    let (isOver, end) = AsyncStream.makeStream(of: Void.self)
    let (isOpen, open) = AsyncStream.makeStream(of: Void.self)
    async let otherTest: Void = withStubs(in: StubRegistry()) {
      printedStub(isPath("/users"), "users", line: 12)
      open.finish()
      for await _ in isOver {}
    }
    for await _ in isOpen {}
    let report = await withStubs {
      let session = URLSession(configuration: .ephemeral)
      return await Task.detached {
        do { return try await answer(request("/users"), in: session).text } catch { return error.localizedDescription }
      }.value
    }
    end.finish()
    await otherTest
    // Tests that run beside this one have scopes too, and stubs that match: there may be more of them.
    #expect(report.contains("\nThis one may come from another test: "), "\(report)")
  }
}
