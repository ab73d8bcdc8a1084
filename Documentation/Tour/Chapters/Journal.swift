import Foundation
import StubKit

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension Chapter {
  static let journal = Chapter(
    "The journal has seen it all",
    code: #"""
      let journal = StubRegistry.current.journal
      """#
  ) { page in
    let journal = StubRegistry.current.journal

    page.show(row("stub", "path", "outcome", "time"))
    for entry in journal.entries {
      page.show(
        row(
          entry.stub?.name ?? "–", entry.request.url?.path ?? "", outcome(of: entry),
          entry.duration?.inWords ?? "–"))
    }
    page.expect(
      journal.entries.map(\.stub?.name)
        == ["user", "users", "slow", "job", "job", "job", "post", "post", "login", "film", "cdn", "outage", nil],
      "the thirteen requests of the tour, in their order")
    page.expect(journal.unmatched.map(\.request.url?.path) == ["/users"], "/users as the one without a stub")
    page.expect(journal.entries.allSatisfy { $0.duration != nil }, "a duration for each")
  }

  private static func row(_ stub: String, _ path: String, _ outcome: String, _ duration: String) -> String {
    let time = String(repeating: " ", count: max(0, 9 - duration.count)) + duration
    return Terminal.column(stub, 9) + Terminal.column(path, 26) + Terminal.column(outcome, 20) + time
  }

  private static func outcome(of entry: RecordedRequest) -> String {
    if let status = entry.outcome.status { return "\(status)" }
    if entry.outcome.error is UnmatchedRequestError { return "unmatched" }
    return (entry.outcome.error as? URLError).map { "URLError \($0.code.rawValue)" } ?? entry.outcome.description
  }
}
