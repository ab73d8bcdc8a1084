import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("The scope of a request's callbacks", .inTurn)
struct CallbackScopeTests {
  /// How a request is made with a handler.
  enum Call: CaseIterable {
    case data, upload, download

    func make(_ request: URLRequest, _ session: URLSession, _ handler: @escaping @Sendable ((any Error)?) -> Void)
      -> URLSessionTask
    {
      var request = request
      if self == .upload { request.httpMethod = "POST" }
      return switch self {
      case .data: session.dataTask(with: request) { handler($2) }
      case .upload: session.uploadTask(with: request, from: Data("up".utf8)) { handler($2) }
      case .download:
        session.downloadTask(with: request) { file, _, error in
          if let file { try? FileManager.default.removeItem(at: file) }
          handler(error)
        }
      }
    }
  }

  /// Sessions that say nothing of any scope, whoever makes them first.
  private static let session = StubRegistry.$local.withValue(nil) { URLSession(configuration: .patient) }
  private static let cachedSession = StubRegistry.$local.withValue(nil) { URLSession(configuration: .default) }
  private static let sessionOnMain = StubRegistry.$local.withValue(nil) {
    URLSession(configuration: .patient, delegate: nil, delegateQueue: .main)
  }

  private func addStubs() {
    stub(condition: isPath("/answer"), response: .text("answer"))
    stub(condition: isPath("/delayed"), response: .text("delayed").delay(.milliseconds(2)))
    stub(condition: isPath("/failure"), response: .failure(.badServerResponse))
    stub(condition: isPath("/closure")) { _ in .text("closure") }
    stub(condition: isPath("/redirect"), response: .redirect(to: "/answer"))
    stub(condition: isPath("/file"), response: .file("\(#filePath)"))
    stub(condition: isPath("/slow"), response: .text("slow").delay(.seconds(600)))
  }

  /// The registry that a request's handler finds.
  private func found(
    _ call: Call, _ request: URLRequest, _ session: URLSession = Self.session,
    meanwhile: @escaping @Sendable (URLSessionTask) -> Void = { _ in }
  ) async throws -> StubRegistry? {
    try await untilResumed { continuation in
      let task = call.make(request, session) { _ in continuation.resume(returning: StubRegistry.local) }
      task.resume()
      meanwhile(task)
    }
  }

  @Test("is the requester's in a completion handler", arguments: Call.allCases)
  func handlers(call: Call) async throws {
    try await withStubs {
      addStubs()
      let mine = StubRegistry.current
      // Nothing stubs /none.
      for ending in ["answer", "delayed", "failure", "none", "closure", "redirect", "file"] {
        let request = URLRequest(url: url("http://a.example/\(ending)"))
        for (number, session) in [Self.session, Self.cachedSession, Self.sessionOnMain, .shared].enumerated() {
          let seen = try await found(call, request, session)
          #expect(seen === mine, "\(ending), session \(number)")
        }
      }
    }
  }

  enum Cancelling: CaseIterable { case here, elsewhere, afterSuspension }

  @Test("is the requester's after a cancellation", arguments: Cancelling.allCases)
  func cancellation(way: Cancelling) async throws {
    try await withStubs {
      addStubs()
      let mine = StubRegistry.current
      for (name, session) in [("ephemeral", Self.session), ("default", Self.cachedSession)] {
        let found = try await found(.data, URLRequest(url: url("http://a.example/slow")), session) { task in
          switch way {
          case .here: task.cancel()
          case .elsewhere: DispatchQueue.global().async { task.cancel() }
          case .afterSuspension:
            task.suspend()
            task.resume()
            task.cancel()
          }
        }
        #expect(found === mine, "\(name)")
      }
    }
  }

