import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A stubbed challenge", .inTurn)
struct ChallengeTests {
  private let address = url("http://a.example/secret")

  private func stubSecret(_ secret: StubResponse = .text("secret")) {
    stub(
      condition: .anything, response: .text("who?", status: 401).header("WWW-Authenticate", "Basic realm=\"r\""))
    stub(condition: hasHeader("Authorization", "Basic dTpw"), response: secret)
  }

  private func session(_ delegate: AnsweringDelegate?) -> URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCredentialStorage = nil
    return URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
  }

  @Test("asks the delegate, and goes back to the stubs with the credential")
  func credential() async throws {
    try await withStubs {
      stubSecret()
      let delegate = AnsweringDelegate(challenge: { _ in
        (.useCredential, URLCredential(user: "u", password: "p", persistence: .none))
      })
      session(delegate).dataTask(with: address).resume()
      let told = try await delegate.untilCompletion()
      #expect(
        told == ["head 401", "data who?", "challenge a.example:80 r after 0", "head 200", "data secret", "complete"])
      #expect(StubRegistry.current.journal.entries.map(\.outcome) == [.answered(status: 401), .answered(status: 200)])
      // A handler gets nothing of the 401 before an answer without a body.
      stubSecret(.empty())
      let answer = try await session(delegate).fetch(URLRequest(url: address))
      #expect(answer == Fetched(status: 204, text: ""))
    }
  }

  @Test("that nobody answers is delivered as it stands: without a delegate, and by default", arguments: [true, false])
  func noCredential(hasDelegate: Bool) async throws {
    try await withStubs {
      stubSecret()
      let answer = try await session(hasDelegate ? AnsweringDelegate() : nil).fetch(URLRequest(url: address))
      #expect(answer == Fetched(status: 401, text: "who?"))
    }
  }

  @Test("leaves the credential that led to an answer in the session's storage")
  func storage() async throws {
    try await withStubs {
      stubSecret()
      let storage = URLCredentialStorage()
      let configuration = URLSessionConfiguration.ephemeral
      configuration.urlCredentialStorage = storage
      let delegate = AnsweringDelegate(challenge: { _ in
        (.useCredential, URLCredential(user: "u", password: "p", persistence: .forSession))
      })
      let session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
      let answer = try await session.fetch(URLRequest(url: address))
      #expect(answer.text == "secret")
      let stored = try #require(storage.allCredentials.first)
      #expect(stored.key.realm == "r" && stored.value["u"]?.password == "p")
    }
  }

  private func space(
    host: String = "a.example", port: Int = 80, scheme: String = "http", realm: String = "r",
    method: String = NSURLAuthenticationMethodHTTPBasic
  ) -> URLProtectionSpace {
    URLProtectionSpace(host: host, port: port, protocol: scheme, realm: realm, authenticationMethod: method)
  }

  private func credential(_ user: String) -> URLCredential {
    URLCredential(user: user, password: "p", persistence: .forSession)
  }

  @Test("is answered with a credential that the session stores for the same space, with and without a delegate")
  func storedCredential() async throws {
    try await withStubs {
      stubSecret()
      let configuration = URLSessionConfiguration.ephemeral
      let storage = URLCredentialStorage()
      configuration.urlCredentialStorage = storage
      storage.set(credential("u"), for: space())
      let answer = try await URLSession(configuration: configuration).fetch(URLRequest(url: address))
      #expect(answer == Fetched(status: 200, text: "secret"))
      let delegate = AnsweringDelegate(challenge: { (.useCredential, $0.proposedCredential) })
      URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil).dataTask(with: address).resume()
      let told = try await delegate.untilCompletion()
      #expect(told.contains("challenge a.example:80 r after 0, proposing u") && told.contains("data secret"))
      // The same space is stored once.
      #expect(storage.allCredentials.count == 1)
    }
  }

  @Test("prefers the credential that is its space's default")
  func defaultCredential() async throws {
    try await withStubs {
      stubSecret()
      let configuration = URLSessionConfiguration.ephemeral
      let storage = URLCredentialStorage()
      configuration.urlCredentialStorage = storage
      let space = space()
      storage.set(credential("another"), for: space)
      storage.setDefaultCredential(credential("u"), for: space)
      let answer = try await URLSession(configuration: configuration).fetch(URLRequest(url: address))
      #expect(answer.text == "secret")
    }
  }

  @Test("is not answered with a credential of another space")
  func otherSpaces() async throws {
    let others = [
      space(host: "b.example"), space(port: 8080), space(scheme: "https"), space(realm: "s"),
      space(method: NSURLAuthenticationMethodHTTPDigest),
      URLProtectionSpace(
        proxyHost: "a.example", port: 80, type: "http", realm: "r",
        authenticationMethod: NSURLAuthenticationMethodHTTPBasic),
    ]
    try await withStubs {
      stubSecret()
      let configuration = URLSessionConfiguration.ephemeral
      let storage = URLCredentialStorage()
      configuration.urlCredentialStorage = storage
      for other in others { storage.set(credential("u"), for: other) }
      let answer = try await URLSession(configuration: configuration).fetch(URLRequest(url: address))
      #expect(answer == Fetched(status: 401, text: "who?"))
    }
  }

  @Test("leaves a credential that was refused out of the session's storage")
  func refusedCredential() async throws {
    try await withStubs {
      stubSecret()
      let storage = URLCredentialStorage()
      let configuration = URLSessionConfiguration.ephemeral
      configuration.urlCredentialStorage = storage
      let delegate = AnsweringDelegate(challenge: { challenge in
        guard challenge.previousFailureCount == 0 else { return (.performDefaultHandling, nil) }
        return (.useCredential, URLCredential(user: "u", password: "wrong", persistence: .forSession))
      })
      let session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
      let answer = try await session.fetch(URLRequest(url: address))
      #expect(answer == Fetched(status: 401, text: "who?"))
      #expect(storage.allCredentials.isEmpty)
    }
  }

  @Test("whose credential no stub knows stays away from the real network")
  func neverTheNetwork() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    await withStubs {
      StubRegistry.current.unmatched = .passThrough
      stub(
        condition: lacksHeader("Authorization"),
        response: .text("who?", status: 401).header("WWW-Authenticate", "Basic realm=\"r\""))
      let delegate = AnsweringDelegate(challenge: { _ in
        (.useCredential, URLCredential(user: "u", password: "p", persistence: .none))
      })
      let error: (any Error)?
      do {
        _ = try await session(delegate).fetch(URLRequest(url: server.url("/secret")))
        error = nil
      } catch let failure { error = failure }
      #expect((error as? UnmatchedRequestError)?.request.value(forHTTPHeaderField: "Authorization") == "Basic dTpw")
      #expect(server.requests.isEmpty)
    }
  }

  @Test("may be answered through its sender")
  func sender() async throws {
    try await withStubs { () async throws in
      stubSecret()
      let delegate = AnsweringDelegate(challenge: { challenge in
        challenge.sender?.use(URLCredential(user: "u", password: "p", persistence: .none), for: challenge)
        return nil
      })
      session(delegate).dataTask(with: address).resume()
      #expect(try await delegate.untilCompletion().suffix(2) == ["data secret", "complete"])
    }
  }

  @Test(
    "names its realm in the first challenge that is Basic",
    arguments: [
      (401, "WWW-Authenticate", "Basic realm=\"a\"", "a"),
      (401, "WWW-Authenticate", "basic REALM=\"a b\", charset=\"UTF-8\"", "a b"),
      (401, "WWW-Authenticate", "Basic charset=\"UTF-8\", realm=\"a\"", "a"),
      (401, "WWW-Authenticate", "Basic realm=plain", "plain"),
      (401, "WWW-Authenticate", "Basic realm = \"spaced\"", "spaced"),
      (401, "WWW-Authenticate", "Digest realm=\"d\", nonce=\"n, m\", Basic realm=\"b\"", "b"),
      (401, "WWW-Authenticate", #"Basic realm="a \"quoted\" one, with a comma""#, #"a "quoted" one, with a comma"#),
      (401, "WWW-Authenticate", "Negotiate, Basic realm=\"a\"", "a"),
      (401, "WWW-Authenticate", "Basic realm=\"\"", ""), (407, "Proxy-Authenticate", "Basic realm=\"r\"", nil),
      (401, "WWW-Authenticate", "Digest realm=\"d\", nonce=\"n\"", nil),
      (401, "WWW-Authenticate", "Bearer realm=\"d\"", nil), (401, "WWW-Authenticate", "Basic", nil),
      (401, "WWW-Authenticate", "Basic charset=\"UTF-8\"", nil), (401, "WWW-Authenticate", "", nil),
      (401, "Proxy-Authenticate", "Basic realm=\"r\"", nil), (407, "WWW-Authenticate", "Basic realm=\"r\"", nil),
      (403, "WWW-Authenticate", "Basic realm=\"r\"", nil), (200, "WWW-Authenticate", "Basic realm=\"r\"", nil),
    ] as [(Int, String, String, String?)])
  func realms(status: Int, field: String, value: String, realm: String?) async throws {
    try await withStubs {
      stub(condition: .anything, response: .text("who?", status: status).header(field, value))
      let delegate = AnsweringDelegate()
      session(delegate).dataTask(with: url("https://a.example/")).resume()
      let told = try await delegate.untilCompletion()
      let challenge = realm.map { ["challenge a.example:443 \($0) after 0"] } ?? []
      #expect(told == ["head \(status)", "data who?"] + challenge + ["complete"])
    }
  }
}

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
