import TestSupport

/// A cell's runs: against a server, against stubs, against a server while StubKit records, and against the
/// recording.
struct Comparison: Sendable {
  let cell: Cell
  let native: Transcript
  let stubbed: Transcript
  /// Nil for a cell that is left out.
  let recorded: RecordedRun?
  /// Nil for a cell that is left out, or can't be replayed.
  let replayed: Transcript?
  /// How many requests the server received in each run.
  let nativeRequestCount: Int
  let stubbedRequestCount: Int

  /// Runs a cell. One that measures time is run again if the machine was late meanwhile, up to a few times.
  static func run(_ cell: Cell) async throws -> Comparison {
    guard cell.exchange.takesLong else { return try await Comparison(of: cell) }
    return try await Heartbeat.steadily { try await Comparison(of: cell) }
  }

  private init(of cell: Cell) async throws {
    self.cell = cell
    let server = try ScriptedServer(cell.exchange.routes, isRefusing: cell.exchange.isRefused)
    native = try await cell.runNatively(against: server)
    nativeRequestCount = server.received.count
    stubbed = try await cell.runStubbed(onPort: server.port)
    recorded = cell.isRecorded ? try await cell.runRecording() : nil
    replayed = if let recorded, cell.canBeReplayed { try await cell.runReplaying(recorded) } else { nil }
    stubbedRequestCount = server.received.count - nativeRequestCount
  }
}
