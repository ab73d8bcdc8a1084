import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A stubbed challenge", .inTurn)
struct ChallengeTests {
  private let address = url("http://a.example/secret")

  private func stubSecret(_ secret: StubResponse = .text("secret")) {
    stub(condition: .anything, response: .text("who?", status: 401).header("WWW-Authenticate", "Basic realm=\"r\""))
    // For the user "u" with the password "p".
    stub(condition: hasHeader("Authorization", "Basic dTpw"), response: secret)
  }

  private func answer(_ delegate: AnsweringDelegate? = nil, _ storage: URLCredentialStorage? = nil) async throws
    -> Fetched
  {
    try await URLSession.answering(delegate, storage).fetch(URLRequest(url: address))
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

  @Test("stores the credential that was accepted")
  func storage() async throws {
    try await withStubs { () async throws in
      stubSecret()
      let storage = URLCredentialStorage()
      let delegate = AnsweringDelegate(challenge: { [credential = credential("u")] _ in (.useCredential, credential) })
      #expect(try await answer(delegate, storage).text == "secret")
      #expect(HTTPStubs.journal.entries.map(\.outcome) == [.answered(status: 401), .answered(status: 200)])
      let stored = try #require(storage.allCredentials.first)
      #expect(stored.key.realm == "r")
      #expect(stored.value["u"]?.password == "p")
    }
  }

  @Test("stores no credential that was refused")
  func refusedCredential() async throws {
    try await withStubs { () async throws in
      stubSecret()
      let storage = URLCredentialStorage()
      let delegate = AnsweringDelegate(challenge: { challenge in
        guard challenge.previousFailureCount == 0 else { return (.performDefaultHandling, nil) }
        return (.useCredential, URLCredential(user: "u", password: "wrong", persistence: .forSession))
      })
      #expect(try await answer(delegate, storage) == Fetched(status: 401, text: "who?"))
      #expect(storage.allCredentials.isEmpty)
    }
  }

  @Test("leaves nothing of its own body before an answer without one")
  func emptyAnswer() async throws {
    try await withStubs { () async throws in
      stubSecret(.status(204))
      let delegate = AnsweringDelegate(challenge: { [credential = credential("u")] _ in (.useCredential, credential) })
      #expect(try await answer(delegate) == Fetched(status: 204, text: ""))
    }
  }

  @Test("is answered with the stored credential of its protection space, by default and as a delegate is proposed it")
  func storedCredential() async throws {
    try await withStubs { () async throws in
      stubSecret()
      let storage = URLCredentialStorage()
      let space = space()
      storage.set(credential("another"), for: space)
      storage.setDefaultCredential(credential("u"), for: space)
      #expect(try await answer(nil, storage) == Fetched(status: 200, text: "secret"))
      let delegate = AnsweringDelegate(challenge: { (.useCredential, $0.proposedCredential) })
      #expect(try await answer(delegate, storage).text == "secret")
      #expect(delegate.told.contains("challenge a.example:80 r after 0, proposing u"))
      // The same space is stored once.
      #expect(storage.allCredentials.count == 1)
    }
  }

  @Test("isn't answered with the stored credential of another protection space")
  func otherSpaces() async throws {
    for other in [
      space(host: "b.example"), space(port: 8080), space(scheme: "https"), space(realm: "s"),
      space(method: NSURLAuthenticationMethodHTTPDigest),
      URLProtectionSpace(
        proxyHost: "a.example", port: 80, type: "http", realm: "r",
        authenticationMethod: NSURLAuthenticationMethodHTTPBasic),
    ] {
      try await withStubs { () async throws in
        stubSecret()
        let storage = URLCredentialStorage()
        storage.set(credential("u"), for: other)
        #expect(try await answer(nil, storage) == Fetched(status: 401, text: "who?"), "\(other)")
      }
    }
  }

  // The delegate of a streamed upload gives another stream for each request.
  @Test(
    "leads to a second request with the body of the first, wherever that is",
    arguments: BodyPlace.allCases.filter { $0 != .streamedUpload })
  func body(place: BodyPlace) async throws {
    try await withStubs { () async throws in
      stub(condition: .anything, response: .basicChallenge(realm: "r"))
      let secret = stub(
        condition: hasHeader("Authorization", "Basic dTpw") && bodyContains("body"), response: .text("secret"))
      let sending = Sending(place, Data("body".utf8), credential: credential("u"))
      #expect(try await sending.send(URLRequest(url: address)).hasSuffix("secret"))
      try verify(secret, called: .once)
    }
  }

  @Test("never sends its credential to the network")
  func neverTheNetwork() async throws {
    let server = try LoopbackServer()
    await withStubs(in: StubRegistry(unmatched: .passThrough)) {
      stub(
        condition: !hasHeader("Authorization"),
        response: .text("who?", status: 401).header("WWW-Authenticate", "Basic realm=\"r\""))
      let delegate = DelegateEvents(credential: URLCredential(user: "u", password: "p", persistence: .none))
      let error = await #expect(throws: UnmatchedRequestError.self) {
        try await URLSession.answering(delegate).fetch(URLRequest(url: server.url("/secret")))
      }
      #expect(error?.request.value(forHTTPHeaderField: "Authorization") == "Basic dTpw")
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
      URLSession.answering(delegate).dataTask(with: address).resume()
      #expect(try await delegate.untilCompletion().suffix(2) == ["data secret", "complete"])
    }
  }

