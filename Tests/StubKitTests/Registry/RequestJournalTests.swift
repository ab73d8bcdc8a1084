import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A journal", .inTurn)
struct RequestJournalTests {
  private let journal = RequestJournal()

  private func request(_ path: String, method: String = "GET") -> URLRequest {
    var request = URLRequest(url: URL(string: "http://a.example\(path)")!)
    request.httpMethod = method
    return request
  }

  private let stub = StubReference(
    name: "users", location: StubLocation(fileID: "T/T.swift", filePath: "/T.swift", line: 1, column: 2), id: 1)

  @Test("keeps requests in their order, with what came of them")
  func entries() throws {
    let first = journal.begin(request("/1"), body: Data("x".utf8), stub: stub)
    let second = journal.begin(request("/2"), body: nil, stub: nil)
    #expect(journal.entries.map(\.outcome) == [.inProgress, .inProgress])
    journal.end(second, .failed(URLError(.timedOut)))
    journal.end(first, .answered(status: 201))

    let entries = journal.entries
    #expect(entries.map(\.request.url?.path) == ["/1", "/2"])
    #expect(entries.map(\.outcome) == [.answered(status: 201), .failed(URLError(.timedOut))])
    #expect(entries[0].body == Data("x".utf8) && entries[0].stub == stub)
    #expect(entries.allSatisfy { ($0.duration ?? .seconds(-1)) >= .zero })
    #expect(entries[0].startedAt <= entries[1].startedAt)
    #expect(journal.unmatched.map(\.request.url?.path) == ["/2"])
  }

  @Test("settles a request once")
  func settledOnce() {
    let entry = journal.begin(request("/1"), body: nil, stub: nil)
    journal.end(entry, .answered(status: 200))
    journal.end(entry, .cancelled)
    #expect(journal.entries.map(\.outcome) == [.answered(status: 200)])
  }

  @Test("takes up what was found out about a request later, if it still has the request")
  func completed() {
    let entry = journal.begin(request("/1"), body: nil, stub: stub)
    journal.end(entry, .answered(status: 200))
    journal.complete(entry, request("/1", method: "PUT"), body: Data("x".utf8))
    #expect(journal.entries.map(\.request.httpMethod) == ["PUT"])
    #expect(journal.entries.map(\.body) == [Data("x".utf8)])
    #expect(journal.entries.map(\.outcome) == [.answered(status: 200)])
    journal.clear()
    journal.complete(entry, request("/1"), body: nil)
    #expect(journal.entries.isEmpty)
  }

  @Test(
    "keeps a body of more than a megabyte by its length, unless it is asked to keep it",
    arguments: [false, true])
  func largeBodies(isKept: Bool) {
    journal.keepsLargeBodies = isKept
    let limit = Data(count: 1_000_000)
    let large = Data(count: 1_000_001)
    var carrying = request("/1", method: "POST")
    carrying.httpBody = large
    _ = journal.begin(request("/1"), body: limit, stub: nil)
    _ = journal.begin(carrying, body: large, stub: nil)
    let entry = journal.begin(request("/1"), body: nil, stub: nil)
    journal.complete(entry, carrying, body: large)
    let entries = journal.entries
    #expect(entries[0].body == limit && entries[0].largeBodyLength == nil)
    for entry in entries.dropFirst() {
      #expect(entry.body == (isKept ? large : nil) && entry.request.httpBody == (isKept ? large : nil))
      #expect(entry.largeBodyLength == (isKept ? nil : 1_000_001))
    }
  }

  @Test("finds the requests that meet a condition")
  func matching() {
    for method in ["GET", "POST", "GET"] { _ = journal.begin(request("/1", method: method), body: nil, stub: nil) }
    #expect(journal.requests(matching: isMethodGET()).count == 2)
  }

  @Test("keeps the newest up to its limit, and outcomes still find their requests", arguments: [0, 1, 3, 10])
  func limit(limit: Int) {
    journal.limit = limit
    let ids = (0..<20).map { journal.begin(request("/\($0)"), body: nil, stub: nil) }
    for (number, id) in ids.enumerated() { journal.end(id, .answered(status: number)) }
    #expect(journal.entries.map(\.request.url?.path) == (20 - limit..<20).map { "/\($0)" })
    #expect(journal.entries.map(\.outcome.status) == (20 - limit..<20).map { $0 })
  }

  @Test("forgets everything when cleared; what was in progress does not come back")
  func clear() {
    let entry = journal.begin(request("/1"), body: nil, stub: nil)
    journal.clear()
    let next = journal.begin(request("/2"), body: nil, stub: nil)
    journal.end(entry, .cancelled)
    #expect(journal.entries.map(\.outcome) == [.inProgress])
    journal.end(next, .passedThrough)
    #expect(journal.entries.map(\.outcome) == [.passedThrough])
  }

  @Test("lets the errors of dropped requests go outside its lock", arguments: ["limit", "clear", "overflow"])
  func release(cause: String) {
    final class Witness: Sendable {
      let journal: RequestJournal
      init(_ journal: RequestJournal) { self.journal = journal }
      deinit { _ = journal.entries.count }
    }
    struct Failure: Error { let witness: Witness }
    weak var witness: Witness?
    do {
      let made = Witness(journal)
      witness = made
      let entry = journal.begin(request("/1"), body: nil, stub: nil)
      journal.end(entry, .failed(Failure(witness: made)))
    }
    #expect(witness != nil)
    switch cause {
    case "limit": journal.limit = 0
    case "clear": journal.clear()
    default:
      journal.limit = 1
      for _ in 0..<3 { _ = journal.begin(request("/2"), body: nil, stub: nil) }
    }
    #expect(witness == nil)
  }

  @Test("prints an outcome in words")
  func outcomes() {
    #expect("\(RecordedRequest.Outcome.answered(status: 404))" == "answered with 404")
    #expect("\(RecordedRequest.Outcome.cancelled)" == "cancelled")
    #expect(RecordedRequest.Outcome.failed(URLError(.timedOut)) != .failed(URLError(.badURL)))
    #expect(RecordedRequest.Outcome.failed(URLError(.timedOut)).error is URLError)
    #expect(RecordedRequest.Outcome.answered(status: 200) != .answered(status: 201))
  }
}
