import Foundation
import StubKit

/// What stubs add to the resident memory of a process that does nothing else. They share one response, whose body is
/// therefore counted once; all else is counted.
struct StubsProbe {
  let count: Int

  func measure() throws -> [String: Double] {
    // The first ones bring in code and tables that have nothing to do with how many there are.
    _ = Style.path.registry(stubs: 1_000)
    let before = try resident()
    let registry = Style.path.registry(stubs: count)
    // An index may be built by the first search.
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
