import Foundation
import TestSupport
import Testing

/// Every cell of the matrix is run against a server and against stubs, and what the client is told is compared line by
/// line. Some cells, or all of them, are also run against a server while StubKit records, and then against the
/// recording.
@Suite("What a client is told", .inTurn, .enabled(if: !PlainMode.isOn))
struct DifferentialTests {
  @Test("is the same", arguments: Sample.groups)
  func comparison(group: CellGroup) async throws {
    let comparisons = await group.forEachCell { try? await Comparison.run($0) }.compactMap(\.self)
    let equal = comparisons.count { $0.difference.differing.isEmpty }
    if Sample.isWhole { print("differential: \(group.name): \(equal) of \(comparisons.count) cells equal") }
    #expect(comparisons.count == group.cells.count, "Some servers could not be started.")
    for comparison in comparisons {
      #expect((comparison.nativeRequestCount > 0) == comparison.cell.isSent, "\(comparison.cell): not sent natively")
      #expect(comparison.stubbedRequestCount == 0, "\(comparison.cell): the stubbed request reached the server")
      for problem in comparison.problems { Issue.record("\(problem)") }
      guard let recorded = comparison.recorded else { continue }
      let expected = comparison.cell.entryCount(requestCount: recorded.requestCount)
      #expect(
        expected.contains(recorded.entries.count), "\(comparison.cell): recorded \(recorded.entries.map(\.request))")
      #expect(recorded.unfinishedCount == 0, "\(comparison.cell)")
    }
  }

  @Test("is different where the answers are")
  func sensitivity() async throws {
    let server = try ScriptedServer(Exchange("other", .text("Hullo")).routes)
    let cell = Cell(exchange: .small, method: "GET", kind: .data, style: .sessionDelegate)
    let native = try await cell.runNatively(against: server)
    let stubbed = try await cell.runStubbed(onPort: server.port)
    #expect(
      native.difference(to: stubbed).filter { !$0.hasPrefix(" ") } == [
        "-   told of data: 5 bytes \"Hullo\"", "+   told of data: 5 bytes \"Hello\"",
      ])
  }

  @Test("that never ends is told as such")
  func hang() async throws {
    let server = try ScriptedServer(Exchange.silent.routes)
    let cell = Cell(exchange: .silent, method: "GET", kind: .data, style: .sessionDelegate)
    let native = try await Heartbeat.steadily { try await cell.runNatively(against: server, deadline: 0.05) }
    let stubbed = try await cell.runStubbed(onPort: server.port, deadline: 0.05)
    #expect(native.lines.contains("HANGS:"))
    #expect(stubbed.lines.contains("HANGS:"))
  }
}
