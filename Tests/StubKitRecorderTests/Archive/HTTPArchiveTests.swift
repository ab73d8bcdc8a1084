import Foundation
import TestSupport
import Testing

@testable import StubKit
@testable import StubKitArchive
@testable import StubKitRecorder

@Suite("A journal as an HTTP Archive", .inTurn)
struct HTTPArchiveTests {
  private func archive(_ work: () async throws -> Void) async throws -> ArchiveReader {
    try await withStubs {
      try await work()
      return try ArchiveReader(StubRegistry.current.journal.har())
    }
  }

  @Test("of nothing is an archive without entries")
  func empty() throws {
    let archive = try ArchiveReader(RequestJournal().har())
    #expect(archive.problems.isEmpty && archive.entries.isEmpty)
    #expect(archive.log["version"] as? String == "1.2")
  }

  @Test("tells what was asked for and what went out")
  func answered() async throws {
    let archive = try await archive {
      stub(
        condition: isPath("/form"),
        response: .text("thanks", status: 201).addingHeader("Set-Cookie", "a=1; Path=/; HttpOnly").addingHeader(
          "Set-Cookie", "b=2"))
      var request = URLRequest(url: url("http://a.example/form?q=caf%C3%A9&flag"))
      request.httpMethod = "POST"
      request.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
      request.setValue("c=3; d=4", forHTTPHeaderField: "Cookie")
      // Other tests share the session's cookies.
      request.httpShouldHandleCookies = false
      request.httpBody = Data("name=Ann+O&x=1".utf8)
      _ = try await URLSession.shared.fetch(request)
    }
    #expect(archive.problems.isEmpty)
    let entry = try #require(archive.entries.first)
    #expect(
      entry.string("request.method") == "POST" && entry.string("request.url")?.hasSuffix("caf%C3%A9&flag") == true)
    #expect(entry.pairs("request.queryString") == ["q=café", "flag="])
    #expect(entry.pairs("request.cookies") == ["c=3", "d=4"])
    #expect(entry.string("request.postData.text") == "name=Ann+O&x=1" && entry.number("request.bodySize") == 14)
    #expect(entry.pairs("request.postData.params") == ["name=Ann O", "x=1"])
    #expect(entry.number("response.status") == 201 && entry.string("response.statusText") != "")
    #expect(entry.string("response.content.text") == "thanks" && entry.number("response.content.size") == 6)
    #expect(entry.pairs("response.cookies") == ["a=1", "b=2"])
    #expect(entry.pairs("response.headers").filter { $0.hasPrefix("Set-Cookie") }.count == 2)
    #expect(entry.value("response._error") == nil)
  }

  @Test("holds bytes that are no text in base64")
  func binary() async throws {
    let bytes = Data([0, 0xFF, 0x80])
    let archive = try await archive {
      stub(condition: .anything, response: .data(bytes))
      _ = try await URLSession.shared.fetch(request(url("http://a.example/"), method: "PUT", body: bytes))
    }
    let entry = try #require(archive.entries.first)
    #expect(archive.problems.isEmpty)
    #expect(entry.string("response.content.encoding") == "base64")
    #expect(entry.string("response.content.text") == bytes.base64EncodedString())
    #expect(entry.string("request.postData.text") == bytes.base64EncodedString())
  }

  @Test("tells bodies that are not kept by their sizes")
  func large() async throws {
    let archive = try await archive {
      stub(condition: .anything, response: .data(Data(count: 1_000_001)))
      _ = try await URLSession.shared.fetch(
        request(url("http://a.example/"), method: "PUT", body: Data(count: 1_000_002)))
    }
    let entry = try #require(archive.entries.first)
    #expect(archive.problems.isEmpty && entry.number("request.bodySize") == 1_000_002)
    #expect(entry.number("response.content.size") == 1_000_001 && entry.value("response.content.text") == nil)
  }

  @Test("is valid for what failed, was cancelled, passed through or goes on, and says so")
  func unanswered() async throws {
    let journal = RequestJournal()
    let outcomes: [RecordedRequest.Outcome] = [
      .failed(URLError(.timedOut)), .cancelled, .passedThrough, .inProgress,
    ]
    for outcome in outcomes {
      journal.end(journal.begin(URLRequest(url: url("http://a.example/")), body: nil, stub: nil), outcome)
    }
    let archive = try ArchiveReader(journal.har())
    #expect(archive.problems.isEmpty && archive.entries.count == 4)
    for (entry, outcome) in zip(archive.entries, outcomes) {
      #expect(
        entry.number("response.status") == 0 && entry.string("response._error")?.hasSuffix(outcome.description) == true)
    }
  }

  @Test("tells redirects, and times that add up, in order")
  func redirects() async throws {
    let archive = try await archive {
      stub(condition: isPath("/old"), response: .redirect(to: "/new").delay(.milliseconds(20)))
      stub(condition: isPath("/new"), response: .text("here").chunked(by: 1, every: .milliseconds(5)))
      _ = try await URLSession.shared.fetch("http://a.example/old")
    }
    #expect(archive.problems.isEmpty && archive.entries.map { $0.number("response.status") } == [302, 200])
    #expect(archive.entries[0].string("response.redirectURL") == "/new")
    #expect(try #require(archive.entries[0].number("timings.wait")) >= 20)
    // A head that is late shortens what follows.
    let (wait, receive) = (archive.entries[1].number("timings.wait"), archive.entries[1].number("timings.receive"))
    #expect(try #require(wait) + #require(receive) >= 15)
  }
}

/// Reads an archive, and looks for what HAR 1.2 requires of one.
private struct ArchiveReader {
  struct Entry {
    let object: [String: Any]

    func value(_ path: String) -> Any? {
      path.split(separator: ".").reduce(object as Any?) { ($0 as? [String: Any])?[String($1)] }
    }
    func string(_ path: String) -> String? { value(path) as? String }
    func number(_ path: String) -> Double? { (value(path) as? NSNumber)?.doubleValue }
    func pairs(_ path: String) -> [String] {
      (value(path) as? [[String: Any]] ?? []).map { "\($0["name"] as? String ?? "?")=\($0["value"] as? String ?? "?")" }
    }
  }

  let log: [String: Any]
  let entries: [Entry]

  init(_ data: Data) throws {
    let root = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    log = try #require(root["log"] as? [String: Any])
    problems = try HTTPArchive(data).problems
    entries = try #require(log["entries"] as? [[String: Any]]).map { Entry(object: $0) }
  }

  /// What reading finds wrong. What is required is in the text that HTTPArchiveRoundTripTests.layout compares.
  let problems: [HTTPArchiveError]
}
