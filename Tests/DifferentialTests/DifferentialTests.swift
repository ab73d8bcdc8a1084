import Foundation
import TestSupport
import Testing

/// Every cell of the matrix is run against a server and against stubs, and what the client is told is compared line by
/// line. Some cells, or all of them, are also run against a server while StubKit records, and then against the
/// recording.
@Suite("What a client is told", .inTurn, .enabled(if: !PlainMode.isOn))
struct DifferentialTests {
  @Test("is the same by a server, by stubs and by a recording, but for the known differences", arguments: Sample.groups)
  func comparison(group: CellGroup) async throws {
    let comparisons = await group.forEachCell { cell -> Comparison? in
      do { return try await Comparison.run(cell) } catch {
        Issue.record(error, "\(cell)")
        return nil
      }
    }.compactMap(\.self)
    for comparison in comparisons {
      #expect((comparison.nativeRequestCount > 0) == comparison.cell.isSent, "\(comparison.cell): sent natively?")
      #expect(comparison.stubbedRequestCount == 0, "\(comparison.cell): the stubbed request reached the server")
      for problem in comparison.problems { Issue.record("\(problem)") }
      guard let recorded = comparison.recorded else { continue }
      let expected = comparison.cell.entryCount(requestCount: recorded.requestCount)
      #expect(
        expected.contains(recorded.entries.count), "\(comparison.cell): recorded \(recorded.entries.map(\.request))")
      #expect(recorded.unfinishedCount == 0, "\(comparison.cell)")
    }
  }
}
