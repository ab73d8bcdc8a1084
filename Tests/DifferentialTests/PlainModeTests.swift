import Foundation
import TestSupport
import Testing

/// The matrix without URLSession's internals. What the plain mode can't do is listed below, and the rest is as from a
/// server.
@Suite("What a client is told in the plain mode", .inTurn, .enabled(if: PlainMode.isOn))
struct PlainModeTests {
  @Test("is the same by stubs as by a server, but for the differences in a list")
  func comparison() async {
    var unneeded = Set(KnownDifference.inPlainMode.map(\.reason))
    for group in Sample.groups {
      // A cell that can differ in any way is run too: it must not crash, and nothing of it must reach the server.
      let results = await group.forEachCell { cell -> (Cell, [String]) in
        do { return (cell, try await cell.runInPlainMode()) } catch {
          Issue.record(error, "\(cell)")
          return (cell, [])
        }
      }
      for (cell, lines) in results {
        let reasons = KnownDifference.inPlainMode.filter { $0.isIn(cell) }
        for reason in reasons where lines.contains(where: reason.explains) { unneeded.remove(reason.reason) }
        let known = KnownDifference.all.filter { $0.isIn(cell) } + reasons
        let unknown = lines.filter { line in !known.contains { $0.explains(line) } }
        if !unknown.isEmpty { Issue.record("\(cell)\n\(unknown.joined(separator: "\n"))") }
      }
    }
    // A reason that explains no line of the whole matrix must leave the list.
    if Sample.isWhole { #expect(unneeded.isEmpty) }
  }
}

extension Cell {
  /// Returns the lines that differ.
  fileprivate func runInPlainMode() async throws -> [String] {
    let server = try ScriptedServer(exchange.routes, isRefusing: exchange.isRefused)
    let native = try await runNatively(against: server)
    let count = server.received.count
    // Seconds, after which a cell that hangs in the plain mode is given up.
    let stubbed = try await runStubbed(onPort: server.port, deadline: 5)
    #expect(server.received.count == count, "\(self): the stubbed request reached the server")
    return native.difference(to: stubbed).differing
  }
}

extension KnownDifference {
  /// What the plain mode can't do.
  fileprivate static let inPlainMode: [KnownDifference] = [
    KnownDifference(
      "A task counts no bytes, and nobody learns of its progress.",
      lines: ["sent ", "received ", "told of body data sent"]
    ) { _ in true },
    KnownDifference(
      "Conditions and the journal see a request without what its session adds to it.",
      lines: ["with "] + ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"].map { "\($0) /" }
    ) { _ in true },
    KnownDifference(
      "A task keeps its current request, its response and its error to itself.",
      lines: ["current ", "response ", "state completed"]
    ) { _ in true },
    KnownDifference("A download has no file.") { $0.kind == .download },
    KnownDifference(
      "A delegate isn't asked about a redirect.", lines: ["asked about a redirect", "to ", "while the task shows"]
    ) { $0.style.hasDelegate },
    KnownDifference("So it can't change or refuse one.") { $0.replies.redirect != .follow },
    KnownDifference("A delegate isn't asked for a credential.") { !$0.replies.challenges.isEmpty },
    KnownDifference(
      "The delegate of an async call learns of nothing, not even of the task.",
      lines: ["told of data", "client:", "task:", "progress", "original"]
    ) { $0.style == .asyncCallWithDelegate },
    KnownDifference("A body arrives as a whole, or not at all if it breaks off.", lines: ["told of data"]) {
      [
        "dropped in the body", "dropped in a chunked body", "reset in the body", "shorter than its length",
        "silent in the body",
      ].contains($0.exchange.name)
    },
    KnownDifference("A body stream is not asked for.", lines: ["asked for a body stream"]) {
      $0.kind == .streamedUpload
    },
    KnownDifference("A GET with the body of an upload isn't refused.") {
      $0.exchange.sendsBodyAlways && $0.method == "GET" && [.uploadOfData, .uploadOfFile].contains($0.kind)
    },
    KnownDifference("A stub sets no cookies.", lines: ["cookies:", "a=", "b=", "hop="]) {
      $0.exchange.name.contains("cookie")
    },
    KnownDifference("The timeouts of a session's configuration are unknown.") {
      $0.exchange.name == "no answer within the session's timeout"
    },
    KnownDifference("A body arrives as a whole, so its first piece is awaited in vain.") {
      $0.disturbance == .cancelDuringBody
    },
  ]
}
