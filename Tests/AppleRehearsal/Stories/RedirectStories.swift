import Foundation
import StubKit
import Testing

@Suite("A redirect on Apple platforms", .inEachLoader, .timeLimit(.minutes(1)))
struct RedirectStories {
  private func run(_ watcher: Watcher, _ url: String, isOnMain: Bool = false) async {
    await watcher.run(on: isOnMain ? .main : nil) { $0.dataTask(with: URL(string: url)!) }
  }

  @Test("that is refused is the answer, with its body", arguments: [true, false])
  func refused(isOnMain: Bool) async throws {
    let watcher = Watcher(redirect: { _ in
      #expect((OperationQueue.current == .main) == isOnMain)
      return nil
    })
    let registry = StubRegistry()
    await withStubs(in: registry) {
      stub(condition: isPath("/from"), response: .text("moved", status: 302, headers: ["Location": "/to"]))
      await run(watcher, "http://a.example/from", isOnMain: isOnMain)
    }
    // The new loader answers with the redirect itself.
    #expect(watcher.events == ["redirect /to", "head 302"] + (Stage.isClassic ? ["data"] : []) + ["end"])
    #expect(watcher.text == (Stage.isClassic ? "moved" : ""))
    #expect(registry.journal.entries.map(\.outcome) == [.answered(status: 302)])
  }

  @Test("goes where the delegate says")
  func changed() async throws {
    let watcher = Watcher(redirect: { _ in URLRequest(url: URL(string: "http://b.example/else")!) })
    await withStubs {
      stub(condition: isPath("/from"), response: .redirect(to: "/to"))
      stub(condition: isHost("b.example"), response: .text("elsewhere"))
      await run(watcher, "http://a.example/from")
    }
    #expect(watcher.text == "elsewhere")
  }

  @Test("is followed twenty times, and not more", arguments: [20, 25])
  func chain(length: Int) async throws {
    let watcher = Watcher()
    await withStubs {
      stub(condition: isPath(template: "/{n}")) { _, match in
        let number = match["n"].flatMap { Int($0) } ?? 0
        return number < length ? .redirect(to: "/\(number + 1)") : .text("the end")
      }
      await run(watcher, "http://a.example/0")
    }
    #expect(
      watcher.text == (length == 20 ? "the end" : "") && watcher.code == (length == 20 ? nil : .httpTooManyRedirects))
  }

  @TaskLocal static var requester = "nobody"

  @Test("leads to a closure that sees the requester's task-locals")
  func closures() async throws {
    let answer = try await Self.$requester.withValue("me") {
      try await withStubs {
        stub(condition: isPath("/from")) { _ in .redirect(to: "/to") }
        stub(condition: isPath("/to")) { _ in .text(Self.requester) }
        return try await text("http://a.example/from")
      }
    }
    #expect(answer == "me")
  }

  @Test("drops the credentials that a server's redirect drops, whoever redirects")
  func credentials() async throws {
    let server = try Server(answer: Server.redirecting)
    var request = URLRequest(url: server.url("/from"))
    for name in ["Authorization", "X-Own"] { request.setValue("own", forHTTPHeaderField: name) }
    var arrived: [[String?]] = []
    for redirecting in ["nobody", "stub", "server"] {
      let registry = StubRegistry()
      registry.isEnabled = redirecting != "nobody"
      await withStubs(in: registry) {
        HTTPStubs.unmatched = .passThrough
        if redirecting == "stub" { stub(condition: isPath("/from"), response: .redirect(to: "/to")) }
        await Watcher().run { $0.dataTask(with: request) }
      }
      let headers = server.requests.last { $0.line == "GET /to" }?.headers
      arrived.append(["authorization", "x-own"].map { headers?[$0] })
    }
    #expect(arrived == Array(repeating: [nil, "own"], count: 3))
  }

  @Test("leads to the real network where that is let through, and is asked about")
  func toTheNetwork() async throws {
    let server = try Server()
    let watcher = Watcher()
    let target = server.url("/there").absoluteString
    await withStubs {
      HTTPStubs.unmatched = .passThrough
      stub(condition: isPath("/from"), response: .redirect(to: target))
      await run(watcher, "http://a.example/from")
    }
    #expect(watcher.events == ["redirect /there", "head 200", "data", "end"] && watcher.text == "real")
    #expect(server.lines == ["GET /there"])
  }
}

@Suite("Many redirects on Apple platforms", .inEachLoader, .timeLimit(.minutes(5)))
struct ManyRedirectStories {
  /// How often each of ten tasks is redirected. What is seldom on a Mac, the stand-in leaves to chance each time.
  #if canImport(URLLoading)
    private static let count = 10
  #else
    private static let count = 100
  #endif

  enum Delegate: String, CaseIterable, Sendable {
    case none, quiet, answering, slow, slowOnMain, ofTask

    func session() -> URLSession {
      let delegate: (any URLSessionDelegate)? =
        switch self {
        case .none, .ofTask: nil
        case .quiet: QuietDelegate()
        case .answering: Watcher()
        case .slow, .slowOnMain: SlowDelegate()
        }
      let queue = self == .slowOnMain ? OperationQueue.main : nil
      return URLSession(configuration: .staged, delegate: delegate, delegateQueue: queue)
    }

    func text(_ session: URLSession, _ url: URL) async throws -> String {
      let delegate = self == .ofTask ? Watcher() : nil
      let (data, response) = try await session.data(from: url, delegate: delegate)
      return "\((response as? HTTPURLResponse)?.statusCode ?? 0) \(String(decoding: data, as: UTF8.self))"
    }
  }

  @Test(
    "are followed without one failure, whoever is asked and whoever observes",
    arguments: Delegate.allCases,
    [true, false])
  func certain(delegate: Delegate, isObserved: Bool) async throws {
    let registry = StubRegistry()
    let observed = Locked(0)
    let answers = await withStubs(in: registry) {
      if isObserved { StubRegistry.current.onRedirect { _, _, _, _ in observed.withLock { $0 += 1 } } }
      stub(condition: isPath("/from"), response: .text("moved", status: 302, headers: ["Location": "/to"]))
      stub(condition: isPath("/to"), response: .text("there"))
      let session = delegate.session()
      defer { session.finishTasksAndInvalidate() }
      let url = URL(string: "http://a.example/from")!
      return await withTaskGroup(of: [String: Int].self) { group in
        for _ in 0..<10 {
          group.addTask {
            var answers: [String: Int] = [:]
            for _ in 0..<Self.count {
              let answer: String
              do { answer = try await delegate.text(session, url) } catch { answer = "\(error)" }
              answers[answer, default: 0] += 1
            }
            return answers
          }
        }
        return await group.reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
      }
    }
    let all = 10 * Self.count
    Report.note("\(all) redirects, delegate \(delegate), \(isObserved ? "observed" : "unobserved")", "\(answers)")
    #expect(answers == ["200 there": all] && observed.current == (isObserved ? all : 0))
    // The first exchange of a chain can end after the client has everything.
    func endedCount() -> Int { registry.journal.entries.count { $0.outcome == .answered(status: 302) } }
    for _ in 0..<1_000 where endedCount() < all { try? await Task.sleep(for: .milliseconds(10)) }
    #expect(endedCount() == all)
  }
}
