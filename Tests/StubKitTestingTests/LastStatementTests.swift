import Foundation
import TestSupport
import Testing

@testable import StubKit
@testable import StubKitTesting

/// The end of a test whose last statement resumes a task.
@Suite("The last statement of a test")
struct LastStatementTests {
  private static let repetitions = TestSize.of(200, inPart: 20)

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
    "is an issue if no stub matches its request, even if the test cancels that at once", arguments: Leaving.allCases)
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

  /// Ways in which the answer to a request leads to another one.
  enum Leading: CaseIterable, Sendable {
    case redirect, closure, sequence, delayed, delayedOnImmediateClock, inPieces, slowClosure, afterBody, delegate
    case credential, openGate, observed, atNoTimeOnManualClock

    /// Registers what answers `/old`, and resumes a task for it.
    func leave() {
      let address = "http://a.example/old"
      var redirect = StubResponse.redirect(to: "/new")
      let registry = StubRegistry.current
      var session = URLSession.shared
      switch self {
      case .redirect: stub(.get, address, response: redirect)
      case .closure, .afterBody: stub(condition: isPath("/old")) { [redirect] _ in redirect }
      case .sequence: stub(.get, address, responses: [redirect])
      case .delayed: stub(.get, address, response: redirect.delay(.milliseconds(20)))
      case .delayedOnImmediateClock:
        registry.clock = .immediate
        stub(.get, address, response: redirect.delay(.seconds(20)))
      case .inPieces:
        redirect.body = .data(Data("moved".utf8))
        stub(.get, address, response: redirect.chunked(by: 1, every: .milliseconds(1)))
      case .slowClosure:
        stub(condition: isPath("/old")) { [redirect] _ in
          try await Task.sleep(for: .milliseconds(5))
          return redirect
        }
      case .delegate:
        stub(.get, address, response: redirect)
        session = URLSession(configuration: .ephemeral, delegate: FollowingDelegate(), delegateQueue: nil)
      case .credential:
        stub(.get, address, response: .basicChallenge(realm: "Films"))
        session = URLSession(configuration: .ephemeral, delegate: FollowingDelegate(), delegateQueue: nil)
      case .openGate:
        let gate = ResponseGate()
        gate.open()
        stub(condition: isPath("/old")) { [redirect] _ in redirect.held(by: gate) }
      case .observed:
        registry.onActivation { _, _, _ in }
        registry.onFinish { _, _, _, _ in }
        stub(.get, address, response: redirect)
      case .atNoTimeOnManualClock:
        registry.clock = ManualClock()
        stub(condition: isPath("/old")) { [redirect] _ in redirect }
      }
      var made = request(address)
      if self == .afterBody {
        made.httpMethod = "POST"
        made.httpBodyStream = InputStream(data: Data("x".utf8))
      }
      session.dataTask(with: made).resume()
    }

    /// Where it leads. A demand for a credential leads to the same address.
    var target: RequestMatcher { self == .credential ? hasHeader("Authorization") : isPath("/new") }
  }

  @Test(
    "is waited for through a redirect or a challenge: a target without a stub is an issue", arguments: Leading.allCases,
    [false, true])
  func followed(_ leading: Leading, isStubbed: Bool) async throws {
    for _ in 0..<Self.repetitions {
      let issues = try await issues(.stubbed(reportUnused: true)) {
        if leading == .credential {
          // Only the first demand.
          stub(condition: !hasHeader("Authorization"), response: .basicChallenge(realm: "Films"))
          if isStubbed { stub(condition: hasHeader("Authorization"), response: .ok) }
          let session = URLSession(configuration: .ephemeral, delegate: FollowingDelegate(), delegateQueue: nil)
          session.dataTask(with: request("http://a.example/old")).resume()
          return
        }
        if isStubbed { stub(condition: leading.target, response: .ok) }
        leading.leave()
      }
      let path = leading == .credential ? "old" : "new"
      let found = issues.filter { $0.hasPrefix("No stub matches GET http://a.example/\(path)") }
      // Notes about the failure follow.
      #expect(isStubbed ? issues.isEmpty : found.count == 1 && issues.first == found.first, "\(leading): \(issues)")
    }
  }

  @Test(
    "is waited for with the handlers that it leads to: their third request without a stub is an issue",
    arguments: ["/ads", "/slow", "/closure", "/none"])
  func handled(_ path: String) async throws {
    for _ in 0..<Self.repetitions {
      let issues = try await issues {
        stub(.get, "http://a.example/ads", response: .ok)
        stub(.get, "http://a.example/slow", response: StubResponse.ok.delay(.milliseconds(5)))
        stub(condition: isPath("/closure")) { _ in .ok }
        // The second handler makes a third request.
        stub(.get, "http://a.example/second", response: .ok)
        URLSession.shared.dataTask(with: request("http://a.example\(path)")) { _, _, _ in
          URLSession.shared.dataTask(with: request("http://a.example/second")) { _, _, _ in
            Self.resume("http://a.example/third")
          }.resume()
        }.resume()
      }
      let found = issues.map { String($0.prefix { !$0.isNewline }) }.filter { $0.hasPrefix("No stub matches") }
      let first = path == "/none" ? ["No stub matches GET http://a.example/none"] : []
      #expect(found == first + ["No stub matches GET http://a.example/third"], "\(issues)")
    }
  }

  /// Ways to break a body off.
  enum BreakingOff: CaseIterable, Sendable { case atOnce, inTheMiddle, neverGiven, neverEnded }

  @Test("is no issue if its request is cancelled before the body is complete", arguments: BreakingOff.allCases)
  func brokenOff(_ way: BreakingOff) async throws {
    let unended = Locked<[@Sendable () -> Void]>([])
    for _ in 0..<Self.repetitions {
      let issues = try await issues {
        stub(condition: isPath("/log") && bodyContains("x"), response: .ok)
        var request = request("http://a.example/log", method: "POST")
        let stream = HeldStream(Data("an".utf8), then: Data("x".utf8))
        let task: URLSessionTask
        if way == .neverGiven {
          let session = URLSession(configuration: .ephemeral, delegate: FollowingDelegate(), delegateQueue: nil)
          task = session.uploadTask(withStreamedRequest: request)
        } else {
          request.httpBodyStream = stream
          task = URLSession.shared.dataTask(with: request) { _, _, _ in }
        }
        task.resume()
        if way == .inTheMiddle || way == .neverEnded { try await until("the body is read") { stream.isHeld } }
        task.cancel()
        // The stream ends because its client is gone.
        if way != .neverEnded { stream.end() } else { unended.withLock { $0.append(stream.end) } }
      }
      for end in unended.withLock({ exchange(&$0, with: []) }) { end() }
      #expect(issues.isEmpty, "\(way): \(issues)")
    }
  }

  /// Ways in which a request comes to wait for the test.
  enum Controlling: CaseIterable, Sendable { case value, closure, afterBody, observed }

  @Test(
    "is no issue if it cancels a request that a .controlled stub leaves to the test", arguments: Controlling.allCases)
  func cancelledCall(_ way: Controlling) async throws {
    for _ in 0..<Self.repetitions {
      let issues = try await issues {
        if way == .closure {
          stub(condition: isPath("/feed")) { _ in .controlled }
        } else {
          stub(condition: isPath("/feed"), response: .controlled)
        }
        if way == .observed { StubRegistry.current.onActivation { _, _, _ in } }
        var request = request("http://a.example/feed", method: "POST")
        if way == .afterBody { request.httpBodyStream = InputStream(data: Data("x".utf8)) }
        let task = URLSession.shared.dataTask(with: request) { _, _, _ in }
        task.resume()
        task.cancel()
      }
      #expect(issues.isEmpty, "\(way): \(issues)")
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

  @Test("is an issue in a cancelled test, too, if no stub matches its request")
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

  @Test(
    "is an issue if a second passes before it is known whether a stub matches its request", arguments: [false, true])
  func slow(looksBack: Bool) async throws {
    // Many at once, because each takes its second.
    for _ in 0..<Self.repetitions / 20 {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<20 {
          group.addTask {
            let answer = Latch()
            let (findings, _) = await TestScope(.enclosing.overridden(by: ScopeOptions(reportUnused: true))).run {
              stub(condition: isPath("/ads") && { _ in answer.blockUntilOpened() }, response: .ok)
              Self.resume("http://a.example/ads")
              // A look back has a second of its own, and leaves the end its own.
              if looksBack { #expect(StubRegistry.current.stubs[0].callCount == 0) }
            }
            answer.open()
            let texts = findings.filter { !$0.isNote }.map(\.description)
            #expect(
              texts.count == 1 && texts[0].contains("It isn't known whether a stub matches GET http://a.example/ads")
                && texts[0].contains("waits for a closure in the condition of a stub"), "\(texts)")
          }
        }
        try await group.waitForAll()
      }
    }
  }
}

/// A stream whose second half comes only when the test says so, and doesn't come after an end.
private final class HeldStream: InputStream {
  private let state: Locked<(pieces: [Data], isHeld: Bool)>
  private let ending = Latch()

  init(_ first: Data, then second: Data) {
    state = Locked(([first, second], false))
    super.init(data: Data())
  }

  var isHeld: Bool { state.withLock { $0.isHeld } }

  /// Ends the stream before the rest comes.
  var end: @Sendable () -> Void {
    { [state, ending] in
      state.withLock { $0.pieces = [] }
      ending.open()
    }
  }

  override func open() {}
  override func close() {}
  override var streamStatus: Status { .open }
  override var hasBytesAvailable: Bool { true }

  override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength length: Int) -> Int {
    let isSecond = state.withLock { state in
      state.isHeld = state.pieces.count == 1
      return state.isHeld
    }
    if isSecond { ending.blockUntilOpened() }
    let piece = state.withLock { $0.pieces.isEmpty ? Data() : $0.pieces.removeFirst() }
    piece.copyBytes(to: buffer, count: piece.count)
    return piece.count
  }
}
