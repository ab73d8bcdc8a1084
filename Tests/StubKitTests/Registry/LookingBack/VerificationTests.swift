import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A verification", .inTurn)
struct VerificationTests {
  private func make(_ paths: [String], in registry: StubRegistry) {
    for path in paths {
      let entry = registry.journal.begin(URLRequest(url: url("http://a.example\(path)")), body: nil, stub: nil)
      registry.journal.end(entry, .answered(status: 200))
    }
  }

  private func error(of verification: () throws -> Void) throws -> VerificationError {
    try #require(#expect(throws: VerificationError.self) { try verification() })
  }

  @Test("holds if as many requests as said met the condition")
  func counts() {
    for (count, holds) in [
      (CallCount.atLeast(1), true), (.atLeast(2), true), (.atLeast(3), false), (2, true), (.exactly(1), false),
      (.atMost(2), true), (.atMost(1), false), (.never, false), (.once, false),
    ] {
      let registry = StubRegistry()
      make(["/a", "/b", "/a"], in: registry)
      #expect(((try? verify(isPath("/a"), called: count, in: registry)) != nil) == holds, "\(count)")
    }
  }

  @Test("is about the current registry, and at least one call, unless it says otherwise")
  func defaults() async throws {
    try await withStubs {
      stub(condition: isHost("a.example"), response: .text("x"))
      #expect(throws: VerificationError.self) { try verify(isPath("/a")) }
      _ = try await URLSession.shared.fetch("http://a.example/a")
      try verify(isPath("/a"))
    }
  }

  @Test("that fails says what was expected and where, and lists what came, nearest first")
  func report() throws {
    let registry = StubRegistry()
    make(["/c?page=2", "/b?page=1", "/c"], in: registry)
    let condition = isHost("a.example") && isPath("/b") && containsQuery("page", "2")
    let line = #line + 1
    let error = try error { try verify(condition, in: registry) }
    let lines = error.description.split(separator: "\n").map(String.init)
    #expect(lines[0].hasPrefix("verify(isHost(\"a.example\") && isPath(\"/b\") && containsQuery(\"page\", \"2\")): "))
    #expect(lines[0].hasSuffix("expected at least 1 call, got 0"))
    #expect(lines[1] == "  at StubKitTests/VerificationTests.swift:\(line)" && error.location.line == line)
    #expect(lines[2] == "3 requests did arrive, nearest first:")
    let listed = lines.filter { $0.contains(". GET") }
    #expect(listed.count == 3 && listed[2] == "  3. GET http://a.example/c: answered with 200")
    #expect(lines.last?.hasPrefix("     ✗ ") == true && error.localizedDescription == error.description)
  }

