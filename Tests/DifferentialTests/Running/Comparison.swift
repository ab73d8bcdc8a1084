/// A cell's runs: against a server, against stubs, and against a server while StubKit records.
struct Comparison: Sendable {
  let cell: Cell
  let native: Transcript
  let stubbed: Transcript
  let recorded: RecordedRun
  /// How many requests the server received in each run.
  let nativeRequestCount: Int
  let stubbedRequestCount: Int

  /// What is different: lines of the native run after a minus, of the stubbed one after a plus.
  var difference: [String] { native == stubbed ? [] : native.difference(to: stubbed) }

  /// What is different while StubKit records: nothing, that is.
  var differenceOfRecording: [String] {
    native == recorded.transcript ? [] : native.difference(to: recorded.transcript)
  }

  init(of cell: Cell) async throws {
    self.cell = cell
    let server = try ScriptedServer(cell.exchange.routes, isRefusing: cell.exchange.isRefused)
    defer {
      server.release.open()
      server.stop()
    }
    native = await cell.runNatively(against: server)
    nativeRequestCount = server.received.count
    stubbed = await cell.runStubbed(onPort: server.port)
    recorded = try await cell.runRecording()
    stubbedRequestCount = server.received.count - nativeRequestCount
  }
}
