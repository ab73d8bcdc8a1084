import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A list of requests")
struct RequestListTests {
  private let registry = StubRegistry()
  private let head = RecordedRequest.Response(.ok, length: 0, sent: .data(Data()), isDropped: false)

  @discardableResult
  private func add(_ address: String, _ outcome: RecordedRequest.Outcome = .answered(status: 200)) -> JournalEntry {
    let entry = registry.journal.decided(request(address))
    if outcome != .inProgress { entry.ends(outcome) }
    return entry
  }

  @Test("says of each how it ended, or how far it has come")
  func states() {
    let lost = RecordedRequest.Outcome.failed(URLError(.networkConnectionLost))
    for (hasHead, outcome, words) in [
      (true, .answered(status: 200), "answered with 200"), (true, .cancelled, "200, cancelled"),
      (true, .inProgress, "200, in progress"), (true, lost, "200, failed: URLError.networkConnectionLost"),
      (false, .cancelled, "cancelled"), (false, .inProgress, "in progress"),
      (false, lost, "failed: URLError.networkConnectionLost"),
      (false, .passedThrough, "passed through to the network"),
    ] as [(Bool, RecordedRequest.Outcome, String)] {
      registry.journal.clear()
      let entry = registry.journal.decided(request("http://a.example/"))
      if hasHead { entry.receives(head) }
      if outcome != .inProgress { entry.ends(outcome) }
      let line = "GET http://a.example/: \(words)"
      #expect(registry.journal.newestRequests().last == "  \(line.replacing("http://a.example", with: ""))")
      // What a report has told already isn't told again.
      #expect(registry.journal.newestRequests(besides: ["It failed:\n  1. \(line)\n"]).isEmpty, "told as \(line)")
      let report = report { try verify(isPath("/other"), in: registry) }
      #expect(report.contains("  1. \(line)\n"), "\(words): \(report)")
    }
    _ = registry.journal.begin(request("http://a.example/"))
    #expect(registry.journal.newestRequests().last == "  GET /: on its way to StubKit")
  }

  @Test("says that the test's network is offline, and names a stub only if its own network is")
  func offline() async {
    await withStubs {
      stub(condition: isPath("/own"), response: .ok.network(.offline), fileID: "App/A.swift", line: 3)
      stub(condition: isPath("/users"), response: .ok, fileID: "App/A.swift", line: 4)
      let own = await URLSession.shared.failure(of: "http://a.example/own") as? URLError
      HTTPStubs.network = .offline
      let errors = [
        own, await URLSession.shared.failure(of: "http://a.example/users") as? URLError,
        await URLSession.shared.failure(of: "http://a.example/none") as? URLError,
      ]
      #expect(errors.map { $0?.code } == Array(repeating: .notConnectedToInternet, count: 3))
      let cause = "failed: The network of the test is .offline: see HTTPStubs.network, or network: of the test's scope."
      #expect(
        StubRegistry.current.journal.newestRequests().suffix(3) == [
          "  GET /own: failed: URLError.notConnectedToInternet, by the stub at App/A.swift:3",
          "  GET /users: \(cause)", "  GET /none: \(cause)",
        ])
    }
  }

  @Test("names the origin that all of its newest have in common, with their number, or else counts all")
  func numbers() {
    #expect(registry.journal.newestRequests().isEmpty)
    add("http://login.example/")
    for number in 1...9 { add("http://a.example/\(number)") }
    // The newest eight are listed. A place is named if it is that of all of them.
    let lines = (2...9).map { "  GET /\($0): answered with 200" }
    #expect(registry.journal.newestRequests() == ["9 requests were made to http://a.example:", "  … 1 more"] + lines)
    add("http://login.example/")
    #expect(registry.journal.newestRequests().prefix(2) == ["11 requests were made:", "  … 3 more"])
    registry.journal.limit = 1
    let last = ["The last requests to http://login.example:", "  GET /: answered with 200"]
    #expect(registry.journal.newestRequests() == last)
  }

  @Test("cuts a long URL, wherever requests are listed")
  func longAddresses() {
    let path = "/" + String(repeating: "x", count: 20_000)
    add("http://a.example\(path)")
    add("http://b.example/")
    let lists =
      registry.journal.newestRequests() + [
        report { try verify(isPath("/other"), in: registry) },
        report { try verify(.anything, called: 0, in: registry) },
        report { try verifyInOrder(isMethod(.get), isPath("/other"), in: registry) },
      ]
    for list in lists { #expect(list.split(separator: "\n").allSatisfy { $0.count < 200 }, "\(list.prefix(2_000))") }
  }
}
