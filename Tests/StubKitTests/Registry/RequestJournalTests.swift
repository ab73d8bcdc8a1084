import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A journal", .inTurn)
struct RequestJournalTests {
  private let journal = RequestJournal()

  private func request(_ path: String, method: String = "GET", body: Data? = nil) -> URLRequest {
    TestSupport.request(url("http://a.example\(path)"), method: method, body: body)
  }

  @Test(
    "keeps a body of more than a megabyte by its length, unless it is asked to keep it",
    arguments: [false, true])
  func largeBodies(isKept: Bool) {
    journal.keepsLargeBodies = isKept
    let limit = Data(count: 1_000_000)
    let large = Data(count: 1_000_001)
    let carrying = request("/1", method: "POST", body: large)
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

  @Test("says once that a stub has answered 10,000 requests", .inOwnProcess)
  func endless() {
    let warnings = Locked<[String]>([])
    RequestWarnings.receiver.withLock { $0 = Closure { warning in warnings.withLock { $0.append(warning) } } }
    let (stub, calls) = (
      StubReference(name: "users", location: StubLocation("App/Users.swift", "", 12, 1), id: 1), StubCalls()
    )
    for page in 1...20_001 { _ = journal.begin(request("/?page=\(page)"), body: nil, stub: stub, calls: calls) }
    let start = #"The stub "users" (App/Users.swift:12) has answered 10,000 requests, now GET http://a.example/?p"#
    #expect(warnings.withLock { $0.map { $0.hasPrefix(start) } } == [true])
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
