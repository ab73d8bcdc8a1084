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

  @Test("is the requester's in a delegate")
  func delegates() async throws {
    let calls = Protected<[(event: String, registry: StubRegistry?)]>([])
    let credential = URLCredential(user: "ann", password: "secret", persistence: .none)
    let witness = DelegateEvents(credential: credential) { event in
      let registry = StubRegistry.local
      // A text of an enum begins with the name of its case.
      let name = "\(event)".prefix { $0.isLetter }
      calls.withLock { $0.append((String(name), registry)) }
      return nil
    }
    let session = StubRegistry.$local.withValue(nil) { witness.session() }
    try await withStubs {
      addStubs()
      stub(condition: isPath("/redirect"), response: .redirect(to: "/secret"))
      stub(condition: isPath("/secret"), response: .basicChallenge(realm: "r"))
      stub(condition: isPath("/secret") && hasBasicAuth(user: "ann", password: "secret"), response: .text("yes"))
      stub(condition: isPath("/upload"), response: .text("taken").chunked(by: 2))
      let upload = request("http://a.example/upload", method: "POST")
      for (make, expected) in [
        (
          { session.dataTask(with: url("http://a.example/redirect")) },
          ["redirect", "challenge", "head", "data", "end"]
        ),
        ({ session.uploadTask(with: upload, from: Data("sent".utf8)) }, ["sent", "head", "data", "end"]),
        ({ session.downloadTask(with: url("http://a.example/file")) }, ["wrote", "file", "end"]),
      ] as [(() -> URLSessionTask, [String])] {
        for _ in 0..<3 {
          make().resume()
          _ = try await witness.untilCompletion()
          let (seen, mine) = (calls.withLock { $0 }, StubRegistry.current)
          calls.withLock { $0 = [] }
          #expect(Set(seen.map(\.event)) == Set(expected))
          for (event, registry) in seen { #expect(registry === mine, "\(event) of \(expected)") }
        }
      }
    }
  }
}
