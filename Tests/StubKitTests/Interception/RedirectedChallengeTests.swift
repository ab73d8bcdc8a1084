import Foundation
import TestSupport
import Testing

@testable import StubKit

/// The stubbed address is that of a server which is there, so that it would be seen if it were asked.
@Suite("A challenge of a server that a stubbed redirect led to", .inTurn)
struct RedirectedChallengeTests {
  private struct Servers {
    let stubbed: LoopbackServer
    let real: LoopbackServer

    init() throws {
      stubbed = try LoopbackServer()
      real = try LoopbackServer(realm: "r")
      StubRegistry.current.unmatched = .passThrough
      stub(condition: isPath("/from"), response: .redirect(to: real.url("/real")))
    }

    func stop() {
      stubbed.stop()
      real.stop()
    }
  }

  private let credential = URLCredential(user: "u", password: "p", persistence: .forSession)
  private let cancelled = "error \(NSURLErrorDomain) \(URLError.cancelled.rawValue)"

  private func session(_ delegate: AnsweringDelegate?, _ storage: URLCredentialStorage? = nil) -> URLSession {
    let configuration = URLSessionConfiguration.patient
    configuration.urlCredentialStorage = storage
    return URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
  }

  @Test("asks the delegate, and goes back to that server alone with the credential, which is kept")
  func credential() async throws {
    try await withStubs {
      let servers = try Servers()
      defer { servers.stop() }
      let delegate = AnsweringDelegate(challenge: { [credential] _ in (.useCredential, credential) })
      let storage = URLCredentialStorage()
      session(delegate, storage).dataTask(with: servers.stubbed.url("/from")).resume()
      let told = try await delegate.untilCompletion()
      #expect(
        told.dropFirst() == [
          "head 401", "data who?", "challenge 127.0.0.1:\(servers.real.port) r after 0", "head 200",
          "data real GET /real", "complete",
        ])
      #expect(servers.stubbed.requests.isEmpty)
      #expect(servers.real.requests == ["GET /real", "GET /real"])
      #expect(storage.allCredentials.first?.value["u"] == credential)
      let journal = StubRegistry.current.journal.entries
      #expect(journal.map(\.outcome) == [.answered(status: 302), .passedThrough])
    }
  }

  @Test("gives completion handlers and downloads the last answer alone")
  func otherTasks() async throws {
    try await withStubs {
      let servers = try Servers()
      defer { servers.stop() }
      let delegate = AnsweringDelegate(challenge: { [credential] _ in (.useCredential, credential) })
      let session = session(delegate)
      let answer = try await session.fetch(URLRequest(url: servers.stubbed.url("/from")))
      #expect(answer == Fetched(status: 200, text: "real GET /real"))
      let (file, _) = try await session.download(from: servers.stubbed.url("/from"))
      defer { try? FileManager.default.removeItem(at: file) }
      #expect(try String(contentsOf: file, encoding: .utf8) == "real GET /real")
      #expect(servers.stubbed.requests.isEmpty)
    }
  }

  @Test("that nobody answers is delivered as it stands: without a delegate, and by default", arguments: [true, false])
  func noCredential(hasDelegate: Bool) async throws {
    try await withStubs {
      let servers = try Servers()
      defer { servers.stop() }
      let request = URLRequest(url: servers.stubbed.url("/from"))
      let answer = try await session(hasDelegate ? AnsweringDelegate() : nil).fetch(request)
      #expect(answer == Fetched(status: 401, text: "who?"))
      #expect(servers.stubbed.requests.isEmpty && servers.real.requests == ["GET /real"])
    }
  }

  @Test("that the delegate cancels cancels the task, as a cancellation does while it thinks", arguments: [true, false])
  func cancellation(byDelegate: Bool) async throws {
    try await withStubs { () async throws in
      let servers = try Servers()
      defer { servers.stop() }
      let asked = Protected<URLSessionTask?>(nil)
      let delegate = AnsweringDelegate(challenge: { [credential] _ in
        guard !byDelegate else { return (.cancelAuthenticationChallenge, nil) }
        asked.withLock { $0 }?.cancel()
        return (.useCredential, credential)
      })
      let task = session(delegate).dataTask(with: servers.stubbed.url("/from"))
      asked.withLock { $0 = task }
      task.resume()
      #expect(try await delegate.untilCompletion().last == cancelled)
      #expect(servers.stubbed.requests.isEmpty && servers.real.requests == ["GET /real"])
    }
  }

  @Test("lets a task that was suspended meanwhile end when it is resumed", arguments: [true, false])
  func suspension(givesCredential: Bool) async throws {
    try await withStubs {
      let servers = try Servers()
      defer { servers.stop() }
      let asked = Protected<URLSessionTask?>(nil)
      let (suspensions, suspension) = AsyncStream.makeStream(of: Void.self)
      let delegate = AnsweringDelegate(challenge: { [credential] _ in
        asked.withLock { $0 }?.suspend()
        suspension.yield()
        return givesCredential ? (.useCredential, credential) : (.performDefaultHandling, nil)
      })
      let task = session(delegate).dataTask(with: servers.stubbed.url("/from"))
      asked.withLock { $0 = task }
      task.resume()
      try await next(of: suspensions, when: "the task is suspended")
      task.resume()
      let told = try await delegate.untilCompletion()
      #expect(told.last == "complete")
      #expect(told.contains("data real GET /real") == givesCredential)
      #expect(servers.stubbed.requests.isEmpty)
    }
  }
}
