import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A stubbed challenge", .inTurn)
struct ChallengeTests {
  private let address = url("http://a.example/secret")
  private let cancelled = "error \(NSURLErrorDomain) \(URLError.cancelled.rawValue)"

  private func stubSecret(status: Int = 401) {
    let field = status == 401 ? "WWW-Authenticate" : "Proxy-Authenticate"
    stub(condition: .anything, response: .text("who?", status: status).header(field, "Basic realm=\"r\""))
    let back = status == 401 ? "Authorization" : "Proxy-Authorization"
    stub(condition: hasHeaderNamed(back, value: "Basic dTpw"), response: .text("secret"))
  }

  private func session(_ delegate: AnsweringDelegate?) -> URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCredentialStorage = nil
    return URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
  }

  @Test("asks the delegate, and goes back to the stubs with the credential", arguments: [401, 407])
  func credential(status: Int) async throws {
    try await withStubs {
      stubSecret(status: status)
      let delegate = AnsweringDelegate(challenge: { _ in
        (.useCredential, URLCredential(user: "u", password: "p", persistence: .none))
      })
      session(delegate).dataTask(with: address).resume()
      let told = try await delegate.untilCompletion()
      #expect(
        told == [
          "head \(status)", "data who?", "challenge a.example:80 r after 0", "head 200", "data secret", "complete",
        ])
      #expect(
        StubRegistry.current.journal.entries.map(\.outcome) == [.answered(status: status), .answered(status: 200)])
    }
  }

  @Test("gives a completion handler the last answer alone, also where that is empty", arguments: ["secret", ""])
  func completionHandler(body: String) async throws {
    try await withStubs {
      stub(condition: .anything, response: .text("who?", status: 401).header("WWW-Authenticate", "Basic realm=\"r\""))
      stub(condition: hasBasicAuth(user: "u", password: "p"), response: .text(body))
      let delegate = AnsweringDelegate(challenge: { _ in
        (.useCredential, URLCredential(user: "u", password: "p", persistence: .none))
      })
      let answer = try await session(delegate).fetch(URLRequest(url: address))
      #expect(answer == Fetched(status: 200, text: body))
    }
  }

  @Test("asks again after a wrong credential, and says how often it did")
  func wrongCredential() async throws {
    try await withStubs {
      stubSecret()
      let delegate = AnsweringDelegate(challenge: { challenge in
        let password = challenge.previousFailureCount < 2 ? "wrong" : "p"
        return (.useCredential, URLCredential(user: "u", password: password, persistence: .none))
      })
      session(delegate).dataTask(with: address).resume()
      let told = try await delegate.untilCompletion()
      #expect(
        told.filter { $0.hasPrefix("challenge") }
          == (0...2).map { "challenge a.example:80 r after \($0)" })
      #expect(told.suffix(3) == ["head 200", "data secret", "complete"])
    }
  }

  @Test(
    "that the delegate cancels or rejects cancels the task",
    arguments: [URLSession.AuthChallengeDisposition.cancelAuthenticationChallenge, .rejectProtectionSpace])
  func cancelled(disposition: URLSession.AuthChallengeDisposition) async throws {
    try await withStubs {
      stubSecret()
      let delegate = AnsweringDelegate(challenge: { _ in (disposition, nil) })
      session(delegate).dataTask(with: address).resume()
      let told = try await delegate.untilCompletion()
      #expect(told == ["head 401", "data who?", "challenge a.example:80 r after 0", cancelled])
      #expect(StubRegistry.current.journal.entries.map(\.outcome) == [.cancelled])
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

  @Test("of another scheme is delivered as it stands")
  func otherScheme() async throws {
    try await withStubs {
      stub(condition: .anything, response: .text("who?", status: 401).header("WWW-Authenticate", "Digest realm=\"r\""))
      let delegate = AnsweringDelegate()
      session(delegate).dataTask(with: address).resume()
      let told = try await delegate.untilCompletion()
      #expect(told == ["head 401", "data who?", "complete"])
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

  @Test("leaves a credential that was refused out of the session's storage", arguments: [401, 407])
  func refusedCredential(status: Int) async throws {
    try await withStubs {
      stubSecret(status: status)
      let storage = URLCredentialStorage()
      let configuration = URLSessionConfiguration.ephemeral
      configuration.urlCredentialStorage = storage
      let delegate = AnsweringDelegate(challenge: { challenge in
        guard challenge.previousFailureCount == 0 else { return (.performDefaultHandling, nil) }
        return (.useCredential, URLCredential(user: "u", password: "wrong", persistence: .forSession))
      })
      let session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
      let answer = try await session.fetch(URLRequest(url: address))
      #expect(answer == Fetched(status: status, text: "who?"))
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
}