  @Test("names the realm of the first Basic challenge")
  func realms() {
    for (value, realm) in [
      (#"Basic realm="a""#, "a"), (#"basic REALM="a b", charset="UTF-8""#, "a b"), ("Basic realm=plain", "plain"),
      (#"Basic charset="UTF-8", realm="a""#, "a"), (#"Basic realm = "spaced""#, "spaced"), (#"Basic realm="""#, ""),
      (#"Digest realm="d", nonce="n, m", Basic realm="b""#, "b"), (#"Negotiate, Basic realm="a""#, "a"),
      (#"Basic realm="a \"quoted\" one, with a comma""#, #"a "quoted" one, with a comma"#),
      (#"Digest realm="d", nonce="n""#, nil), (#"Bearer realm="d""#, nil), ("Basic", nil),
      (#"Basic charset="UTF-8""#, nil), ("", nil),
    ] {
      #expect(self.realm(401, ["WWW-Authenticate": value]) == realm, "\(value)")
    }
    let basic = #"Basic realm="r""#
    for status in [200, 403, 407] { #expect(realm(status, ["WWW-Authenticate": basic]) == nil, "\(status)") }
    for status in [401, 407] { #expect(realm(status, ["Proxy-Authenticate": basic]) == nil, "\(status)") }
  }

  private func realm(_ status: Int, _ fields: [String: String]) -> String? {
    CredentialDemand(HTTPURLResponse(to: URLRequest(url: address), status: status, fields: fields))?.space.realm
  }
}

/// The stubbed address is that of a server which is there, so that it would be seen if it were asked.
@Suite("A challenge after a stubbed redirect", .inTurn)
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
  }

  private let credential = URLCredential(user: "u", password: "p", persistence: .forSession)
  private let cancelled = "error \(NSURLErrorDomain) \(URLError.cancelled.rawValue)"

  @Test("by a real server asks the delegate, whose credential goes to that server only")
  func credential() async throws {
    try await withStubs {
      let servers = try Servers()
      let delegate = AnsweringDelegate(challenge: { [credential] _ in (.useCredential, credential) })
      let storage = URLCredentialStorage()
      URLSession.answering(delegate, storage).dataTask(with: servers.stubbed.url("/from")).resume()
      let told = try await delegate.untilCompletion()
      // The first is the redirect, with the port of the server.
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

  enum Meanwhile: CaseIterable { case cancelledByDelegate, cancelled, suspended, suspendedWithoutCredential }

  @Test("lets the delegate cancel or suspend the task before it answers", arguments: Meanwhile.allCases)
  func asked(meanwhile: Meanwhile) async throws {
    try await withStubs {
      let servers = try Servers()
      let asked = Protected<URLSessionTask?>(nil)
      let isAsked = Latch()
      let delegate = AnsweringDelegate(challenge: { [credential] _ in
        defer { isAsked.open() }
        let task = asked.withLock { $0 }
        switch meanwhile {
        case .cancelledByDelegate: return (.cancelAuthenticationChallenge, nil)
        case .cancelled: task?.cancel()
        case .suspended: task?.suspend()
        case .suspendedWithoutCredential:
          task?.suspend()
          return (.performDefaultHandling, nil)
        }
        return (.useCredential, credential)
      })
      let task = URLSession.answering(delegate).dataTask(with: servers.stubbed.url("/from"))
      asked.withLock { $0 = task }
      task.resume()
      try await until("the delegate is asked") { isAsked.isOpen }
      let isCancelled = meanwhile == .cancelled || meanwhile == .cancelledByDelegate
      if !isCancelled { task.resume() }
      let told = try await delegate.untilCompletion()
      #expect(told.last == (isCancelled ? cancelled : "complete"))
      #expect(told.contains("data real GET /real") == (meanwhile == .suspended))
      #expect(servers.stubbed.requests.isEmpty)
      #expect(!isCancelled || servers.real.requests == ["GET /real"])
    }
  }
}

extension URLSession {
  fileprivate static func answering(
    _ delegate: DelegateEvents?, _ storage: URLCredentialStorage? = nil
  ) -> URLSession {
    let configuration = URLSessionConfiguration.patient
    configuration.urlCredentialStorage = storage
    return URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
  }
}
