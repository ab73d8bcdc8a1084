import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A closure that answers", .inTurn)
struct ResponderClosureTests {
  private enum Requester { @TaskLocal static var id = 0 }

  @Test("sees the request, captures and call number")
  func arguments() async throws {
    try await withStubs {
      stub(condition: isPath(template: "/users/{id}")) { request, match in
        .text("\(request.httpMethod ?? "") \(match["id"] ?? "") \(match.callNumber) \(match["none"] ?? "nil")")
      }
      let first = try await URLSession.shared.fetch("http://a.example/users/7")
      let second = try await URLSession.shared.fetch("http://a.example/users/%C3%A9")
      #expect([first.text, second.text] == ["GET 7 1 nil", "GET é 2 nil"])
    }
  }

  @Test("is the handler of a hand-written mock as it is, which may lock and sleep")
  func handlers() async throws {
    let lock = NSLock()
    @Sendable func head(_ request: URLRequest) -> HTTPURLResponse { HTTPURLResponse(to: request, status: 201) }
    @Sendable func handler(_ request: URLRequest) throws -> (HTTPURLResponse, Data) {
      lock.lock()
      defer { lock.unlock() }
      Thread.sleep(forTimeInterval: 0.001)
      return (head(request), Data("7".utf8))
    }
    let ways: [String: () -> Void] = [
      "condition": { stub(condition: isPath("/users/7"), response: handler) },
      "URL, match": {
        stub(.get, "/users/{id}") { request, match in StubResponse(head(request), Data(try match("id").utf8)) }
      },
      "policy": {
        HTTPStubs.unmatched = .respond { request in (head(request), Data("7".utf8)) }
      },
      "main actor": {
        stub(.get, "/users/7") { @MainActor request in
          MainActor.assertIsolated()
          return .text("7", status: 201)
        }
      },
    ]
    for (name, register) in ways {
      try await withStubs {
        register()
        let fetched = try await URLSession.shared.fetch("http://a.example/users/7")
        #expect(fetched == Fetched(status: 201, text: "7"), "\(name)")
      }
    }
  }

  @Test("sees its requester's task-locals")
  func taskLocals() async throws {
    let request = URLRequest(url: url("http://a.example/who"))
    for session in [URLSession.shared, .patient] {
      try await withStubs {
        stub(condition: isPath("/who")) { _ in .text("\(Requester.id)") }
        try await (1...200).atOnce { id in
          let text = try await Requester.$id.withValue(id) { try await session.fetch(request).text }
          #expect(text == "\(id)", "shared: \(session === URLSession.shared)")
        }
      }
    }
  }

  /// Stubs for /a, whose closure answers with the task-local value.
  private struct Way: Sendable {
    let name: String
    /// What the request's session adds.
    let header: String?
    let register: @Sendable (_ closure: Responder) -> Void

    init(_ name: String, header: String? = nil, register: @escaping @Sendable (_ closure: Responder) -> Void) {
      (self.name, self.header, self.register) = (name, header, register)
    }

    /// A stub for a condition, in front of a constant for /a.
    init(_ name: String, header: String? = nil, _ condition: RequestMatcher) {
      self.init(name, header: header) { closure in
        stub(condition: isPath("/a"), response: .text("wrong"))
        StubRegistry.current.add(condition, closure, at: ResponderClosureTests.here)
      }
    }
  }

