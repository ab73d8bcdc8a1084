import Foundation
import StubKitServer

/// A server of stubs under load: 64 connections that stay, and answers of 200 bytes, beside a bare server of dispatch
/// sources. The client has one thread of the same process.
extension Run {
  private static let body = String(repeating: "x", count: 199) + "!"

  func measureServer() async throws {
    let many = 10_000
    let bare = try BareServer(body: Self.body)
    defer { bare.stop() }
    let (one, several) = (try await server(stubCount: 1), try await server(stubCount: many))
    let contenders = [
      ("bare server", 1, bare.port), ("StubServer", 1, one.port), ("StubServer", many, several.port),
    ]
    var results: [[HTTPLoad.Result]] = Array(repeating: [], count: contenders.count)
    var residentBefore = 0
    for round in 0..<max(3, effort.processes * 2) {
      for (index, (_, stubs, port)) in contenders.enumerated() {
        let load = HTTPLoad(
          port: port, connectionCount: 64, target: { "/stubs/\(($0 &* 2_654_435_761) % stubs)" },
          lastByte: UInt8(ascii: "!"))
        results[index].append(try load.run(effort.blocks * effort.requestsPerBlock * 4))
      }
      // The first round creates everything that is created only once, and fills the journals.
      if round == 0 { residentBefore = try ProcessMemory.resident() }
    }
    report.measured("server-growth-mb", Double(try ProcessMemory.resident() - residentBefore) / 1_000_000)
    let tails = results.map { $0.map { Statistics.quantile(0.99, of: $0.milliseconds) } }
    for (index, (name, stubs, _)) in contenders.enumerated() {
      func add(_ what: String, _ unit: String, _ samples: [Double]) {
        report.add(.server, "64 connections, \(what)", name, stubs: stubs, unit: unit, samples)
      }
      add("time of a request", "µs", results[index].map { 1_000_000 / $0.rate })
      add("processor time", "µs", results[index].map(\.processorTime))
      add("p99", "ms", tails[index])
    }
    let processorTimes = zip(results[1], results[0]).map { $0.processorTime / $1.processorTime }
    report.measured("server-over-bare", Statistics.median(processorTimes))
    report.measured("server-p99-over-bare", Statistics.median(zip(tails[1], tails[0]).map { $0 / $1 }))
    report.measured("server-flatness", Statistics.median(zip(results[2], results[1]).map { $0.rate / $1.rate }))
    await one.stop()
    await several.stop()
  }

  private func server(stubCount: Int) async throws -> StubServer {
    let registry = StubRegistry()
    for number in 0..<stubCount {
      stub(condition: isPath("/stubs/\(number)"), response: .text(Self.body), in: registry)
    }
    return try await StubServer(registry: registry)
  }
}
