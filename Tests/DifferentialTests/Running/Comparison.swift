/// A cell's two runs.
struct Comparison: Sendable {
  let cell: Cell
  let native: Transcript
  let stubbed: Transcript
  /// How many requests the server received in each run.
  let nativeRequestCount: Int
  let stubbedRequestCount: Int

  /// What is different: lines of the native run after a minus, of the stubbed one after a plus.
  var difference: [String] { native == stubbed ? [] : native.difference(to: stubbed) }

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
    stubbedRequestCount = server.received.count - nativeRequestCount
  }
}
