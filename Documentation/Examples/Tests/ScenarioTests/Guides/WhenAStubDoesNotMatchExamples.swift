import Foundation
import StubKit
import TestSupport
import Testing

@Suite("The guide to stubs that do not match", .inTurn)
struct WhenAStubDoesNotMatchExamples {
  private let page = Page.guide("WhenAStubDoesNotMatch")

  /// As if the stubs were written where the guide says.
  @discardableResult
  private func add(
    _ condition: RequestMatcher, _ name: String? = nil, times: Int? = nil, line: UInt,
    in registry: StubRegistry = .current
  ) -> Stub {
    stub(
      condition: condition, response: .empty(), name: name, times: times, in: registry,
      fileID: "AppTests/UserTests.swift", line: line)
  }

  private func signUp() async throws {
    for line in 1...9 as ClosedRange<UInt> { add(isHost("cdn\(line).example.org") && isPath("/a"), line: line) }
    add(isPath("/users") && hasJSON(at: "address.zip", equals: "1010"), "sign up", line: 24)
    add(isPath("/users") && containsQuery("page", "2"), "page 2", line: 28)
    add(hostEndsWith("example.com"), "outage", times: 1, line: 31)
    _ = try await URLSession.shared.data(from: address("/anything"))
    var request = URLRequest(url: address("/users?pge=2"))
    request.httpMethod = "POST"
    request.httpBody = Data(#"{"name": "Ann", "address": {"zip": "1020"}}"#.utf8)
    _ = try await URLSession.shared.data(for: request)
  }

  @Test("shows a report as it is printed, and the values in it")
  func report() async throws {
    try await withStubs {
      do {
        try await signUp()
        Issue.record("The request was answered.")
      } catch {
        let error = try #require(UnmatchedRequestError(from: error))
        let told = error.description.split(separator: "\n")
        // Tests that run beside this one have scopes too, and lines of their own before the last.
        #expect(told.prefix(8) + told.suffix(1) == page.printed[0].split(separator: "\n")[...])
        #expect(error.nearest.map(\.stub.name) == ["outage", "page 2", "sign up"])
      }
    }
  }

  @Test("shows how a test looks at the nearest stub")
  func values() async throws {
    try await withStubs {
      add(isMethodPOST() && isPath("/users") && hasJSON(at: "address.zip", equals: "1010"), "sign up", line: 24)
      var request = URLRequest(url: address("/users"))
      request.httpMethod = "POST"
      request.httpBody = Data(#"{"address": {"zip": "1020"}}"#.utf8)
      do {
        _ = try await URLSession.shared.data(for: request)
        Issue.record("The request was answered.")
      } catch {
        let miss = try #require(UnmatchedRequestError(from: error))
        #expect(miss.nearest.first?.stub.name == "sign up")
        #expect(
          miss.nearest.first?.mismatches.map(\.criterion)
            == ["body at address.zip"])
      }
    }
  }

  @Test("shows the lines of single mismatches as they are printed")
  func mismatches() {
    let registry = StubRegistry()
    func add(_ condition: RequestMatcher) { stub(condition: condition, response: .empty(), in: registry) }
    add(hasHeader("X-Api-Key", "k"))
    add(hasJSON(at: "user.address[0].zip", equals: "1010"))
    add(hasJSON(at: "id", equals: 42))
    add(hasJSON(at: "tags", equals: ["a", "b"]))
    var request = URLRequest(url: address("/users"))
    request.httpMethod = "POST"
    request.setValue("k", forHTTPHeaderField: "X-Api-Kye")
    request.setValue("*/*", forHTTPHeaderField: "Accept")
    request.httpBody = Data(#"{"user": {"address": [{"zip": "1020"}]}, "id": "42", "tags": ["a", "b", "c"]}"#.utf8)
    var explained = registry.explain(request).description
    registry.removeAll()
    add(hasFormBody(URLQueryItem(name: "password", value: "x")))
    request.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
    request.httpBody = Data("pasword=x".utf8)
    explained += registry.explain(request).description
    registry.removeAll()
    add(hasFormBody(["user": "ann"]))
    request.httpBody = Data(#"{"user": "ann"}"#.utf8)
    explained += registry.explain(request).description
    for line in page.printed[1].split(separator: "\n") {
      #expect(explained.contains("✗ \(line)"), "\(line)\n\(explained)")
    }
  }

  @Test("shows an explanation as it is printed")
  func explanation() {
    withStubs {
      add(isHost("api.example.com") && isPath("/users/42"), line: 12)
      let request = URLRequest(url: address("/users/43"))
      print(StubRegistry.current.explain(request))
      #expect(StubRegistry.current.explain(request).description == page.printed[2])
    }
  }

  @Test("shows what a verification says of a stub that is shadowed, and of one that is verified too early")
  func verifications() async throws {
    try await withStubs {
      let user = add(isPath("/users/42"), line: 12)
      stub(
        condition: isHost("api.example.com"), response: .status(404), fileID: "AppTests/UserTests.swift", line: 14)
      _ = try await URLSession.shared.data(from: address("/users/42"))
      let lines = page.printed[5].split(separator: "\n")
      let error = try #require(#expect(throws: VerificationError.self) { try verify(user) })
      #expect(error.description.hasSuffix("\n" + lines[1...3].joined(separator: "\n")))
      #expect(lines[0].hasSuffix(" \(user)"))
      #expect(page.printed[6].hasPrefix("\(user) "))
      let other = try #require(#expect(throws: VerificationError.self) { try verify(isPath("/events")) })
      #expect(other.description.hasSuffix("\n\(page.printed[7].trimmingCharacters(in: .newlines))"))
    }
  }

  @Test("shows what a report says of the stubs of another scope")
  func otherScope() async throws {
    let other = StubRegistry()
    let (isOver, end) = AsyncStream.makeStream(of: Void.self)
    let (isOpen, open) = AsyncStream.makeStream(of: Void.self)
    async let otherTest: Void = withStubs(registry: other) {
      add(isPath("/users"), "users", line: 12)
      open.finish()
      for await _ in isOver {}
    }
    for await _ in isOpen {}
    let report = await withStubs {
      let session = URLSession(configuration: .ephemeral)
      return await Task.detached {
        do {
          _ = try await session.data(from: address("/users"))
          return ""
        } catch {
          return error.localizedDescription
        }
      }.value
    }
    end.finish()
    await otherTest
    // Tests that run beside this one have scopes too, and stubs that match: there may be more of them.
    let lines = page.printed[4].split(separator: "\n").dropFirst()
    for line in lines { #expect(report.contains("\n\(line)\n"), "\(report)") }
  }
}