  @Test("that found too many lists those")
  func tooMany() throws {
    let registry = StubRegistry()
    make(["/a", "/b", "/a"], in: registry)
    let description = try error { try verify(isPath("/a"), called: .once, in: registry) }.description
    #expect(
      description.contains("expected exactly 1 call, got 2") && description.contains("These requests were counted:"))
    #expect(!description.contains("/b"))
  }

  @Test("prints a screen, however much came")
  func length() throws {
    for count in [0, 1, 500] {
      let registry = StubRegistry()
      make((0..<count).map { "/\($0)" }, in: registry)
      let descriptions = try [
        error { try verify(isPath("/x") && isMethodPOST() && hasHeader("A"), in: registry) },
        error { try verify(.anything, called: count == 0 ? 1 : 0, in: registry) },
        error { try verifyInOrder(isPath("/0"), isPath("/x"), in: registry) },
      ].map(\.description)
      for description in descriptions { #expect(description.split(separator: "\n").count <= 25, "\(count)") }
      if count == 0 { #expect(descriptions[0].contains("\nNo requests arrived.\n"), "\(count)") }
      if count == 500 { #expect(descriptions[0].contains("more"), "\(count)") }
    }
  }

  @Test("prints an unmatched request in a line")
  func unmatched() async throws {
    try await withStubs {
      _ = await URLSession.shared.failure(of: "http://a.example/a")
      let description = try error { try verify(isPath("/b")) }.description
      #expect(description.contains("1. GET http://a.example/a: unmatched\n"))
    }
  }

  @Test("runs a condition's closure once for each request")
  func closures() throws {
    let registry = StubRegistry()
    make(["/a", "/b", "/c"], in: registry)
    let runs = Protected(0)
    let condition = RequestMatcher("counts") { _ in
      runs.withLock { $0 += 1 }
      return false
    }
    _ = try error { try verify(condition, in: registry) }
    #expect(runs.withLock { $0 } == 3)
    _ = try error { try verifyInOrder(condition, in: registry) }
    #expect(runs.withLock { $0 } == 6)
  }

  @Test(
    "that hangs on requests that the journal has dropped says so, and only then",
    arguments: [
      (CallCount.atLeast(1), "/a", nil), (.atLeast(3), "/a", true), (.atMost(1), "/a", false), (.atMost(2), "/a", true),
      (.never, "/x", true), (.exactly(2), "/a", true), (.exactly(1), "/a", false),
    ] as [(CallCount, String, Bool?)])
  func dropped(count: CallCount, path: String, saysSo: Bool?) throws {
    let registry = StubRegistry()
    registry.journal.limit = 2
    make(["/a", "/a", "/a"], in: registry)
    guard let saysSo else { return try verify(isPath(path), called: count, in: registry) }
    let description = try error { try verify(isPath(path), called: count, in: registry) }.description
    #expect(description.contains("The journal keeps 2 requests and has dropped 1 earlier one") == saysSo)
  }

  @Test("counts from the moment at which the journal was cleared")
  func cleared() throws {
    let registry = StubRegistry()
    registry.journal.limit = 1
    make(["/a", "/a"], in: registry)
    registry.journal.clear()
    try verify(.anything, called: .never, in: registry)
    make(["/a"], in: registry)
    try verify(isPath("/a"), called: .once, in: registry)
  }

  @Test("of a stub goes by the stub's own count, whatever became of the journal")
  func ofStub() async throws {
    try await withStubs {
      let users = stub(condition: isPath("/users"), response: .text("x"), name: "users")
      let other = stub(condition: isPath("/other"), response: .text("x"))
      _ = try await URLSession.shared.fetch("http://a.example/users")
      _ = try await URLSession.shared.fetch("http://a.example/users")
      let tooMany = try error { try verify(users, called: .once) }.description
      #expect(tooMany.hasPrefix("verify(\"users\" (") && tooMany.contains("expected exactly 1 call, got 2"))
      StubRegistry.current.journal.clear()
      try verify(users, called: 2)
      try verify(other, called: .never)
      #expect(try error { try verify(other) }.description.contains("\nNo requests arrived.\n"))
    }
  }

  @Test("of a stub says which stub answered instead")
  func otherStub() async throws {
    try await withStubs {
      let older = stub(condition: isPath("/users"), response: .text("old"))
      stub(condition: isHost("a.example"), response: .text("new"), name: "newer")
      _ = try await URLSession.shared.fetch("http://a.example/users")
      let description = try error { try verify(older) }.description
      #expect(description.contains("answered by another stub, \"newer\""))
    }
  }

  @Test("of an order takes the first request after the one before")
  func order() {
    for (paths, holds) in [
      (["/a", "/b", "/c"], true), (["/a", "/c"], true), (["/a", "/a"], true), (["/c", "/a"], true),
      (["/b", "/c", "/a"], true),
      (["/a", "/a", "/a"], false), (["/c", "/b"], false), (["/x"], false), ([], true),
    ] {
      let registry = StubRegistry()
      make(["/a", "/b", "/c", "/a"], in: registry)
      let conditions = paths.map { isPath($0) }
      let verified: Void? =
        switch conditions.count {
        case 0: try? verifyInOrder(in: registry)
        case 1: try? verifyInOrder(conditions[0], in: registry)
        case 2: try? verifyInOrder(conditions[0], conditions[1], in: registry)
        default: try? verifyInOrder(conditions[0], conditions[1], conditions[2], in: registry)
        }
      #expect((verified != nil) == holds, "\(paths)")
    }
  }

  @Test("of an order says how far it went, and what came after that")
  func orderReport() throws {
    let registry = StubRegistry()
    make(["/b", "/a", "/c"], in: registry)
    let lines = try error { try verifyInOrder(isPath("/a"), isPath("/b"), in: registry) }.description
      .split(separator: "\n").map(String.init)
    #expect(
      lines[0] == #"verifyInOrder: no request after GET http://a.example/a meets condition 2 of 2, isPath("/b")"#)
    #expect(lines[2] == #"  ✓ 1. isPath("/a"): GET http://a.example/a"#)
    #expect(lines[3] == "It came earlier, as request 1: GET http://a.example/b: answered with 200")
    #expect(lines[4] == "1 request did arrive after that, nearest first:")
    #expect(lines[5] == "  1. GET http://a.example/c: answered with 200")
    let second = try error { try verifyInOrder(isPath("/a"), isHost("a.example"), isPath("/a"), in: registry) }
    #expect(
      second.description.contains(
        "\nIt came earlier, as request 2, where it counts for condition 1: GET http://a.example/a: answered with 200\n")
    )
    #expect(try !error { try verifyInOrder(isPath("/x"), in: registry) }.description.contains("earlier"))
  }

  @Test("that can come too early says how to wait, unless a request is nearly right or the wait can't end")
  func tooEarly() async throws {
    func advice(_ verification: () throws -> Void) throws -> String? {
      try error(of: verification).description.split(separator: "\n").last.map(String.init)
        .flatMap { $0.hasPrefix("If it is still on its way") ? $0 : nil }
    }
    let wait =
      "If it is still on its way, wait for it first: try await stub.waitForCalls(). If the code below makes it, verify "
      + "after that."
    try await withStubs {
      let event = stub(condition: isPath("/events"), response: .empty())
      let spent = stub(condition: isPath("/login"), response: .empty(), times: 1)
      #expect(try advice { try verify(event) } == wait)
      _ = try await URLSession.shared.fetch("http://a.example/login")
      #expect(try advice { try verify(event) } == wait)
      #expect(try advice { try verify(isPath("/events")) } == wait)
      #expect(try advice { try verify(event, called: 2) } == wait.replacing("()", with: "(2)"))
      #expect(try advice { try verify(isPath("/login"), called: .never) } == nil)
      #expect(try advice { try verify(spent, called: 2) } == nil)
      #expect(try advice { try verify(isPath("/logon")) } == nil)
      stub(condition: isPath("/events"), response: .empty())
      _ = try await URLSession.shared.fetch("http://a.example/events")
      #expect(try advice { try verify(event) } == nil)
    }
  }

  @Test("of all stubs names those that were never used")
  func allStubs() async throws {
    try await withStubs {
      try HTTPStubs.verifyAllStubsUsed()
      stub(condition: isPath("/users"), response: .text("x"))
      let forgotten = stub(condition: isPath("/forgotten"), response: .text("x"), name: "forgotten")
      _ = try await URLSession.shared.fetch("http://a.example/users")
      let error = try error { try HTTPStubs.verifyAllStubsUsed() }
      #expect(error.description.hasPrefix("verifyAllStubsUsed: 1 of 2 stubs was never used\n"))
      #expect(error.description.contains("  \"forgotten\" (StubKitTests/VerificationTests.swift:"))
      forgotten.remove()
      try HTTPStubs.verifyAllStubsUsed()
    }
  }
}

@Suite("A number of calls", .inTurn)
struct CallCountTests {
  @Test("allows what it says")
  func contains() {
    for (count, allowed, text) in [
      (CallCount.exactly(2), [2], "exactly 2 calls"), (.once, [1], "exactly 1 call"), (.never, [0], "no call"),
      (.atLeast(3), [3, 4, 5], "at least 3 calls"), (.atMost(1), [0, 1], "at most 1 call"), (4, [4], "exactly 4 calls"),
    ] as [(CallCount, [Int], String)] {
      #expect((0...5).filter(count.contains) == allowed, "\(text)")
      #expect(count.description == text, "\(text)")
    }
  }

  @Test("is a value: equal to what allows the same, and to be matched")
  func values() {
    #expect(CallCount.once == 1 && CallCount.never == .atMost(0) && CallCount.atLeast(1) != .once)
    #expect(Set([CallCount.never, 0, .exactly(0)]).count == 1)
    switch CallCount.exactly(1) {
    case .never: Issue.record("took 1 for none")
    case .once: break
    default: Issue.record("took 1 for something else")
    }
  }

  @Test("below zero expects nothing, and fails what verifies it")
  func negative() {
    for count in [CallCount.atLeast(-1), .atMost(-1), -1] {
      #expect(!count.contains(0) && !count.contains(1) && !count.contains(-1), "\(count)")
      let registry = StubRegistry()
      let error = #expect(throws: VerificationError.self, "\(count)") {
        try verify(.anything, called: count, in: registry)
      }
      #expect(error?.description.contains("-1 is not a valid number of calls. Write 0 or more.") == true, "\(count)")
      let stub = stub(condition: .anything, response: .empty(), in: registry)
      #expect(throws: VerificationError.self, "\(count)") { try verify(stub, called: count) }
    }
  }
}
