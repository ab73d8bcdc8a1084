import Foundation
import StubKit

/// The cost of the first stub of a process, which installs StubKit, and of the first request.
///
/// A bare URLProtocol shows which part of it is Foundation's own: the first use of URLSession reads the environment,
/// creates the shared cookie storage and cache, and starts libcurl. Each sample is a process of its own.
struct FirstStubSuite {
  let effort: Effort
  let report: Report

  func run() throws {
    var stubs: [String: [Double]] = [:]
    var requests: [String: [Double]] = [:]
    for _ in 0..<max(5, effort.processes * 4) {
      for contender in Contender.allCases {
        Terminal.progress("the first stub of \(contender.name)")
        let findings = try Probe.firstStub(contender).findings()
        stubs[contender.name, default: []].append(findings["stub"] ?? .nan)
        requests[contender.name, default: []].append(findings["request"] ?? .nan)
      }
    }
    for (part, samples) in [("the first stub of a process", stubs), ("the same with its request", requests)] {
      for contender in Contender.allCases {
        report.add(Suite.first.rawValue, part, contender.name, stubs: 1, unit: "ms", samples[contender.name] ?? [])
      }
    }
    report.measured("first-stub-ms", Statistics.median(stubs[Contender.stubKit.name] ?? []))
  }

  enum Contender: String, CaseIterable {
    case bare, stubKit

    var name: String { self == .bare ? "bare URLProtocol" : "StubKit" }

    /// Stubs a request in the shared session.
    func stubRequest() {
      switch self {
      case .bare:
        _ = URLProtocol.registerClass(FloorProtocol.self)
        _ = URLSession.shared
      case .stubKit: stub(condition: isHost("a.example") && isPath("/first"), response: .text("first"))
      }
    }

    /// Measures in the child process, where nothing has used StubKit or URLSession before. It measures processor time,
    /// because other processes take longer turns than this takes.
    func measure() async throws -> [String: Double] {
      let start = Nanoseconds.now(.processor)
      stubRequest()
      let stubbed = Nanoseconds.now(.processor)
      _ = try await URLSession.shared.data(from: URL(string: "http://a.example/first")!)
      let answered = Nanoseconds.now(.processor)
      return ["stub": Double(stubbed - start) / 1_000_000, "request": Double(answered - start) / 1_000_000]
    }
  }
}