  @Test("is the requester's for a request that goes to the network", arguments: Call.allCases)
  func passedThrough(call: Call) async throws {
    let server = try LoopbackServer()
    try await withStubs(in: StubRegistry(unmatched: .passThrough)) {
      let mine = StubRegistry.current
      let seen = try await found(call, URLRequest(url: server.url("/real")))
      #expect(seen === mine)
      let refused = try await found(call, URLRequest(url: url("http://127.0.0.1:1/")))
      #expect(refused === mine)
    }
  }

  @Test("is over for what runs on the same queue after the handler")
  func nothingLeft() async throws {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    let session = StubRegistry.$local.withValue(nil) {
      URLSession(configuration: .patient, delegate: nil, delegateQueue: queue)
    }
    try await withStubs {
      addStubs()
      _ = try await found(.data, URLRequest(url: url("http://a.example/answer")), session)
    }
    for queue in [queue, .main] {
      let left = try await untilResumed { continuation in
        queue.addOperation { continuation.resume(returning: StubRegistry.local) }
      }
      #expect(left == nil, "main: \(queue === OperationQueue.main)")
    }
  }

  @Test("is the requester's for 50 requests, each made by the handler of the one before")
  func chains() async throws {
    try await withStubs {
      addStubs()
      let mine = StubRegistry.current
      let last = try await untilResumed { (continuation: Resumption<Int>) in
        @Sendable func ask(_ page: Int) {
          Self.session.dataTask(with: url("http://a.example/answer?page=\(page)")) { _, _, error in
            if error != nil || page == 50 { continuation.resume(returning: page) } else { ask(page + 1) }
          }.resume()
        }
        ask(1)
      }
      // A request is unscoped if its scope had to be guessed.
      let isUnscoped = mine.journal.entries.map(\.isUnscoped)
      #expect(last == 50)
      #expect(isUnscoped == Array(repeating: false, count: 50))
    }
  }

  /// A task without a handler, and the events that its delegate is told of.
  enum DelegateTask: CaseIterable {
    case redirectedAndChallenged, upload, download

    func make(_ session: URLSession) -> URLSessionTask {
      switch self {
      case .redirectedAndChallenged: session.dataTask(with: url("http://a.example/old"))
      case .upload:
        session.uploadTask(with: request("http://a.example/answer", method: "POST"), from: Data("sent".utf8))
      case .download: session.downloadTask(with: url("http://a.example/file"))
      }
    }

    /// The names of cases of `DelegateEvent`.
    var events: Set<String> {
      switch self {
      case .redirectedAndChallenged: ["redirect", "challenge", "head", "data", "end"]
      case .upload: ["sent", "head", "data", "end"]
      case .download: ["wrote", "file", "end"]
      }
    }
  }

  @Test("is the requester's in each method of a delegate", arguments: DelegateTask.allCases)
  func delegates(kind: DelegateTask) async throws {
    let calls = Locked<[(event: String, registry: StubRegistry?)]>([])
    let credential = URLCredential(user: "ann", password: "secret", persistence: .none)
    let delegate = DelegateEvents(credential: credential) { event in
      let (name, registry) = (String("\(event)".prefix { $0.isLetter }), StubRegistry.local)
      calls.withLock { $0.append((name, registry)) }
      return nil
    }
    let session = StubRegistry.$local.withValue(nil) { delegate.session() }
    try await withStubs {
      addStubs()
      stub(condition: isPath("/old"), response: .redirect(to: "/new"))
      stub(condition: isPath("/new"), response: .basicChallenge(realm: "r"))
      stub(condition: isPath("/new") && hasBasicAuth(user: "ann", password: "secret"), response: .text("yes"))
      // The second task and the third come to a session that has called its delegate before.
      for _ in 1...3 {
        kind.make(session).resume()
        _ = try await delegate.untilCompletion()
      }
      let seen = calls.withLock(\.self)
      #expect(Set(seen.map(\.event)) == kind.events)
      for (event, registry) in seen { #expect(registry === StubRegistry.current, "\(event)") }
    }
  }
}
