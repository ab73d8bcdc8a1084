import Foundation
import StubKitTesting
import TestSupport
import Testing

/// The end of a test whose last statement resumes a task.
@Suite("The last statement of a test")
struct LastStatementTests {
  private static let repetitions = TestSize.of(300, inPart: 20)

  private static func resume(_ address: String) {
    URLSession.shared.dataTask(with: request(address)) { _, _, _ in }.resume()
  }

  /// Runs a test, and returns what it records.
  private func issues(
    _ trait: StubbedTrait = .stubbed, of body: @escaping @Sendable () async throws -> Void
  ) async throws -> [String] {
    let test = try #require(Test.current)
    return await takingIssues { try await trait.provideScope(for: test, testCase: nil, performing: body) }.issues
      .map(\.text)
  }

  /// Ways to leave a request in the last statement.
  enum Leaving: CaseIterable, Sendable { case running, cancel, invalidate, afterVerification, task, cancelledTask }

  @Test(
    "is an issue of its test if nothing stubs its request, even if it is cancelled there", arguments: Leaving.allCases)
  func unmatched(_ way: Leaving) async throws {
    for _ in 0..<Self.repetitions {
      let issues = try await issues {
        let session = URLSession(configuration: .ephemeral)
        let task = session.dataTask(with: request("http://a.example/ads"))
        switch way {
        case .running:
          stub(.get, "http://a.example/users", response: .ok)
          task.resume()
        case .cancel:
          task.resume()
          task.cancel()
        case .invalidate:
          task.resume()
          session.invalidateAndCancel()
        case .afterVerification:
          task.resume()
          try verify(isPath("/ads"), called: .once)
          task.cancel()
        case .task:
          let asking = Task { _ = try? await session.fetch("http://a.example/ads") }
          try await until("the request is made") { !StubRegistry.current.journal.entries.isEmpty }
          asking.cancel()
        case .cancelledTask:
          await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try? await session.fetch("http://a.example/ads")
          }.value
        }
      }
      #expect(issues.map { $0.hasPrefix("No stub matches GET http://a.example/ads") } == [true], "\(issues)")
    }
  }

  @Test("is followed to where a redirect leads", arguments: [false, true])
  func redirected(isStubbed: Bool) async throws {
    for _ in 0..<Self.repetitions {
      let issues = try await issues(.stubbed(reportUnused: true)) {
        stub(.get, "http://a.example/old", response: .redirect(to: "/new"))
        if isStubbed { stub(.get, "http://a.example/new", response: .ok) }
        Self.resume("http://a.example/old")
      }
      let first = isStubbed ? nil : "No stub matches GET http://a.example/new"
      #expect(issues.first?.prefix { !$0.isNewline } == first.map { $0[...] }, "\(issues)")
    }
  }

  @Test("uses its stub, so that the stub isn't reported as unused", arguments: [false, true])
  func used(asksClosure: Bool) async throws {
    for _ in 0..<Self.repetitions {
      let issues = try await issues(.stubbed(reportUnused: true)) {
        stub(condition: asksClosure ? isPath("/ads") && { _ in true } : isPath("/ads"), response: .ok)
        Self.resume("http://a.example/ads")
      }
      #expect(issues.isEmpty, "\(issues)")
    }
  }

  @Test("is found in a test that is cancelled, too")
  func cancelled() async throws {
    let test = try #require(Test.current)
    let issues = await takingIssues {
      await Task {
        withUnsafeCurrentTask { $0?.cancel() }
        try? await StubbedTrait.stubbed.provideScope(for: test, testCase: nil) { Self.resume("http://a.example/ads") }
      }.value
    }.issues
    #expect(issues.map(\.text).contains { $0.hasPrefix("No stub matches GET http://a.example/ads") }, "\(issues)")
  }

  // Its warning is one of the process, which a test case of XCTest would take for its own.
  @Test("leaves out of the unused stubs the one that isn't known after a second", .oneFramework)
  func slow() async throws {
    let answer = Latch()
    let issues = try await issues(.stubbed(reportUnused: true)) {
      stub(condition: isPath("/ads") && { _ in answer.blockUntilOpened() }, response: .ok)
      Self.resume("http://a.example/ads")
    }
    answer.open()
    #expect(!issues.contains { $0.hasPrefix("No request used the stub") }, "\(issues)")
  }
}
