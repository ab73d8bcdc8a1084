import Foundation
import StubKit

/// Expects that the test has made these requests so far, and no others, and records an issue at this line if it has
/// not.
///
/// ```swift
/// try await client.signIn("ann")
/// expectRequests(
///   """
///   POST https://api.example.com/login
///   Content-Type: application/json
///
///   {"user": "ann", "device": "{{device}}"}
///
///   ###
///   GET https://api.example.com/me
///   X-Device: {{device}}
///   """)
/// ```
///
/// Write `expectRequests("")` first. It fails with the text to paste. For a test without requests, it passes.
///
/// The text is in the format of `.http` files: a method and a URL, headers, a blank line, a body, and `###` before the
/// next request. `### ×3` is before a request that is made three times in a row. Method and URL are compared as text,
/// with the items of the query in any order. Headers are those that the client sets. JSON is compared by its values, a
/// form by its fields, and a multipart body part by part. Bytes that aren't text have a length and digests. `{{name}}`
/// is one value wherever the name occurs, `{{_}}` is another value each time, and `{{id:number}}` and `{{uuid1}}` are
/// values of a kind. Two braces themselves are `{{\x7b}}{`. See the guide *Transcripts*.
///
/// It waits as `expectCalls(to:_:at:fileID:file:line:column:)` does, and fails in the same way where no test is known.
///
/// - Parameters:
///   - transcript: The expected requests.
///   - condition: Which requests count. Defaults to all.
///   - order: Which requests must keep their order. Defaults to those of one method and URL.
///   - registry: The registry that received them. Defaults to `StubRegistry.current`.
///   - location: The location of the issue in Swift Testing. Defaults to `nil`: that of the call. Omit the following
///     parameters.
///   - fileID: The source file.
///   - file: The path of the source file.
///   - line: The line.
///   - column: The column.
/// - Returns: What the placeholders stand for, by their names. Empty if the requests differ.
@discardableResult
public func expectRequests(
  _ transcript: String, to condition: RequestMatcher = .anything, order: RequestOrder = .perURL,
  in registry: StubRegistry = .current, at location: StubLocation? = nil, fileID: StaticString = #fileID,
  file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) -> [String: String] {
  let location = location ?? StubLocation(fileID, file, line, column)
  let (found, values) = TranscriptUse(condition, in: registry).compare(transcript, order, column: location.column)
  guard let found else { return values }
  let description = (["expectRequests: \(found[0])", "  at \(location)"] + found.dropFirst()).lines
  recordIssue(description, at: location, file, line, in: registry)
  return [:]
}

extension TranscriptUse {
  /// Compares the requests with a text. Returns what is wrong, or `nil`, and what the placeholders stand for.
  ///
  /// - Parameter column: That of the call, for the text to paste.
  fileprivate func compare(
    _ text: String, _ order: RequestOrder, column: Int
  ) -> (problem: [String]?, values: [String: String]) {
    if let mistake { return ([mistake], [:]) }
    let expected: [TranscribedRequest]
    do { expected = try TranscriptReader(text, without: untranscribed).requests } catch {
      return (["the transcript can't be read: \(error)"], [:])
    }
    let comparison = TranscriptComparison(actual, with: expected, order: order, machine)
    if comparison.isEqual {
      return doubts.isEmpty
        ? (nil, comparison.values.values) : (["it isn't certain that these are all requests."] + doubts, [:])
    }
    let new = TranscriptDraft(actual, hiding: secrets, after: RunNote(), comparison, on: machine).text
    let paste = Self.literal(new, column: column)
    if expected.isEmpty {
      let count = actual.count
      return (
        ["the transcript is empty, and \(count.requests) \(count == 1 ? "was" : "were") made. Paste this:"]
          + doubts + paste, [:]
      )
    }
    var report = comparison.report("the transcript", hiding: secrets)
    report += doubts + (comparison.isOrderOnly ? [] : ["If this is right, replace the transcript:"] + paste)
    return (report, [:])
  }

  /// The text as a literal in a call.
  private static func literal(_ text: String, column: Int) -> [String] {
    let indent = String(repeating: " ", count: max(0, min(column, 40) - 1) + 2)
    let pounds = text.contains("\\") || text.contains("\"\"\"") ? text.contains("\"\"\"#") ? "##" : "#" : ""
    let lines = text.pieces(at: "\n").map { $0.isEmpty ? "" : "\(indent)\($0)" }
    return ["\(indent.dropLast(2))expectRequests(", "\(indent)\(pounds)\"\"\""] + lines + ["\(indent)\"\"\"\(pounds))"]
  }
}
