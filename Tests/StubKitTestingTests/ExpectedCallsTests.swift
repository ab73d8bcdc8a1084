import Foundation
import StubKitTesting
import TestSupport
import Testing

@Suite("The calls that a stub expects", .inTurn)
struct ExpectedCallsTests {
  private static let host = "http://a.example"

  /// Runs a test, and returns the first lines of the issues at the stubs, with their lines.
  private func issues(
    _ trait: StubbedTrait = .stubbed, of body: @escaping @Sendable () async throws -> Void
  ) async throws -> [String] {
    let test = try #require(Test.current)
    let issues = await takingIssues { try await trait.provideScope(for: test, testCase: nil, performing: body) }.issues
    return issues.filter { $0.text.hasPrefix("The stub") || $0.text.hasPrefix("calls:") }
      .map { "\($0.sourceLocation?.line ?? 0): \($0.text.prefix { !$0.isNewline })" }
  }

  /// The lines of the stubs that issues are about.
  private static func lines(_ issues: [String]) -> [Int?] { issues.map { Int($0.prefix { $0 != ":" }) } }

  /// Registers a stub as if it stood in a line of `App/Users.swift`.
  @discardableResult
  private static func add(
    line: UInt, _ path: String, times: Int? = nil, calls: CallCount?
  ) -> Stub {
    stub(
      condition: isPath(path), response: .ok, times: times, calls: calls, fileID: "App/Users.swift",
      filePath: "/app/Users.swift", line: line, column: 5)
  }

  private static func ask(_ paths: String...) async {
    for path in paths { _ = try? await fetch(host + path) }
  }

  private static func row(
    _ calls: CallCount, _ count: Int, _ problem: String? = nil
  ) -> (calls: CallCount, count: Int, problem: String?) { (calls, count, problem) }

  private static let rows = [
    row(.once, 1), row(.once, 0, "expected exactly 1 call, got 0"), row(.once, 2, "expected exactly 1 call, got 2"),
    row(.twice, 2), row(.never, 0), row(.never, 1, "expected no call, got 1"), row(2, 2),
    row(.between(2...3), 3), row(.between(2...3), 1, "expected 2 to 3 calls, got 1"), row(.atLeast(2), 2),
    row(.atMost(1), 2, "expected at most 1 call, got 2"),
    row(.atLeast(1), 0, "expected at least 1 call, got 0"),
  ]

  @Test(
    "are checked at the end of the test, and reported at the line of the stub",
    arguments: rows)
  func judged(calls: CallCount, count: Int, problem: String?) async throws {
    let issues = try await issues(.stubbed(reportUnused: true)) {
      Self.add(line: 7, "/login", calls: calls)
      for _ in 0..<count { await Self.ask("/login") }
    }
    let expected = problem.map { ["7: The stub isPath(\"/login\") (App/Users.swift:7): \($0)"] } ?? []
    #expect(issues == expected)
  }

  @Test("are counted for each stub of a group")
  func group() async throws {
    let issues = try await issues {
      stubs(on: isHost("a.example")) {
        Self.add(line: 1, "/asked-twice", calls: .once)
        Self.add(line: 2, "/asked-once", calls: .once)
      }
      await Self.ask("/asked-twice", "/asked-twice", "/asked-once")
    }
    #expect(Self.lines(issues) == [1], "\(issues)")
  }

  @Test("can stand beside times:, which says how many calls the stub takes")
  func besideTimes() async throws {
    let issues = try await issues {
      Self.add(line: 1, "/taken-up", times: 1, calls: .once)
      Self.add(line: 2, "/half-taken", times: 2, calls: .twice)
      await Self.ask("/taken-up", "/half-taken")
    }
    #expect(Self.lines(issues) == [2], "\(issues)")
  }

  @Test("are checked when the stub is removed, by itself or with all others")
  func removed() async throws {
    let issues = try await issues {
      let removedAlone = Self.add(line: 1, "/never-asked", calls: .once)
      removedAlone.remove()
      Self.add(line: 2, "/asked", calls: .once)
      Self.add(line: 3, "/not-asked", calls: .once)
      await Self.ask("/asked")
      HTTPStubs.removeAllStubs()
      Self.add(line: 4, "/after-the-removal", calls: .never)
    }
    #expect(Self.lines(issues) == [1, 3], "\(issues)")
  }

  @Test("can be too few in a test that throws, but not too many")
  func thrown() async throws {
    let issues = try await issues {
      Self.add(line: 1, "/not-asked", calls: .once)
      Self.add(line: 2, "/asked-twice", calls: .once)
      await Self.ask("/asked-twice", "/asked-twice")
      throw CancellationError()
    }
    #expect(Self.lines(issues) == [2], "\(issues)")
  }

