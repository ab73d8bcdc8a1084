import Foundation
import StubKitTesting
import TestSupport
import Testing

@Suite("A request that no stub matches", .inTurn)
struct UnmatchedIssueTests {
  @Test(
    "is an issue at its test, with the report",
    .issues(
      ExpectedIssue(
        unmatchedReport("GET", url("http://one.example/users/43"), butFor: "/users/42", line: 12))), .stubbed)
  func report() async throws {
    stubAtLine(12, isHost("one.example") && isPath("/users/42"))
    _ = try? await fetch("http://one.example/users/43")
  }

  @Test(
    "names the stub that was registered too late for it",
    .issues(
      ExpectedIssue(
        unmatchedReport("POST", url("http://late.example/users"), butFor: "/user", line: 1)
          + "\nisPath(\"/users\") && hasJSONBody([\"id\": 1]) (App/Users.swift:3) matches it, but was registered "
          + "after the request was made.")), .stubbed)
  func late() async throws {
    stubAtLine(1, isHost("late.example") && isPath("/user"))
    _ = try? await fetch("http://late.example/users", method: "POST", body: #"{"id": 1}"#)
    stubAtLine(2, isHost("late.example") && isPath("/posts"))
    stubAtLine(3, isPath("/users") && hasJSONBody(["id": 1]))
  }

  @Test(
    "is one issue with all that have its method and URL, in the order of the first",
    .issues(
      ExpectedIssue(
        unmatchedReport("GET http://same.example/a") + "\n3 such requests failed; this is the report of the first."),
      ExpectedIssue(unmatchedReport("POST http://same.example/a")),
      ExpectedIssue(unmatchedReport("GET http://same.example/a?page=2"))),
    .stubbed)
  func sameRequests() async throws {
    for url in ["http://same.example/a", "http://same.example/a"] { _ = try? await fetch(url) }
    _ = try? await fetch("http://same.example/a", method: "POST")
    _ = try? await fetch("http://same.example/a?page=2")
    _ = try? await fetch("http://same.example/a")
  }

  @Test(
    "is an issue of its own for each case", .issues(ExpectedIssue(unmatchedReport("GET http://cases.example/missing"))),
    .stubbed,
    arguments: 0..<2)
  func cases(number: Int) async throws {
    stub(condition: isHost("cases.example") && isPath("/\(number)"), response: .empty()).remove()
    _ = try? await fetch("http://cases.example/missing")
  }

  @Test(
    "is an issue also if the journal has forgotten it",
    .issues(
      ExpectedIssue(unmatchedReport("GET http://limit.example/a")),
      ExpectedIssue(unmatchedReport("GET http://limit.example/b"))),
    .stubbed)
  func forgotten() async throws {
    _ = try? await fetch("http://limit.example/a")
    StubRegistry.current.journal.clear()
    StubRegistry.current.journal.limit = 0
    _ = try? await fetch("http://limit.example/b")
    #expect(StubRegistry.current.journal.entries.isEmpty)
  }

  @Test(
    "is an issue also where a stub's redirect led to it",
    .issues(
      ExpectedIssue(unmatchedReport("GET", url("http://redirect.example/new"), butFor: "/old", line: 3))), .stubbed)
  func redirected() async throws {
    stubAtLine(3, isHost("redirect.example") && isPath("/old"), .redirect(to: "/new"))
    _ = try? await fetch("http://redirect.example/old")
  }

  @Test(
    "is an issue also where it was made by a queue's task on a session of the test",
    .issues(ExpectedIssue(unmatchedReport("GET http://queue.example/"))), .stubbed)
  func fromAQueue() async throws {
    let session = StubRegistry.current.makeSession()
    try await untilResumed { continuation in
      DispatchQueue.global().async {
        session.dataTask(with: URL(string: "http://queue.example/")!) { _, _, _ in continuation.resume() }.resume()
      }
    }
  }

  @Test(
    "is said once if the test throws its error",
    .issues(ExpectedIssue("threw " + unmatchedReport("GET http://thrown.example/"))), .stubbed)
  func thrown() async throws {
    _ = try await fetch("http://thrown.example/")
  }

  @Test(
    "is no issue of its own if the test throws what URLSession and the client have made of the error",
    .issues(ExpectedIssue("threw " + unmatchedReport("GET http://rebuilt.example/"))), .stubbed)
  func thrownInAnotherForm() async throws {
    struct ClientError: Error, CustomStringConvertible {
      let cause: NSError
      var description: String { cause.localizedDescription }
    }
    do { _ = try await fetch("http://rebuilt.example/") } catch {
      let bridged = error as NSError
      throw ClientError(cause: NSError(domain: bridged.domain, code: bridged.code, userInfo: bridged.userInfo))
    }
  }

  @Test(
    "is said of also if the test throws another error",
    .issues(
      ExpectedIssue(unmatchedReport("GET http://other.example/")), ExpectedIssue("threw CancellationError()")), .stubbed
  )
  func anotherError() async throws {
    _ = try? await fetch("http://other.example/")
    throw CancellationError()
  }

  @Test("is no issue if the policy answers it", .issues(), .stubbed(unmatched: .respond { _ in .text("policy") }))
  func answered() async throws {
    let text = try await fetch("http://policy.example/")
    #expect(text == "policy")
    #expect(StubRegistry.current.journal.unmatched.count == 1)
  }

  @Test(
    "is no issue if the policy lets it through, else it is",
    .issues(ExpectedIssue(unmatchedReport("GET http://kept.example/"))),
    .stubbed(unmatched: .passThrough(when: isHost("127.0.0.1"))))
  func passedThrough() async throws {
    // Nothing listens there: that it is refused shows that it was let through.
    let refused = await #expect(throws: URLError.self) { try await fetch("http://127.0.0.1:1/") }
    #expect(refused?.code == .cannotConnectToHost)
    _ = try? await fetch("http://kept.example/")
  }

  @Test(
    "is no issue without a network, whatever the policy: it fails as every request does", .issues(),
    .stubbed(network: .offline), arguments: [0, 1, 2])
  func offline(policy: Int) async throws {
    HTTPStubs.unmatched = [.fail, .passThrough, .respond { _ in .text("policy") }][policy]
    stub(condition: isPath("/real"), response: .passThrough)
    stub(condition: isPath("/closure")) { _ in .passThrough }
    for path in ["/", "/real", "/closure"] {
      let error = await #expect(throws: URLError.self) { try await fetch("http://127.0.0.1:1\(path)") }
      #expect(error?.code == .notConnectedToInternet)
    }
    let outcomes = StubRegistry.current.journal.entries.map(\.outcome)
    #expect(outcomes == Array(repeating: .failed(URLError(.notConnectedToInternet)), count: 3))
  }

  @Test("is no issue in a withStubs of the test's", .issues(), .stubbed)
  func ownScope() async throws {
    await withStubs {
      await #expect(throws: UnmatchedRequestError.self) { try await fetch("http://expected.example/") }
    }
  }

  @Test(
    "is an issue in a withStubs that shares the test's registry",
    .issues(ExpectedIssue(unmatchedReport("GET http://shared.example/"))), .stubbed)
  func sharedScope() async throws {
    await withStubs(registry: .current) { _ = try? await fetch("http://shared.example/") }
  }

  @Suite("in a stubbed suite", .inTurn, .stubbed)
  struct Suites {
    @Test(
      "is an issue for the traits before the test's own",
      .issues(ExpectedIssue(unmatchedReport("GET http://suite.example/"))),
      .stubbed)
    func again() async throws { _ = try? await fetch("http://suite.example/") }
  }
}
