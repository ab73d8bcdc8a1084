import Foundation
import StubKitTesting
import TestSupport
import Testing
import XCTest

@Suite("What every request must have", .inTurn)
struct EveryRequestTests {
  private func issues(
    _ condition: RequestMatcher, of body: @escaping @Sendable () async throws -> Void
  ) async throws -> [String] {
    let test = try #require(Test.current)
    let trait = StubbedTrait.stubbed(everyRequest: condition)
    return await takingIssues { try await trait.provideScope(for: test, testCase: nil, performing: body) }.issues
      .map(\.text)
  }

  private static func send(_ path: String, _ headers: [String: String] = [:], body: String? = nil) async {
    let request = request(
      "http://a.example\(path)", method: body == nil ? "GET" : "POST", headers: headers, body: body)
    _ = try? await URLSession.shared.fetch(request)
  }

  @Test("is reported if it is missing or differs, once for each method and URL")
  func header() async throws {
    let issues = try await issues(hasHeader("Accept-Language", "de-CH")) {
      stub(condition: .anything, response: .ok)
      await Self.send("/right", ["Accept-Language": "de-CH"])
      await Self.send("/other", ["Accept-Language": "fr"])
      for _ in 1...2 { await Self.send("/none") }
    }
    let told = issues.filter { $0.contains("every request must be") }
    #expect(told.count == 2, "\(issues)")
    #expect(told.first?.hasPrefix("GET http://a.example/other isn't as every request must be: ") == true)
    #expect(told.first?.contains("header Accept-Language: expected \"de-CH\", got \"fr\"") == true, "\(told)")
    #expect(told.last?.hasSuffix("2 such requests were made.") == true, "\(told)")
  }

  @Test("is checked for requests that no stub matches, and for the target of a redirect")
  func others() async throws {
    let issues = try await issues(isHost("a.example")) {
      stub(condition: isPath("/old"), response: .redirect(to: "http://b.example/new"))
      stub(condition: isPath("/new"), response: .ok)
      await Self.send("/old")
      _ = try? await fetch("http://c.example/")
    }
    let told = issues.filter { $0.contains("every request must be") }.map { $0.components(separatedBy: " ")[1] }
    #expect(told == ["http://b.example/new", "http://c.example/"], "\(issues)")
  }

  @Test("is checked for the target of a redirect, also if the condition ends with a closure")
  func closureAfterRedirect() async throws {
    let issues = try await issues(.anything && { $0.url?.host == "a.example" }) {
      stub(condition: isPath("/old"), response: .redirect(to: "http://b.example/new"))
      stub(condition: isPath("/new"), response: .ok)
      await Self.send("/old")
    }
    let told = issues.filter { $0.contains("every request must be") }.map { $0.components(separatedBy: " ")[1] }
    #expect(told == ["http://b.example/new"], "\(issues)")
  }

  @Test("is checked once for a request that is challenged, and once for the one with the credential")
  func credential() async throws {
    let issues = try await issues(.anything && { $0.value(forHTTPHeaderField: "Authorization") != nil }) {
      stub(condition: !hasHeader("Authorization"), response: .basicChallenge(realm: "Films"))
      stub(condition: hasHeader("Authorization"), response: .ok)
      let session = URLSession(configuration: .ephemeral, delegate: FollowingDelegate(), delegateQueue: nil)
      _ = try await session.data(from: url("http://a.example/films"))
    }
    let told = issues.filter { $0.contains("every request must be") }
    #expect(told.count == 1 && told.first?.contains("such requests") == false, "\(issues)")
  }

  @Test("can be a condition on the body, or a closure")
  func body() async throws {
    let issues = try await issues(isMethod(.get) || hasJSON(at: "id", equals: 1) && { $0.url?.path != "/closure" }) {
      stub(condition: .anything) { request in .data(request.stubBody ?? Data()) }
      await Self.send("/get")
      await Self.send("/right", body: #"{"id": 1}"#)
      await Self.send("/wrong", body: #"{"id": 2}"#)
      await Self.send("/closure", body: #"{"id": 1}"#)
    }
    let told = issues.filter { $0.contains("every request must be") }.map {
      $0.prefix { !$0.isWhitespace || $0 == " " }
    }
    #expect(told.map { $0.split(separator: " ")[1] } == ["http://a.example/wrong", "http://a.example/closure"])
  }

  @Test("is an issue if the condition is a mistake")
  func mistake() async throws {
    let mistakes = try await issues(isPath("/a?b=1")) {}
    #expect(mistakes.map { $0.hasPrefix("everyRequest: isPath") } == [true], "\(mistakes)")
  }
}

/// In XCTest, each is a property.
final class EveryRequestTestCaseTests: StubbedTestCase {
  override var everyRequest: RequestMatcher? { hasHeader("Accept-Language", "de-CH") }

  func testSendsIt() async throws {
    stub(.get, "http://case.example/films", response: .ok, calls: .once)
    let request = request("http://case.example/films?page=2", headers: ["Accept-Language": "de-CH"])
    _ = try await URLSession.shared.fetch(request)
  }
}
