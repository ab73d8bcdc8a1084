import Foundation
import StubKit
import Testing

@Suite("A request that is let through on Apple platforms", .inEachLoader, .timeLimit(.minutes(1)))
struct PassThroughStories {
  /// Runs a task in a scope that lets everything through.
  private func run(
    _ watcher: Watcher, _ configuration: URLSessionConfiguration = .staged,
    _ make: @Sendable (URLSession) -> URLSessionTask
  ) async -> URLSessionTask {
    let registry = StubRegistry()
    let task = await withStubs(in: registry) {
      HTTPStubs.unmatched = .passThrough
      stub(condition: isHost("a.example"), response: .text("stubbed"))
      return await watcher.run(in: configuration, make)
    }
    #expect(registry.journal.entries.last?.outcome == .passedThrough)
    return task
  }

  @Test("sends its body and its headers, whichever kind of task it is", arguments: Sending.allCases)
  func bodies(sending: Sending) async throws {
    let server = try Server { Server.Reply(body: $0.body) }
    let body = Data(repeating: 65, count: 100_000)
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try body.write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let watcher = Watcher(body: body)
    let configuration = URLSessionConfiguration.staged
    configuration.httpAdditionalHeaders = ["X-Session": "too"]
    var request = request("POST", server.url("/up"))
    request.setValue("yes", forHTTPHeaderField: "X-Own")
    _ = await run(watcher, configuration) { [request] in sending.task(in: $0, request, body, file) }
    let arrived = try #require(server.requests.first)
    #expect(arrived.body == body && arrived.headers["x-own"] == "yes" && arrived.headers["x-session"] == "too")
    #expect(watcher.text.utf8.count == body.count && watcher.error == nil)
  }

  @Test("comes in pieces, with its progress")
  func progress() async throws {
    let body = Data(repeating: 66, count: 200_000)
    let server = try Server { _ in Server.Reply(body: body) }
    let watcher = Watcher()
    let task = await run(watcher) { $0.dataTask(with: server.url("/")) }
    #expect(watcher.text.utf8.count == body.count && watcher.events.filter { $0 == "data" }.count > 1)
    #expect(task.countOfBytesReceived == 200_000 && task.countOfBytesExpectedToReceive == 200_000)
  }

  @Test("is downloaded")
  func download() async throws {
    let server = try Server()
    let watcher = Watcher()
    _ = await run(watcher) { $0.downloadTask(with: server.url("/")) }
    #expect(watcher.events == ["file", "end"] && watcher.text == "real")
  }

  @Test("follows the server's redirects, as the delegate says", arguments: ["follow", "refuse", "to a stub"])
  func redirects(answer: String) async throws {
    let server = try Server(answer: Server.redirecting)
    let watcher = Watcher(redirect: { request in
      answer == "follow" ? request : answer == "refuse" ? nil : URLRequest(url: URL(string: "http://a.example/")!)
    })
    await withStubs {
      HTTPStubs.unmatched = .passThrough
      stub(condition: isHost("a.example"), response: .text("stubbed"))
      await watcher.run { $0.dataTask(with: server.url("/from")) }
    }
    #expect(watcher.events.first == "redirect /to" || watcher.events.first == "redirect /")
    let refused = Stage.isClassic ? "moved" : ""
    #expect(watcher.text == ["follow": "real", "refuse": refused, "to a stub": "stubbed"][answer])
    #expect(server.lines == (answer == "follow" ? ["GET /from", "GET /to"] : ["GET /from"]))
  }

  @Test("fails as it would without StubKit")
  func failures() async throws {
    let server = try Server { _ in .init(body: Data("abcdef".utf8), sentLength: 3) }
    let watcher = Watcher()
    _ = await run(watcher) { $0.dataTask(with: server.url("/")) }
    #expect(watcher.code == .networkConnectionLost)
    server.stop()
    let refused = Watcher()
    _ = await run(refused) { $0.dataTask(with: server.url("/")) }
    #expect(refused.code == .cannotConnectToHost)
  }

  @Test("ends with a challenge that its own delegate doesn't answer")
  func challenges() async throws {
    let server = try Server { _ in .demand }
    let watcher = Watcher()
    _ = await run(watcher) { $0.dataTask(with: server.url("/")) }
    #expect(watcher.events.first == "challenge r")
    #expect(watcher.text == "who?")
  }

  @Test("keeps its cookies in its session's own storage")
  func cookies() async throws {
    let server = try Server { _ in .init(headers: ["Set-Cookie": "real=1"]) }
    let configuration = URLSessionConfiguration.staged
    _ = await run(Watcher(), configuration) { $0.dataTask(with: server.url("/")) }
    let url = server.url("/")
    #expect(configuration.httpCookieStorage?.cookies(for: url)?.map(\.name) == ["real"])
    #expect(HTTPCookieStorage.shared.cookies(for: url)?.contains { $0.name == "real" } != true)
  }

  @Test("may be cancelled and suspended at every step", arguments: 0..<5, [true, false])
  func steps(step: Int, isCancelled: Bool) async throws {
    let server = try Server { _ in .init(body: Data(repeating: 67, count: 50_000)) }
    let act: @Sendable (URLSessionTask) -> Void = { task in
      if isCancelled { return task.cancel() }
      task.suspend()
      DispatchQueue.global().async { task.resume() }
    }
    let watcher = Watcher(atStep: { if $0 == step { act($1) } })
    await withStubs {
      HTTPStubs.unmatched = .passThrough
      await watcher.run(onResume: { if step == 0 { act($0) } }) { $0.dataTask(with: server.url("/")) }
    }
    #expect(watcher.events.filter { $0 == "end" || $0 == "failure" }.count == 1)
    #expect(isCancelled ? watcher.code == .cancelled || watcher.error == nil : watcher.text.utf8.count == 50_000)
  }
}
