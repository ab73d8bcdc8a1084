import Foundation
import TestSupport
import Testing

@testable import StubKit
@testable import StubKitRecorder

@Suite("A registry under change", .inTurn)
struct RegistryReportTests {
  private let registry = StubRegistry()

  private func fail(_ path: String = "/", headers: [String: String] = [:], body: String? = nil) -> UnmatchedRequestError
  {
    let request = request(
      "http://costs.example\(path)", method: body == nil ? "GET" : "POST", headers: headers, body: body)
    return UnmatchedRequestError(RequestFacts(request), in: registry)
  }

  @Test("reports an equal request anew when what a report depends on has changed")
  func changedMisses() {
    let door = StubScenario(initial: "shut", name: "door")
    let near = stub(condition: isPath("/a") && door.is("open"), response: .empty(), name: "near", in: registry)
    let once = stub(condition: isPath("/"), response: .empty(), name: "once", times: 1, in: registry)
    for number in 0..<9 { stub(condition: isPath("/elsewhere/\(number)"), response: .empty(), in: registry) }
    _ = once.claim()
    var last = ""
    func check(_ names: [String?], _ text: String, isNew: Bool = true) {
      let error = fail()
      #expect(error.nearest.map(\.stub.name).starts(with: names) && error.description.contains(text), "\(error)")
      #expect((error.description != last) == isNew)
      last = error.description
    }
    check(["once", "near"], "used up: 1 of 1 uses")
    check(["once", "near"], "used up: 1 of 1 uses", isNew: false)
    #expect(last.contains(#"door is "shut", expected "open""#))
    door.state = "open"
    check(["once", "near"], "path: expected /a")
    #expect(!last.contains("door is"))
    let other = stub(
      condition: isPath("/b") && isHost("costs.example"), response: .empty(), name: "other", times: 1, in: registry)
    check(["once", "other", "near"], "The nearest of 12 stubs")
    _ = other.claim()
    check(["once", "near", "other"], "used up: 1 of 1 uses")
    once.name = "renamed"
    check(["renamed", "near", "other"], "renamed")
    once.remove()
    check(["near", "other"], "The nearest of 11 stubs")
    near.remove()
    registry.removeAll()
    check([], "There are no stubs where the request was made.")
  }

  @Test("that is not enabled gives the mistakes of its stubs to its test, too")
  func mistakes() async {
    let misses = registry.collectMisses()
    registry.isEnabled = false
    await withCheckedContinuation { continuation in
      // No test is known to run on a queue.
      DispatchQueue.global().async {
        registry.unmatched = .passThrough(when: isHost("http://costs.example"))
        continuation.resume()
      }
    }
    #expect(misses.mistakes.count == 1 && misses.mistakes.allSatisfy { $0.sentence.contains("isHost") })
  }

  @Test("loses nothing that its journal learns of a request while it reads the request's body")
  func journal() throws {
    let folder = try TestFolder()
    let file = folder.url.appendingPathComponent("body")
    try Data(count: 100_000).write(to: file)
    let response = RecordedRequest.Response(.empty(), length: 0, content: nil, contentLength: 0, isDropped: false)
    for _ in 0..<100 {
      let entry = registry.journal.begin(request("http://costs.example/"), body: nil, stub: nil)
      DispatchQueue.concurrentPerform(iterations: 2) { number in
        if number == 0 { entry.sends(bodyIn: file) } else { entry.receives(response) }
      }
    }
    let entries = registry.journal.entries
    #expect(entries.allSatisfy { $0.body?.count == 100_000 && $0.response?.status == 204 && $0.timeToResponse != nil })
  }

  @Test("hides what its recording hides in a mismatch, wherever it is printed")
  func mismatch() throws {
    stub(condition: hasHeader("X-Api-Key", "a"), response: .empty(), in: registry)
    registry.tap = ArchiveRecorder()
    registry.unmatched = .fail
    let miss = try #require(fail(headers: ["X-Api-Key": "s3cr" + "et-9Zk2Rw7Q"]).nearest.first)
    let line = #"header X-Api-Key: expected "a", got "REDACTED""#
    #expect(miss.mismatches.map(\.description) == [line] && miss.description.contains(line))
    withStubs(registry: registry) { #expect(miss.mismatches.map(\.description) == [line]) }
    let plain = MatchReport.Mismatch("header X-Api-Key", expected: "a", actual: "s3cr" + "et-9Zk2Rw7Q")
    withStubs(registry: registry) { #expect(plain.description.contains("9Zk2Rw7Q")) }
  }
}
