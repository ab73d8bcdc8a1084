import StubKit
import Testing

/// Something wrong with a test that its stubs reveal.
package struct Finding: Sendable, CustomStringConvertible {
  package let description: String
  /// A Boolean value that indicates whether it is a note beside the failures of the test.
  let isNote: Bool
  /// The location of the stub concerned, or `nil` for a request, which can come from anywhere.
  let stub: StubLocation?
  /// The location of the stub that is nearest to a request.
  let nearest: StubLocation?

  /// - Parameters:
  ///   - latecomer: A stub that matches the request, and was registered after it.
  ///   - isSaid: Whether a failure of the test says already what kept the request from its nearest stub.
  init(_ miss: TestReport.Miss, _ latecomer: Stub?, isSaid: Bool) {
    let heading = miss.error.description.prefix { !$0.isNewline }
    var sentences = isSaid ? ["\(heading), as another failure of the test says."] : []
    if let latecomer { sentences.append("\(latecomer) matches it, but was registered after the request was made.") }
    if miss.count > 1 { sentences.append("\(miss.count) such requests failed; this is the report of the first.") }
    if miss.otherCount > 0 {
      sentences.append(
        "\(miss.otherCount.requests) with this method and URL failed with further reports, which are not shown.")
    }
    let text = isSaid ? (sentences + [miss.error.guideLine]).lines : miss.error.description(adding: sentences)
    self.init(text, nearest: miss.error.nearest.first?.stub.location)
  }

  /// Returns `nil` if a failure of the test has said it all.
  ///
  /// - Parameters:
  ///   - mistake: Something wrong in a stub, whose requests can fail with the same sentences.
  ///   - said: The failures of the test so far.
  init?(_ mistake: TestReport.Mistake, besides said: [String]) {
    if said.contains(where: { $0.contains(mistake.sentence) }) { return nil }
    self.init(mistake.sentence, at: mistake.location)
  }

  package init(_ sentence: String, at stub: StubLocation? = nil, nearest: StubLocation? = nil, isNote: Bool = false) {
    description = sentence
    self.isNote = isNote
    self.stub = stub
    self.nearest = nearest
  }

  /// - Parameters:
  ///   - unused: A stub that answered no request.
  ///   - isShadowed: Whether others answered requests that meet its condition.
  init(_ unused: Stub, isShadowed: Bool, isNote: Bool = false) {
    let arrivals = unused.closestRequests(most: 3, ofNewest: 100)
    let cures =
      if isShadowed {
        [
          "The newest matching stub answers. Register this one after the other, give it a higher priority, or pass both "
            + "responses to one stub, in turn: responses: [first, second]."
        ]
      } else if unused.home?.journal.entries.isEmpty == true {
        // Another class can have taken the requests. Then nothing is known of them.
        arrivals.first?.hasPrefix("StubKit saw no request") == true
          ? []
          : [
            "Remove the stub, or wait in the test until the client has sent its request. Wait with await: while a test "
              + "blocks the main thread, client code on the main actor can't run."
          ]
      } else {
        ["Remove the stub, or fix its condition or the request."]
      }
    let sentences = ["No request used the stub \(unused.descriptionWithEntry)"] + arrivals + cures
    self.init(sentences.lines, at: unused.location, isNote: isNote)
  }

  /// - Parameters:
  ///   - stub: A stub with several responses in turn.
  ///   - usedCount: How many of them requests got.
  ///   - rest: The others.
  init(_ stub: Stub, usedCount: Int, _ rest: ArraySlice<StubResponse>) {
    let (first, last) = (usedCount + 1, usedCount + rest.count)
    let which = first == last ? "response \(first)" : "responses \(first) to \(last)"
    var lines = ["\(usedCount.requests) used the stub \(stub), and none got \(which):"]
    lines += rest.enumerated().prefix(4).map { "  \(first + $0). \($1)" }
    if rest.count > 4 { lines.append("  and \(rest.count - 4) more") }
    lines.append("Take out what the test doesn't need, or make the requests.")
    self.init(lines.lines, at: stub.location)
  }

  package func record(of test: Test) { Issue.record(description, of: test, at: stub, isWarning: isNote) }
}
