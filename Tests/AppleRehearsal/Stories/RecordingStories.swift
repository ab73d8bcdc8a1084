import Foundation
import Testing

@testable import StubKit
@testable import StubKitArchive
@testable import StubKitRecorder

@Suite("A recording on Apple platforms", .inEachLoader, .timeLimit(.minutes(1)))
struct RecordingStories {
  /// Runs a task in a scope that records.
  private func record(
    _ watcher: Watcher, _ make: @Sendable (URLSession) -> URLSessionTask
  ) async -> [HTTPArchive.Entry] {
    let recorder = ArchiveRecorder()
    await withStubs {
      _ = StubRegistry.current.begin(RecordingInUse(recorder, isOfTest: true))
      HTTPStubs.unmatched = .passThrough
      await watcher.run(make)
    }
    #expect(recorder.contents.unfinishedCount == 0)
    return recorder.contents.entries
  }

  private func text(_ entry: HTTPArchive.Entry) -> String {
    "\(entry.request.url?.path ?? "") \(entry.response?.status ?? 0) "
      + String(decoding: entry.response?.body ?? Data(), as: UTF8.self)
  }

  @Test("has the body that was sent and what came back, with the times of its pieces")
  func bodies() async throws {
    let server = try Server { Server.Reply(headers: ["X-Real": "yes"], body: $0.body) }
    let sent = request("POST", server.url("/up"), Data(repeating: 65, count: 100_000))
    let watcher = Watcher()
    let entries = await record(watcher) { $0.dataTask(with: sent) }
    let entry = try #require(entries.first)
    #expect(entries.count == 1 && entry.request.httpBody == sent.httpBody && entry.response?.body == sent.httpBody)
    #expect(entry.response?.headers["X-Real"] == "yes" && entry.obstacle == nil)
    #expect(entry.pieces.last?.end == 100_000 && entry.timeToResponse != nil)
    #expect(server.requests.map(\.body) == [sent.httpBody] && watcher.text.utf8.count == 100_000)
  }

  @Test("has an entry for each redirect, followed or refused", arguments: [true, false])
  func redirects(isFollowed: Bool) async throws {
    let server = try Server(answer: Server.redirecting)
    let watcher = Watcher(redirect: { isFollowed ? $0 : nil })
    let entries = await record(watcher) { $0.dataTask(with: server.url("/from")) }
    #expect(entries.map(\.response?.status) == (isFollowed ? [302, 200] : [302]))
    // The new loader answers with the redirect itself, and may stop the load before its body has come.
    let refused = Stage.isClassic ? "/from 302 moved" : "/from 302 "
    #expect(text(entries[entries.count - 1]).hasPrefix(isFollowed ? "/to 200 real" : refused))
  }

  @Test("has the demand for a credential, and what came for the credential")
  func challenges() async throws {
    let server = try Server { $0.headers["authorization"] == "Basic YW5uOnB3" ? .init() : .demand }
    let watcher = Watcher(credential: URLCredential(user: "ann", password: "pw", persistence: .none))
    let entries = await record(watcher) { $0.dataTask(with: server.url("/")) }
    #expect(entries.map(\.response?.status) == [401, 200])
    #expect(entries.map { $0.request.value(forHTTPHeaderField: "Authorization") } == [nil, "Basic YW5uOnB3"])
  }

  @Test("has the demand for a credential that nobody gives", arguments: [true, false])
  func unanswered(isCancelled: Bool) async throws {
    let server = try Server { _ in .demand }
    let watcher = Watcher(cancelsChallenges: isCancelled)
    let entries = await record(watcher) { $0.dataTask(with: server.url("/")) }
    // The response is complete before the delegate is asked.
    #expect(entries.map(text) == ["/ 401 who?"])
    #expect(watcher.text == (isCancelled ? "" : "who?") && (watcher.error != nil) == isCancelled)
  }

  @Test("has a download, and the error of what fails")
  func downloadAndFailure() async throws {
    let server = try Server()
    let downloaded = await record(Watcher()) { $0.downloadTask(with: server.url("/file")) }
    #expect(downloaded.map(text) == ["/file 200 real"])
    server.stop()
    let failed = await record(Watcher()) { $0.dataTask(with: server.url("/")) }
    #expect(failed.map(\.error?.code) == [.cannotConnectToHost] && failed.first?.response == nil)
  }
}
