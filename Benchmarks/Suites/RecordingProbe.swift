import Foundation
import StubKitRecorder

/// A large download from a server on this machine, recorded or not, in a process of its own.
struct RecordingProbe {
  let isRecorded: Bool
  let megabytes: Int

  /// Returns the peaks of resident memory above the memory before, in MB: one at the end of the download, and one when
  /// the archive is written. Also returns the time of the download in ms.
  func measure() async throws -> [String: Double] {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("StubKitBenchmarks-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let server = try BodyServer(length: megabytes * 1_000_000)
    let small = try BodyServer(length: 1_000)
    // A first download creates everything that is created only once.
    _ = try await download(from: small, in: folder, as: "small")
    ProcessMemory.resetPeak()
    guard let before = ProcessMemory.resident else {
      throw Probe.Failure(description: "Resident memory is read from /proc, which this system does not have.")
    }
    let start = Double(Nanoseconds.now())
    let end = try await download(from: server, in: folder, as: "large")
    func above(_ peak: Int) -> Double { Double(peak - before) / 1_000_000 }
    return [
      "megabytes": above(end.peak), "written": above(ProcessMemory.peak ?? 0),
      "milliseconds": (end.time - start) / 1_000_000,
    ]
  }

  private typealias End = (peak: Int, time: Double)

  private func download(from server: BodyServer, in folder: URL, as name: String) async throws -> End {
    guard isRecorded else { return try await download(from: server) }
    let end = try await withRecording(Recording(name, in: folder, mode: .all)) { try await download(from: server) }
    let archive = try HTTPArchive(contentsOf: folder.appendingPathComponent("\(name).har"))
    guard archive.entries.count == 1, archive.entries[0].response?.status == 200 else {
      throw Probe.Failure(description: "The download was not recorded.")
    }
    return end
  }

  private func download(from server: BodyServer) async throws -> End {
    let configuration = URLSessionConfiguration.ephemeral
    HTTPStubs.setEnabled(isRecorded, for: configuration)
    let session = URLSession(configuration: configuration)
    let (file, _) = try await session.download(from: URL(string: "http://127.0.0.1:\(server.port)/")!)
    let end = (ProcessMemory.peak ?? 0, Double(Nanoseconds.now()))
    try FileManager.default.removeItem(at: file)
    session.finishTasksAndInvalidate()
    return end
  }
}
