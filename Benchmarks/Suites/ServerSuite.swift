import Foundation
import StubKitServer

/// A server of stubs under load: 64 connections that stay, and answers of 200 bytes, beside a bare server of dispatch
/// sources, and beside nginx where it is installed. The client has one thread of the same process.
struct ServerSuite {
  let effort: Effort
  let report: Report

  private static let connectionCount = 64
  private static let body = String(repeating: "x", count: 200)

  func run() async throws {
    let count = effort.blocks * effort.requestsPerBlock * 4
    let many = 10_000
    var rates: [String: [Double]] = [:]
    var processorTimes: [String: [Double]] = [:]
    var latencies: [String: [Double]] = [:]
    let bare = try BareServer(body: Self.body)
    defer { bare.stop() }
    let nginx = try NginxServer(body: Self.body)
    defer { nginx?.stop() }
    let one = try await server(stubCount: 1)
    let several = try await server(stubCount: many)
    var contenders: [(name: String, stubs: Int, port: Int)] = [
      ("bare server", 1, bare.port), ("StubServer", 1, one.port), ("StubServer", many, several.port),
    ]
    if let nginx { contenders.append(("nginx", 1, nginx.port)) }
    var residentBefore: Int?
    for round in 0..<max(3, effort.processes * 2) {
      for (name, stubs, port) in contenders {
        Terminal.progress("\(name), \(stubs) stubs, round \(round + 1)")
        let load = HTTPLoad(port: port, connectionCount: Self.connectionCount) { number in
          "/stubs/\((number &* 2_654_435_761) % stubs)"
        }
        let result = try load.run(count)
        let key = "\(name) \(stubs)"
        rates[key, default: []].append(result.rate)
        processorTimes[key, default: []].append(result.processorTime)
        latencies[key, default: []].append(Statistics.quantile(0.99, ofSorted: result.milliseconds))
      }
      // The first round creates everything that is created only once, and fills the journals.
      if round == 0 { residentBefore = ProcessMemory.resident }
    }
    for (name, stubs, _) in contenders {
      let key = "\(name) \(stubs)"
      report.add(
        Suite.server.rawValue, "64 connections, time of a request", name, stubs: stubs, unit: "µs",
        (rates[key] ?? []).map { 1_000_000 / $0 })
      // nginx is a process of its own.
      if name != "nginx" {
        report.add(
          Suite.server.rawValue, "64 connections, processor time", name, stubs: stubs, unit: "µs",
          processorTimes[key] ?? [])
      }
      report.add(Suite.server.rawValue, "64 connections, p99", name, stubs: stubs, unit: "ms", latencies[key] ?? [])
    }
    func ratio(_ key: String, over other: String, of values: [String: [Double]]) -> Double {
      Statistics.median(zip(values[key] ?? [], values[other] ?? []).map { $0 / $1 })
    }
    if let before = residentBefore, let after = ProcessMemory.resident {
      report.measured("server-growth-mb", Double(after - before) / 1_000_000)
    }
    report.measured("server-over-bare", ratio("StubServer 1", over: "bare server 1", of: processorTimes))
    report.measured("server-p99-ms", Statistics.median(latencies["StubServer 1"] ?? []))
    report.measured("server-flatness", ratio("StubServer \(many)", over: "StubServer 1", of: rates))
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
