import Foundation
import StubKit
import Testing

/// A kind of response, with what a delegate hears of it when nothing happens to the task.
enum Kind: String, CaseIterable, Sendable {
  case plain, delayed, chunked, closure, sequence, redirected, challenged, failing, breakingOff

  var response: StubResponse {
    switch self {
    case .plain, .closure: .text("abc")
    case .delayed: .text("abc").delay(.milliseconds(20))
    case .chunked: .text("abc").chunked(by: 1, every: .milliseconds(5))
    case .sequence:
      .stream {
        AsyncStream { stream in
          for piece in ["a", "b", "c"] { stream.yield(Data(piece.utf8)) }
          stream.finish()
        }
      }
    case .redirected: .redirect(to: "/to")
    case .challenged: .text("who?", status: 401, headers: ["WWW-Authenticate": "Basic realm=\"r\""])
    case .failing: .failure(.networkConnectionLost)
    case .breakingOff: .text("abc").failing(afterBytes: 2)
    }
  }

  /// - Parameter gate: What holds the first response; nil for nothing.
  func register(heldBy gate: ResponseGate? = nil) {
    let response = gate.map { self.response.held(by: $0) } ?? self.response
    switch self {
    case .closure:
      stub(condition: isPath("/x")) { _ in
        await Task.yield()
        return response
      }
    case .challenged:
      stub(condition: isPath("/x"), response: response)
      stub(condition: isPath("/x") && hasBasicAuth(user: "ann", password: "pw"), response: .text("abc"))
    default:
      stub(condition: isPath("/x"), response: response)
    }
    stub(condition: isPath("/to"), response: .text("abc"))
  }

  var text: String { self == .failing ? "" : self == .breakingOff ? "ab" : "abc" }
  var code: URLError.Code? { self == .failing || self == .breakingOff ? .networkConnectionLost : nil }
}

@Suite("A task on Apple platforms", .inEachLoader, .timeLimit(.minutes(1)))
struct StepStories {
  private let credential = URLCredential(user: "ann", password: "pw", persistence: .none)
  private let url = URL(string: "http://a.example/x")!

  private func run(_ kind: Kind, _ watcher: Watcher, onResume: @Sendable (URLSessionTask) -> Void = { _ in }) async
    -> StubRegistry
  {
    let registry = StubRegistry()
    await withStubs(in: registry) {
      kind.register()
      await watcher.run(onResume: onResume) { $0.dataTask(with: url) }
    }
    return registry
  }

  @Test("may be suspended and resumed at every step of every kind of response", arguments: Kind.allCases, 0..<6)
  func suspended(kind: Kind, step: Int) async {
    let pause: @Sendable (URLSessionTask) -> Void = { task in
      task.suspend()
      DispatchQueue.global().async { task.resume() }
    }
    let watcher = Watcher(credential: credential, atStep: { if $0 == step { pause($1) } })
    _ = await run(kind, watcher) { if step == 0 { pause($0) } }
    #expect(watcher.text == kind.text, "\(watcher.events)")
    #expect(watcher.code == kind.code, "\(watcher.events)")
  }

  @Test("hears nothing while it is suspended, and all of it then", arguments: Kind.allCases)
  func held(kind: Kind) async {
    let watcher = Watcher(credential: credential)
    let registry = StubRegistry()
    await withStubs(in: registry) {
      let gate = ResponseGate()
      kind.register(heldBy: gate)
      let hold: (URLSessionTask) async -> Void = { task in
        task.suspend()
        gate.open()
        // A request that is answered later shows that this one had its time.
        stub(condition: isPath("/other"), response: .text("other").delay(.milliseconds(50)))
        let answer = try? await text(URLSession(configuration: .staged), "http://a.example/other")
        #expect(answer == "other")
        #expect(watcher.events == [])
        #expect(task.state == .suspended)
        task.resume()
      }
      await watcher.run(onResume: hold) { $0.dataTask(with: url) }
    }
    #expect(watcher.text == kind.text)
    #expect(watcher.code == kind.code)
  }

  @Test("may be cancelled at every step of every kind of response, and ends once", arguments: Kind.allCases, 0..<6)
  func cancelled(kind: Kind, step: Int) async {
    let watcher = Watcher(credential: credential, atStep: { if $0 == step { $1.cancel() } })
    let registry = await run(kind, watcher) { if step == 0 { $0.cancel() } }
    let ends = watcher.events.filter { $0 == "end" || $0 == "failure" }
    #expect(ends.count == 1, "\(watcher.events)")
    #expect(watcher.code == .cancelled || watcher.code == kind.code, "\(watcher.events)")
    // Whatever was cancelled, what comes after it is answered.
    let answer = try? await withStubs(in: registry) {
      stub(condition: isPath("/after"), response: .text("after"))
      return try await text("http://a.example/after")
    }
    #expect(answer == "after")
    #expect(registry.journal.entries.allSatisfy { $0.outcome != .inProgress })
  }

  @Test("that is cancelled before its load begins holds up no clock")
  func cancelledAtOnce() async {
    let clock = ManualClock()
    await withStubs {
      HTTPStubs.clock = clock
      Kind.plain.register()
      let watcher = Watcher()
      let configuration = URLSessionConfiguration.staged
      configuration.protocolClasses = [Canceller.self] + (configuration.protocolClasses ?? [])
      await watcher.run(in: configuration, onResume: { _ in await clock.advance(by: .seconds(1)) }) {
        $0.dataTask(with: url)
      }
      #expect(watcher.code == .cancelled)
    }
  }
}

/// Cancels a task when the system asks who loads it.
private final class Canceller: URLProtocol {
  override class func canInit(with request: URLRequest) -> Bool { false }
  override class func canInit(with task: URLSessionTask) -> Bool {
    task.cancel()
    return false
  }
}

@Suite("A challenge on Apple platforms", .inEachLoader, .timeLimit(.minutes(1)))
struct ChallengeStories {
  @Test(
    "is answered by the delegate, leaves the response as it stands, or ends the task if it is cancelled",
    arguments: [
      ("a credential", ["head 200", "data", "end"], "abc"), ("nothing", ["head 401", "data", "end"], "who?"),
      ("a cancellation", ["failure"], ""),
    ])
  func delegates(answer: String, events: [String], text: String) async {
    let credential = URLCredential(user: "ann", password: "pw", persistence: .none)
    let isCancelled = answer == "a cancellation"
    let watcher = Watcher(
      credential: answer == "a credential" ? credential : nil, cancelsChallenges: isCancelled)
    await withStubs {
      Kind.challenged.register()
      await watcher.run { $0.dataTask(with: URL(string: "http://a.example/x")!) }
    }
    #expect(watcher.events == ["challenge r"] + events)
    #expect(watcher.text == text)
    #expect(watcher.code == (isCancelled ? .cancelled : nil))
  }

  @Test("needs no delegate: its own response is the answer")
  func withoutDelegate() async throws {
    let answer = try await withStubs {
      stub(
        condition: isPath("/x"),
        response: .text("who?", status: 401, headers: ["WWW-Authenticate": "Basic realm=\"r\""]))
      return try await text(URLSession(configuration: .staged), "http://a.example/x")
    }
    #expect(answer == "who?")
  }
}
