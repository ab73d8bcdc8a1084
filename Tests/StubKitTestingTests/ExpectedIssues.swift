import Foundation
import StubKitTesting
import TestSupport
import Testing

/// Takes all issues of a test, and compares them with those that are expected.
struct ExpectedIssues: TestTrait, TestScoping {
  let expected: [ExpectedIssue]

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let (_, issues) = await takingIssues(function)
    #expect(issues.map { ExpectedIssue($0, of: test) } == expected)
  }
}

struct ExpectedIssue: Equatable, CustomStringConvertible {
  let description: String
  /// "the test", or else file, line and column.
  let place: String

  init(_ description: String, at place: String = "the test") {
    self.description = description
    self.place = place
  }

  init(_ issue: Issue, of test: Test) {
    let location = issue.sourceLocation
    let place = location.map { "\($0.fileID):\($0.line):\($0.column)" } ?? "nowhere"
    self.init(issue.text.withoutOtherScopes, at: location == test.sourceLocation ? "the test" : place)
  }
}

extension Trait where Self == ExpectedIssues {
  /// It comes before the traits whose issues are expected.
  static func issues(_ expected: ExpectedIssue...) -> Self { ExpectedIssues(expected: expected) }
}

func unmatchedReport(
  _ request: String,
  _ stubs: String = "There are no stubs where the request was made. Those of a test or a withStubs end with it."
) -> String {
  let isOfOtherHost = !stubs.contains("    ") || stubs.contains("    host:")
  let alternative =
    isOfOtherHost
    ? "let it reach the network with HTTPStubs.unmatched = .passThrough" : "mend the request or the stub"
  return """
    No stub matches \(request)
    \(stubs)
    Register a stub for it, or \(alternative).
    """
}

/// The report of a request that missed the one stub there is, on its host, by the path alone.
func unmatchedReport(_ method: String, _ url: URL, butFor path: String, line: Int) -> String {
  unmatchedReport(
    "\(method) \(url)",
    """
    There is 1 stub:
      isHost("\(url.host ?? "")") && isPath("\(path)") (App/Users.swift:\(line))
        path: expected \(path), got \(url.path)
    """)
}

let theNewestAnswers =
  "The newest matching stub answers. Register this one after the other, give it a higher priority, or pass both "
  + "responses to one stub, in turn: responses: [first, second]."

func unusedStub(
  _ stub: String, at place: String, _ arrivals: String = "No requests arrived.",
  _ cure: String = "Remove the stub, or mend its condition or the request."
) -> ExpectedIssue {
  ExpectedIssue(
    """
    No request used the stub \(stub)
    \(arrivals)
    \(cure)
    """, at: place)
}

extension String {
  /// Without what a report says of the scopes of the tests that run at the same time.
  fileprivate var withoutOtherScopes: String {
    guard let start = range(of: "A stub of another scope"), let end = range(of: "install(in:).\n") else { return self }
    return replacingCharacters(in: start.lowerBound..<end.upperBound, with: "")
  }
}
