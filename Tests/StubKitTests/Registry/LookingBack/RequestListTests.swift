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

  private static let states: [(hasHead: Bool, outcome: RecordedRequest.Outcome, words: String)] = [
    (true, .answered(status: 200), "answered with 200"), (true, .cancelled, "200, cancelled"),
    (true, .inProgress, "200, in progress"),
    (true, .failed(URLError(.networkConnectionLost)), "200, failed: URLError.networkConnectionLost"),
    (false, .cancelled, "cancelled"), (false, .inProgress, "in progress"),
    (false, .failed(URLError(.networkConnectionLost)), "failed: URLError.networkConnectionLost"),
    (false, .passedThrough, "passed through to the network"),
  ]

  @Test("says of each how it ended, or how far it has come, in the journal and in a verification", arguments: states)
  func lines(hasHead: Bool, outcome: RecordedRequest.Outcome, words: String) {
    let entry = registry.journal.decided(request("http://a.example/"))
    if hasHead { entry.receives(head) }
    if outcome != .inProgress { entry.ends(outcome) }
    #expect(registry.journal.newestRequests().last == "  GET /: \(words)")
    let report = report { try verify(isPath("/other"), in: registry) }
    #expect(report.contains("  1. GET http://a.example/: \(words)\n"), "\(report)")
  }

  @Test("leaves out a request that a report has told already")
  func toldAlready() {
    registry.journal.decided(request("http://a.example/")).ends(.answered(status: 200))
    let report = "It failed:\n  1. GET http://a.example/: answered with 200\n"
    #expect(registry.journal.newestRequests(besides: [report]).isEmpty)
    #expect(!registry.journal.newestRequests().isEmpty)
  }

  @Test("says of one that has not arrived that it is on its way")
  func onItsWay() {
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

  @Test("has the newest eight requests, and names the origin that all of these have in common")
  func commonOrigin() {
    #expect(registry.journal.newestRequests().isEmpty)
    add("http://login.example/")
    for number in 1...9 { add("http://a.example/\(number)") }
    let lines = (2...9).map { "  GET /\($0): answered with 200" }
    #expect(registry.journal.newestRequests() == ["9 requests were made to http://a.example:", "  … 1 more"] + lines)
  }

  @Test("counts all requests if the newest have no origin in common")
  func manyOrigins() {
    for number in 1...9 { add("http://a.example/\(number)") }
    add("http://login.example/")
    #expect(registry.journal.newestRequests().prefix(2) == ["10 requests were made:", "  … 2 more"])
  }

  @Test("says that its requests are the last ones if the journal has dropped others")
  func dropped() {
    registry.journal.limit = 1
    for number in 1...9 { add("http://a.example/\(number)") }
    #expect(
      registry.journal.newestRequests() == [
        "The last requests to http://a.example:", "  GET /9: answered with 200",
      ])
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
