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
    for _ in 0..<max(3, effort.processes * 2) {
      for (index, (_, stubs, port)) in contenders.enumerated() {
        let load = HTTPLoad(
          port: port, connectionCount: 64, target: { "/stubs/\(($0 &* 2_654_435_761) % stubs)" },
          lastByte: UInt8(ascii: "!"))
        results[index].append(try load.run(max(1_600, effort.blocks * effort.requestsPerBlock)))
      }
    }
    for (results, (name, stubs, _)) in zip(results, contenders) {
      report.add(.server, "64 connections", name, stubs: stubs, unit: "µs", results.map { 1_000_000 / $0.rate })
    }
    let processorTimes = zip(results[1], results[0]).map { $0.processorTime / $1.processorTime }
    report.measured("server-over-bare", Statistics.median(processorTimes))
    report.measured("server-flatness", Statistics.median(zip(results[2], results[1]).map { $0.rate / $1.rate }))
    await one.stop()
    await several.stop()
  }

  private func server(stubCount: Int) async throws -> StubServer {
    let registry = StubRegistry()
    for number in 0..<stubCount {
      stub(condition: isPath("/stubs/\(number)"), response: .text(Self.body), times: .manyRequests, in: registry)
    }
    return try await StubServer(in: registry)
  }
}
