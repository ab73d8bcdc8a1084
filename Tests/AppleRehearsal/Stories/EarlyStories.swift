import Foundation
import StubKit
import Testing

/// Makes a session when the tests are looked for, before StubKit's first use, as an app makes its own before a test
/// that it hosts.
///
/// It stands before every trait that uses StubKit.
struct EarlySession: SuiteTrait, TestTrait {
  static let session: URLSession = {
    let session = URLSession(configuration: .ephemeral)
    isEarly.withLock {
      $0 = session.configuration.protocolClasses?.contains { "\($0)".contains("StubURLProtocol") } == false
    }
    return session
  }()
  static let isEarly = Locked(false)
}

extension Trait where Self == EarlySession {
  static var withEarlySession: Self {
    _ = EarlySession.session
    return EarlySession()
  }
}

@Suite("A session of the app", .withEarlySession, .inEachLoader, .timeLimit(.minutes(1)))
struct EarlyStories {
  @Test("is older than StubKit's first use, and meets the scope of each test all the same", arguments: 0..<20)
  func scopes(number: Int) async {
    #expect(EarlySession.isEarly.current)
    let answer = await withStubs {
      stub(condition: isHost("app.example"), response: .text("\(number)"))
      return (try? await text(EarlySession.session, "http://app.example/")) ?? "nothing"
    }
    Report.note("a session that is older than StubKit's first use", answer == "\(number)" ? "intercepted" : "NOT")
    #expect(answer == "\(number)")
  }
}
