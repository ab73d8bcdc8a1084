import Foundation
import TestSupport
import Testing

@testable import StubKit
@testable import StubKitRecorder

@Suite("A journal as an archive", .inTurn)
struct JournalArchiveTests {
  /// The archive of one request with a body, which a stub named "users" answers.
  private func answered() async throws -> HTTPArchive {
    try await withStubs {
      stub(
        condition: isPath("/users"), response: .text("hi", status: 201).addingHeader("X", "1").addingHeader("X", "2"),
        name: "users")
      _ = try await URLSession.shared.fetch(request("http://a.example/users", method: "POST", body: "body"))
      return StubRegistry.current.journal.archive
    }
  }

  @Test("has requests, what went out for them, and the stubs' names")
  func exchange() async throws {
    let entry = try #require(try await answered().entries.first)
    #expect(entry.request.httpMethod == "POST")
    #expect(entry.request.httpBody == Data("body".utf8))
    #expect(entry.response?.status == 201)
    #expect(entry.response?.body == Data("hi".utf8))
    #expect(entry.response?.headers.values(of: "X") == ["1", "2"])
    #expect(entry.stubName?.contains("users") == true)
    #expect(entry.obstacle == nil)
  }

  @Test("has the time to each response, which is no longer than the request took")
  func times() async throws {
    let entry = try #require(try await answered().entries.first)
    #expect(try #require(entry.timeToResponse) <= entry.duration)
  }

  @Test("is written to a file and read from it without a change but of its times, which a file has in milliseconds")
  func inFile() async throws {
    let archive = try await answered()
    let read = try HTTPArchive(archive.data)
    #expect(read.problems.isEmpty)
    let (entry, readEntry) = (try #require(archive.entries.first), try #require(read.entries.first))
    #expect(readEntry.response == entry.response)
    #expect(readEntry.stubName == entry.stubName)
    #expect(abs(readEntry.startedAt.timeIntervalSince(entry.startedAt)) < 0.001)
  }

  @Test("has the hops of a redirect in order, with times that fit the delays")
  func redirects() async throws {
    let entries = try await withStubs {
      stub(condition: isPath("/old"), response: .redirect(to: "/new").delay(.milliseconds(20)))
      stub(condition: isPath("/new"), response: .text("here").chunked(by: 1, every: .milliseconds(5)))
      _ = try await URLSession.shared.fetch("http://a.example/old")
      return try HTTPArchive(StubRegistry.current.journal.archive.data).entries
    }
    #expect(entries.map { $0.response?.status } == [302, 200])
    #expect(entries[0].response?.headers["Location"] == "/new")
    #expect(try #require(entries[0].timeToResponse) >= .milliseconds(20))
    // Four pieces have three pauses between them.
    #expect(entries[1].duration >= .milliseconds(15))
  }

  private struct Custom: Error {}

  @Test("is empty if there were no requests")
  func empty() throws { #expect(try HTTPArchive(RequestJournal().archive.data) == HTTPArchive()) }

  @Test(
    "has the error of a request that failed with a URLError, and says what became of any other without an answer",
    arguments: [
      (.failed(URLError(.timedOut)), .timedOut, nil),
      (.failed(Custom()), nil, "failed with an error that is not a URLError"), (.cancelled, nil, "was cancelled"),
      (.passedThrough, nil, "was passed through to the network"), (.inProgress, nil, "was in progress"),
    ] as [(RecordedRequest.Outcome, URLError.Code?, String?)])
  func unanswered(outcome: RecordedRequest.Outcome, code: URLError.Code?, obstacle: String?) throws {
    let journal = RequestJournal()
    let request = URLRequest(url: url("http://a.example/"))
    let made = journal.begin(request)
    let finding = JournalEntry.Finding(choice: "matched", kind: .answer(byStub: false, .code))
    _ = made.arrives(IncomingRequest(request), finding: finding)
    made.ends(outcome)
    let entry = try #require(journal.archive.entries.first)
    #expect(entry.response == nil)
    #expect(entry.error?.code == code)
    #expect(
      obstacle.map { entry.obstacle?.hasPrefix($0) == true } ?? (entry.obstacle == nil), "\(entry.obstacle ?? "")")
    #expect(try HTTPArchive(journal.archive.data).problems.isEmpty)
  }

  @Test("has the lengths of bodies that the journal does not keep")
  func large() async throws {
    let archive = try await withStubs {
      // The journal keeps up to a million bytes of a body.
      stub(condition: .anything, response: .data(Data(count: 1_000_001)))
      _ = try await URLSession.shared.fetch(
        request(url("http://a.example/"), method: "PUT", body: Data(count: 1_000_002)))
      return try HTTPArchive(StubRegistry.current.journal.archive.data)
    }
    let entry = try #require(archive.entries.first)
    #expect(entry.response?.content == ArchivedBody(missing: 1_000_001))
    #expect(entry.missingBodyLength == 1_000_002)
    #expect(entry.obstacle == "has a body of 1000001 bytes, but the bytes were not saved")
  }

  @Test("says that a streamed body is not known if no stub needed it")
  func unreadStream() async throws {
    let archives = try await withStubs {
      stub(condition: .anything, response: .failure(.cannotConnectToHost))
      _ = try? await URLSession.shared.fetch(request("http://a.example/", method: "POST", streamed: "secret"))
      let journal = StubRegistry.current.journal
      return [journal.archive, try HTTPArchive(journal.archive.data)]
    }
    let reason = "has a request whose body is not known: no stub needed the stream, so it was not read"
    #expect(archives.map { $0.entries.map(\.obstacle) } == [[reason], [reason]])
    #expect(archives.allSatisfy { $0.entries.first?.error?.code == .cannotConnectToHost })
  }
}
