import Foundation
import Testing

/// Every cell of the matrix is run twice, against a server and against stubs, and what the client is told is compared line
/// by line.
@Suite("What a client is told by a stub and by a server")
struct DifferentialTests {
  @Test("is the same, but for the known differences", arguments: Matrix.groups)
  func comparison(group: CellGroup) async throws {
    let comparisons = await group.forEachCell { try? await Comparison(of: $0) }.compactMap(\.self)
    #expect(comparisons.count == group.cells.count, "Some servers could not be started.")
    for comparison in comparisons {
      #expect((comparison.nativeRequestCount > 0) == comparison.cell.isSent, "\(comparison.cell): not sent natively")
      #expect(comparison.stubbedRequestCount == 0, "\(comparison.cell): the stubbed request reached the server")
      if let difference = comparison.unknownDifference { Issue.record("\(difference)") }
      for reason in comparison.outdatedReasons {
        Issue.record("\(comparison.cell)\nis no longer different, as the list has it: \(reason)")
      }
    }
  }

  @Test("covers hundreds of cells, each with a name of its own")
  func matrix() {
    let names = Matrix.allCells.map(\.description)
    #expect(names.count >= 400)
    #expect(Set(names).count == names.count)
  }

  @Test("leaves out only what the native loader does not survive", arguments: NativeFlaw.all)
  func flaws(flaw: NativeFlaw) {
    #expect(!Matrix.allCells.contains(where: flaw.isIn))
  }
}
