import Foundation
import TestSupport
import Testing

@testable import StubKit
@testable import StubKitRecorder

@Suite("A journal as an archive", .inTurn)
struct JournalArchiveTests {
  @Test("has requests, what went out for them, and the stubs' names")
  func answered() async throws {
    let (archive, har) = try await withStubs {
      stub(
        condition: isPath("/users"), response: .text("hi", status: 201).addingHeader("X", "1").addingHeader("X", "2"),
        name: "users")
      _ = try await URLSession.shared.fetch(request("http://a.example/users", method: "POST", body: "body"))
      let journal = StubRegistry.current.journal
      return (journal.archive, try HTTPArchive(journal.archive.data))
    }
    let entry = try #require(archive.entries.first)
    #expect(entry.request.httpMethod == "POST")
    #expect(entry.request.httpBody == Data("body".utf8))
    #expect(entry.response?.status == 201)
    #expect(entry.response?.body == Data("hi".utf8))
    #expect(entry.response?.headers.values(of: "X") == ["1", "2"])
    #expect(entry.stubName?.contains("users") == true && entry.obstacle == nil)
    #expect(entry.timeToResponse.map { $0 <= entry.duration } == true)
    // To the precision of a file.
    let read = try #require(har.entries.first)
    #expect(har.problems.isEmpty)
    #expect(read.response == entry.response)
    #expect(read.stubName == entry.stubName)
    #expect(abs(read.startedAt.timeIntervalSince(entry.startedAt)) < 0.001)
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

  @Test("says of each request that was not answered what became of it")
  func unanswered() throws {
    let journal = RequestJournal()
    #expect(try HTTPArchive(journal.archive.data) == HTTPArchive())
    let outcomes: [RecordedRequest.Outcome] = [
      .failed(URLError(.timedOut)), .failed(Custom()), .cancelled, .passedThrough, .inProgress,
    ]
    for outcome in outcomes {
      let request = URLRequest(url: url("http://a.example/"))
      let entry = journal.begin(request)
      let finding = JournalEntry.Finding(choice: "matched", kind: .answer(byStub: false, .code))
      _ = entry.arrives(IncomingRequest(request), finding: finding)
      entry.ends(outcome)
    }
    let entries = journal.archive.entries
    #expect(entries.map { $0.error?.code } == [.timedOut, nil, nil, nil, nil])
    #expect(entries.allSatisfy { $0.response == nil } && entries[0].obstacle == nil)
    #expect(entries[1].obstacle?.hasPrefix("failed with an error that is not a URLError") == true)
    #expect(entries[2...].map(\.obstacle) == ["was cancelled", "was passed through to the network", "was in progress"])
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
