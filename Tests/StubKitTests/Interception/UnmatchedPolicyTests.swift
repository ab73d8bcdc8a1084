import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("An unmatched request", .inTurn)
struct UnmatchedPolicyTests {
  @Test("fails with a report by default")
  func fails() async throws {
    await withStubs {
      stub(condition: isPath("/users"), response: .empty(), name: "users")
      let error = await URLSession.shared.failure(of: "http://a.example/posts")
      #expect(error is UnmatchedRequestError)
      #expect(error?.localizedDescription.contains("\"users\" isPath(\"/users\") (StubKitTests/") == true)
      let entries = StubRegistry.current.journal.unmatched
      #expect(entries.count == 1 && entries.first?.outcome.error is UnmatchedRequestError)
    }
  }

  @Test("that a policy answers has its own fate on a network that loses some")
  func lossyPolicy() async {
    await withStubs {
      HTTPStubs.network = NetworkConditions(lossRate: 0.5, seed: 7)
      HTTPStubs.unmatched = .respond { _ in .empty() }
      var failures = 0
      for _ in 0..<32 where await URLSession.shared.failure(of: "http://a.example/x") != nil { failures += 1 }
      #expect((5...27).contains(failures))
    }
  }

  @Test("has its report made elsewhere than where all sessions' requests are begun")
  func reportIsNotMadeAtOnce() {
    let registry = StubRegistry()
    for number in 0..<2_000 {
      stub(condition: isHost("a.example") && isPath("/users/\(number)"), response: .empty(), in: registry)
    }
    let request = IncomingRequest(URLRequest(url: url("http://a.example/user/7")))
    let clock = ContinuousClock()
    let report = clock.measure { _ = UnmatchedRequestError(RequestFacts(request), in: registry) }
    let answer = (0..<5).map { _ in clock.measure { _ = registry.answer(request) } }.min()!
    #expect(answer < report / 8)
  }

  @Test("goes out in every kind of task, and its session's delegate hears of it")
  func passesThroughInEveryKind() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    try await withStubs { () async throws in
      HTTPStubs.unmatched = .passThrough
      stub(condition: isHost("a.example"), response: .empty())
      let events = TransferEvents()
      let session = URLSession(configuration: .patient, delegate: events, delegateQueue: nil)
      session.dataTask(with: server.url("/data")).resume()
      #expect(try await events.untilCompletion() == ["head 200", "data 14", "complete"])
      session.downloadTask(with: server.url("/file")).resume()
      #expect(try await events.untilCompletion().suffix(3) == ["wrote 14 14 14", "file 14", "complete"])

      let handled = try await untilResumed { continuation in
        session.dataTask(with: server.url("/handled")) { data, _, _ in continuation.resume(returning: data) }.resume()
      }
      #expect(handled == Data("real GET /handled".utf8))
      let (file, _) = try await URLSession.shared.download(from: server.url("/download"))
      defer { try? FileManager.default.removeItem(at: file) }
      #expect(try String(contentsOf: file, encoding: .utf8) == "real GET /download")
      let upload = request(server.url("/upload"), method: "POST")
      let (answer, _) = try await URLSession.shared.upload(for: upload, from: Data("body".utf8))
      #expect(answer == Data("real POST /upload".utf8))
      #expect(server.arrivals.last?.body == Data("body".utf8))
      #expect(StubRegistry.current.journal.entries.allSatisfy { $0.outcome == .passedThrough })
    }
  }

  @Test("goes out when it meets the condition, also a closure's, and fails when it does not")
  func passesThroughWhen() async throws {
    for isClosure in [false, true] {
      let server = try LoopbackServer()
      defer { server.stop() }
      try await withStubs {
        let condition = isClosure ? RequestMatcher("is out") { $0.url?.path == "/out" } : isPath("/out")
        HTTPStubs.unmatched = .passThrough(when: condition)
        let real = try await URLSession.shared.fetch(URLRequest(url: server.url("/out")))
        #expect(real.text == "real GET /out", "\(isClosure)")
        let error = await URLSession.shared.failure(of: server.url("/in").absoluteString)
        #expect(error is UnmatchedRequestError, "\(isClosure)")
      }
      #expect(server.requests == ["GET /out"], "\(isClosure)")
    }
  }

  @Test("with a URL that nobody loads is reported, and under pass-through fails as it would without StubKit")
  func unsupported() async throws {
    for (address, lacksScheme) in [("foo://a.example/", false), ("/users", true), ("url", true)] {
      await withStubs {
        stub(condition: isHost("a.example") && isPath("/users"), response: .empty())
        let report = await URLSession.shared.failure(of: address)?.localizedDescription ?? ""
        #expect(
          report.contains("has no scheme and host, so isHost can't match, and no server would") == lacksScheme,
          "\(address)")
        HTTPStubs.unmatched = .passThrough
        let configuration = URLSessionConfiguration.ephemeral
        HTTPStubs.setEnabled(false, for: configuration)
        let passed = await URLSession.shared.failure(of: address) as? URLError
        let native = await URLSession(configuration: configuration).failure(of: address) as? URLError
        #expect(
          passed?.code == .unsupportedURL && passed?.errorUserInfo.count == native?.errorUserInfo.count, "\(address)")
        #expect(passed == native && passed?.localizedDescription == native?.localizedDescription, "\(address)")
        #expect(passed?.failingURL == native?.failingURL, "\(address)")
      }
    }
  }

  @Test("is answered by a policy that answers")
  func responds() async throws {
    try await withStubs {
      HTTPStubs.unmatched = .respond { request in .text("nothing at \(request.url!.path)", status: 404) }
      let fetched = try await URLSession.shared.fetch("http://a.example/x")
      #expect(fetched == Fetched(status: 404, text: "nothing at /x"))
      #expect(StubRegistry.current.journal.unmatched.map(\.outcome) == [.answered(status: 404)])
    }
  }
}
