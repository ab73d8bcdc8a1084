import Foundation
import StubKit

/// The resident memory that stubs add to a process that does nothing else. They share one response, so its body counts
/// once. Everything else counts fully.
struct StubsProbe {
  let count: Int

  func measure() throws -> [String: Double] {
    // The first stubs bring in code and tables that don't depend on the number of stubs.
    _ = Style.path.registry(stubs: 1_000)
    let before = try resident()
    let registry = Style.path.registry(stubs: count)
    // The first search may build an index.
    guard registry.stub(matching: Style.path.request(count - 1)) != nil else {
      throw Probe.Failure(description: "The newest of \(count) stubs does not match.")
    }
    let bytes = try resident() - before
    return ["bytes": Double(bytes) / Double(count), "response": Double(MemoryLayout<StubResponse>.stride)]
  }

  private func resident() throws -> Int {
    guard let bytes = ProcessMemory.resident else {
      throw Probe.Failure(description: "Resident memory is read from /proc, which this system does not have.")
    }
    return bytes
  }
}
