import Foundation
import TestSupport
import Testing

/// The column of the server: the native loader is told the same by a server of stubs as by a server that sends what the
/// stubs say. A plain run has one cell for each answer.
@Suite("What URLSession is told by a server of stubs", .inTurn)
struct ServedTests {
  @Test(
    "is the same as by a server that sends what the stubs say, but for the known differences", arguments: Sample.groups)
  func comparison(group: CellGroup) async throws {
    var answers: Set<String> = []
    let cells = group.cells.filter { cell in
      cell.isServed && (Sample.isWhole || answers.insert(cell.exchange.name).inserted)
    }
    let differences = await CellGroup(name: group.name, cells: cells).forEachCell { cell -> (Cell, [String]) in
      do {
        let (native, served) = try await cell.runTwice()
        let difference = native.difference(to: served).differing
        return (cell, difference.filter { !cell.writesPiecesTwice || !$0.contains("returns file") })
      } catch { return (cell, ["no run: \(error)"]) }
    }
    for (cell, lines) in differences {
      if let reason = Self.known[cell.exchange.name] {
        if lines.isEmpty { Issue.record("\(cell)\nis no longer different, as the list has it: \(reason)") }
      } else if !lines.isEmpty {
        Issue.record("\(cell)\n\(lines.joined(separator: "\n"))")
      }
    }
  }

  /// The reasons for differences, by the names of the answers.
  private static let known: [String: String] = {
    let noHTTP = "A stub's .badServerResponse is a line that is no HTTP, and the other server closes without a line."
    let reset = "A stub's body that breaks off ends with a reset, and the other server closes."
    let route = "The stubs have none for the redirect's target, and answer with their report."
    return [
      "dropped before the head": noHTTP, "redirect to a failure": noHTTP,
      "dropped before the body": reset, "dropped in the body": reset, "dropped in a chunked body": reset,
      "shorter than its length": reset, "nothing of its length": reset,
      "redirect to a mail address": route, "redirect to data": route,
      "header fields of its own that the transport adds too":
        "The client names another host, and a server of stubs refuses to stand for it.",
    ]
  }()
}

extension Cell {
  /// Whether the answer can come from a server of stubs.
  fileprivate var isServed: Bool {
    // Nobody listens there, and a suspended task makes the native loader ask as often as it likes.
    !exchange.isRefused && disturbance != .suspendDuringWait
  }

  /// Runs the cell against both servers. One that measures time is run again if the machine was late meanwhile.
  fileprivate func runTwice() async throws -> (Transcript, Transcript) {
    let both = { (try await runNativeClient(of: ScriptedServer(exchange.routes)), try await runServed()) }
    return exchange.takesLong ? try await Heartbeat.steadily(both) : try await both()
  }

  /// Whether the native loader writes each piece of the body twice, and so shows where it was divided on its way.
  fileprivate var writesPiecesTwice: Bool { kind == .download && style == .asyncCallWithDelegate }
}