  @Test("are checked at the end of withStubs")
  func scope() async throws {
    let issues = await takingIssues {
      await withStubs {
        Self.add(line: 1, "/not-asked", calls: .once)
        Self.add(line: 2, "/asked", calls: .once)
        await Self.ask("/asked")
      }
      // The form without await.
      withStubs { _ = Self.add(line: 3, "/not-asked", calls: .twice) }
    }.issues
    #expect(issues.compactMap(\.sourceLocation?.line) == [1, 3], "\(issues.map(\.text))")
  }

  @Test("are checked once, at the end of the outer scope, if a scope within it has the same registry")
  func sameRegistry() async throws {
    let issues = await takingIssues {
      await withStubs {
        Self.add(line: 1, "/asked-after-the-inner-scope", calls: .once)
        Self.add(line: 2, "/not-asked", calls: .once)
        withStubs(in: .current) { _ = Self.add(line: 3, "/of-the-inner-scope", calls: .never) }
        await Self.ask("/asked-after-the-inner-scope")
      }
    }.issues
    #expect(issues.compactMap(\.sourceLocation?.line) == [2], "\(issues.map(\.text))")
  }

  private static let mistakes: [(times: Int?, calls: CallCount)] = [
    // A negative number, and a range that begins with one.
    (nil, -1), (nil, .between(-1...2)),
    // What is always met, and more calls than the stub takes.
    (nil, .atLeast(0)), (1, .twice),
  ]

  @Test("are a mistake where they can't be met or missed", arguments: mistakes)
  func mistaken(times: Int?, calls: CallCount) async throws {
    let issues = try await issues {
      Self.add(line: 9, "/a", times: times, calls: calls)
      await Self.ask("/a")
    }
    #expect(issues.count == 1, "\(issues)")
    #expect(issues.first?.hasPrefix("9: calls: ") == true, "\(issues)")
  }

  /// Registers a stub where no end of a scope comes.
  private static let withoutScope: [(name: String, add: @Sendable () -> Stub)] = [
    ("a registry of its own", { stubAtLine(9, isPath("/a"), in: StubRegistry(), calls: .once) }),
    (
      "after withStubs",
      {
        let registry = StubRegistry()
        withStubs(in: registry) {}
        return stubAtLine(9, isPath("/a"), in: registry, calls: .once)
      }
    ),
  ]

  @Test("are a mistake in a registry without an open scope, in a test with one", arguments: withoutScope.indices)
  func unjudged(row: Int) async throws {
    let (name, add) = Self.withoutScope[row]
    let issues = try await issues {
      let stub = add()
      // The cure.
      if let registry = stub.home {
        withStubs(in: registry) { _ = stubAtLine(1, isPath("/b"), in: registry, calls: .never) }
      }
    }
    #expect(
      issues == [
        "9: calls: no scope of its registry is open, so nothing judges it. Register the stub in withStubs(in: registry), or "
          + "write expectCalls(to:_:) or verify(_:called:)."
      ], "\(name)")
  }

  @Test("can be a variable number for expectCalls")
  func variable() async throws {
    let count = ["a", "b"].count
    try await StubbedTrait.stubbed.provideScope(for: #require(Test.current), testCase: nil) {
      let login = Self.add(line: 1, "/a", calls: nil)
      await Self.ask("/a", "/a")
      expectCalls(to: login, count)
      expectCalls(to: isPath("/a"), count)
      expectCalls(to: login, .between(1...2))
    }
  }
}

@Suite("An expected order of requests", .inTurn, .withoutWarnings, .stubbed(attaches: .never))
struct ExpectedOrderTests {
  /// Returns the first lines of the issues of an expectation, with their lines.
  private func issues(_ body: @escaping @Sendable () -> Void) async -> [String] {
    await takingIssues { body() }.issues.map { "\($0.sourceLocation?.line ?? 0): \($0.text.prefix { !$0.isNewline })" }
  }

  @Test("can name stubs and conditions, and is an issue at its line if requests came otherwise")
  func order() async throws {
    let login = stub(.post, "/login", response: .ok)
    stub(.get, "/ads", response: .ok)
    let items = stub(.get, "/items", response: .json([]))
    // It has the same condition, and answers the second request.
    let first = stub(.get, "/items", response: .json([]), times: 1)
    for (method, path) in [("POST", "/login"), ("GET", "/items"), ("GET", "/ads"), ("GET", "/items")] {
      _ = try? await fetch("http://a.example\(path)", method: method)
    }
    expectCalls(inOrder: login, first, isPath("/ads"), items)
    let here = StubLocation(fileID: "App/A.swift", filePath: "/app/A.swift", line: 7, column: 1)
    let wrong = await issues {
      expectCalls(inOrder: login, items, first, at: here)
      expectCalls(inOrder: isPath("/ads"), login, at: here)
    }
    #expect(
      wrong == [
        "7: expectCalls(inOrder:): no request after GET http://a.example/items meets condition 3 of 3, \(first)",
        "7: expectCalls(inOrder:): no request after GET http://a.example/ads meets condition 2 of 2, \(login)",
      ])
    #expect(throws: VerificationError.self) { try verifyInOrder(isPath("/items"), isPath("/login"), at: here) }
  }
}