  private static let ways = [
    Way("behind a used-up constant") { closure in
      StubRegistry.current.add(isPath("/a"), closure, at: here)
      stub(condition: isPath("/a"), response: .text("first"), times: 1)
    },
    Way("after a redirect") { closure in
      StubRegistry.current.add(isPath("/b"), closure, at: here)
      stub(condition: isPath("/a"), response: .redirect(to: "/b"))
    },
    Way("for a header of the session", header: "X-Key", isPath("/a") && hasHeader("X-Key")),
    Way("in front of a constant", isPath("/a")), Way("of a condition that the index doesn't know", .anything),
    Way("of a condition that is a closure", RequestMatcher { _ in true }),
    Way("for a body", isPath("/a") && hasBody(Data())),
  ]
  private static let here = StubLocation(#fileID, #filePath, #line, #column)

  @Test("sees its requester's task-locals wherever it stands", arguments: ways)
  private func taskLocalsBesideConstants(way: Way) async throws {
    let configuration = URLSessionConfiguration.patient
    configuration.httpAdditionalHeaders = way.header.map { [$0: "1"] }
    let session = URLSession(configuration: configuration)
    try await withStubs {
      way.register(.closure { _, _ in .text("\(Requester.id)") })
      try await Requester.$id.withValue(7) {
        var text = try await session.fetch("http://a.example/a").text
        // The constant of the first way answers one request.
        if text == "first" { text = try await session.fetch("http://a.example/a").text }
        #expect(text == "7", "\(way.name)")
      }
    }
  }

  @Test("costs no task for a request that can only reach a constant response")
  func besideConstants() {
    withStubs {
      func asks(_ path: String) -> Bool? {
        StubRegistry.current.snapshot(for: URLRequest(url: url("http://a.example\(path)")))?.mayRunClosures
      }
      stub(condition: isMethod(.get) && isHost("a.example") && isPath("/a"), response: .text("constant"))
      let closure = stub(condition: isPath(template: "/users/{id}")) { _ in .status(204) }
      // Only a request that may reach a closure gets a task for it.
      #expect([asks("/a"), asks("/none"), asks("/users/1")] == [false, false, true])
      let scanned = stub(condition: { _ in false }, response: .status(204))
      #expect(asks("/a") == true)
      scanned.remove()
      #expect(asks("/a") == false)
      closure.remove()
      #expect(asks("/users/1") == false)
    }
  }

  @Test("is cancelled with its request")
  func cancelled() async throws {
    let (started, cancelled) = (Latch(), Latch())
    try await withStubs {
      stub(condition: isPath("/wait")) { _ in
        started.open()
        do { try await Task.sleep(for: .seconds(600)) } catch is CancellationError { cancelled.open() }
        return .status(204)
      }
      let request = Task { try await URLSession.shared.fetch("http://a.example/wait") }
      try await until("the closure has begun") { started.isOpen }
      request.cancel()
      try await until("the closure is cancelled") { cancelled.isOpen }
      let result = await request.result
      #expect(throws: (any Error).self) { try result.get() }
      #expect(StubRegistry.current.journal.entries.map(\.outcome) == [.cancelled])
    }
  }

  @Test("may be cancelled while it waits for a request of its own", .startsProcess)
  func cancelledWhileRequesting() async throws {
    // In a process of its own, since URLSession traps or hangs where it is used on one of its own queues.
    await #expect(processExitsWith: .success) {
      let events = DelegateEvents()
      let session = URLSession(configuration: .patient, delegate: events, delegateQueue: nil)
      try await withStubs {
        let journal = StubRegistry.current.journal
        stub(condition: isPath("/inner"), response: .text("never").delay(.seconds(600)))
        stub(condition: isPath("/outer")) { _ in
          let (data, _) = try await withTaskCancellationHandler {
            try await URLSession.shared.data(from: url("http://a.example/inner"))
          } onCancel: {
            URLSession.shared.dataTask(with: url("http://a.example/told")).resume()
          }
          return .data(data)
        }
        for _ in 0..<20 {
          let task = session.dataTask(with: url("http://a.example/outer"))
          task.resume()
          // The last entry can be that of the handler of an earlier cancellation.
          try await until("the inner request is in progress") {
            journal.entries.contains { $0.request.url?.path == "/inner" && $0.outcome == .inProgress }
          }
          task.cancel()
          _ = try await events.untilCompletion()
          try await until("no request is in progress") { !journal.entries.contains { $0.outcome == .inProgress } }
        }
        let paths = journal.entries.compactMap { $0.request.url?.path }
        precondition(paths.filter { $0 == "/inner" }.count == 20, "\(paths)")
      }
    }
  }

  /// Two move the clock: the test, which waits for the answer, and the closure. The test's move waits for the other.
  @Test("may advance the clock on which the test waits for its answer")
  func inRun() async throws {
    for _ in 0..<TestSize.of(20, inPart: 4) {
      let clock = ManualClock.patient
      try await withStubs(in: StubRegistry(clock: clock)) {
        stub(condition: isPath("/slow")) { _ in
          // Whoever moves the clock does so by now.
          try await clock.sleep(for: .seconds(1))
          await clock.advance(by: .seconds(2))
          return .text("late").delay(.seconds(3))
        }
        let text = try await clock.run { try await URLSession.shared.fetch("http://a.example/slow").text }
        #expect(text == "late")
        // 1 of the sleep, 2 of the closure's move, and 3 of the delay.
        #expect(clock.elapsed == .seconds(6))
      }
    }
  }
}
