import Foundation
import StubKit

/// The cost of the first stub of a process, which installs StubKit, beside that of the first task of a session. Each
/// sample is a process of its own.
extension Run {
  func measureFirstStub() throws {
    var (stubs, tasks): ([Double], [Double]) = ([], [])
    for _ in 0..<max(5, effort.processes * 4) {
      stubs += try Probe(name: "first-stub", number: 1).findings(1)
      tasks += try Probe(name: "first-task", number: 1).findings(1)
    }
    report.add(.first, "the first task of a session", "floor", stubs: 1, unit: "ms", tasks)
    report.add(.first, "the first stub of a process", "StubKit", stubs: 1, unit: "ms", stubs)
    report.measured("first-stub-over-first-task", Statistics.median(stubs) / Statistics.median(tasks))
  }

  /// Processor time, because other processes take longer turns than this takes.
  static func millisecondsOfFirstStub() -> Double {
    let start = Nanoseconds.now(CLOCK_PROCESS_CPUTIME_ID)
    stub(condition: isHost("a.example") && isPath("/first"), response: .text("first"))
    return Nanoseconds.since(start, by: CLOCK_PROCESS_CPUTIME_ID) / 1_000_000
  }

  /// A session with a bare URLProtocol, and a task from its beginning to its end. Nothing of StubKit's runs.
  static func millisecondsOfFirstTask() async throws -> Double {
    let start = Nanoseconds.now(CLOCK_PROCESS_CPUTIME_ID)
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [FloorProtocol.self]
    let data = try await URLSession(configuration: configuration).data(for: Site.request("/first")).0
    let time = Nanoseconds.since(start, by: CLOCK_PROCESS_CPUTIME_ID) / 1_000_000
    guard data == FloorProtocol.body else { throw Probe.Failure(description: "Another body than the floor's.") }
    return time
  }
}

/// The memory that a large body takes on its way to its receiver, besides the body if that is in memory.
extension Run {
  func measureBodies() throws {
    for (source, receiver) in [("memory", "memory"), ("file", "file")] {
      let probe = Probe(name: "body-\(source)-\(receiver)", number: effort.megabytes)
      let megabytes = try measureUntilKept {
        let megabytes = try probe.findings(effort.processes)
        return (megabytes, [Finding(promise: "body-\(source)-mb", value: Statistics.median(megabytes))])
      }
      report.add(
        .bodies, "\(effort.megabytes) MB, \(source) to \(receiver)", "StubKit", stubs: 1, unit: "MB", megabytes)
    }
  }

  /// Returns the peak of resident memory above the memory before, in MB.
  static func bodyMemory(inFile: Bool = false, megabytes: Int) async throws -> Double {
    let length = megabytes * 1_000_000
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("StubKitBenchmarks-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    let registry = StubRegistry()
    if inFile {
      // Written piece by piece, so that the writing leaves no trace in the peak.
      try Data().write(to: file)
      let handle = try FileHandle(forWritingTo: file)
      for _ in 0..<megabytes { try handle.write(contentsOf: Data(repeating: 0x2E, count: 1_000_000)) }
      try handle.close()
    }
    let large = inFile ? StubResponse.file(file) : .data(Data(repeating: 0x2E, count: length))
    stub(condition: isPath("/large"), response: large, in: registry)
    stub(condition: isPath("/small"), response: .data(Data(count: 1_000)), in: registry)
    return try await withStubs(in: registry) {
      guard try await receive("/small", inFile) == 1_000 else { throw Probe.Failure(description: "No small body.") }
      let (received, peak) = try await ProcessMemory.peak { try await receive("/large", inFile) }
      guard received == length else {
        throw Probe.Failure(description: "The body that arrived is not the one that was sent.")
      }
      return Double(peak) / 1_000_000
    }
  }

  private static func receive(_ path: String, _ toFile: Bool) async throws -> Int {
    let session = URLSession(configuration: Requester.configuration)
    defer { session.finishTasksAndInvalidate() }
    guard toFile else { return try await session.data(for: Site.request(path)).0.count }
    let file = try await session.download(for: Site.request(path)).0
    defer { try? FileManager.default.removeItem(at: file) }
    return try file.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
  }
}
