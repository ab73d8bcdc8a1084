import Foundation
import StubKit

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A large download from a server on this machine, recorded or not, in a process of its own.
struct RecordingProbe {
  enum Way: String, CaseIterable {
    case plain
    case recorded
    /// With the redactions that are the default, which look at all of a body.
    case redacted

    var name: String { self == .plain ? "not recorded" : self == .recorded ? "recorded" : "recorded and redacted" }
  }

  let way: Way
  let megabytes: Int

  /// The peak of resident memory above what was resident before, in MB, and the time in ms.
  func measure() async throws -> [String: Double] {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("StubKitBenchmarks-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let server = try BodyServer(length: megabytes * 1_000_000)
    let small = try BodyServer(length: 1_000)
    // What is there once and for all is there before.
    try await download(from: small, in: folder, as: "small")
    ProcessMemory.resetPeak()
    guard let before = ProcessMemory.resident else {
      throw Probe.Failure(description: "Resident memory is read from /proc, which this system does not have.")
    }
    let start = Nanoseconds.now()
    try await download(from: server, in: folder, as: "large")
    let time = Nanoseconds.since(start)
    return [
      "megabytes": Double((ProcessMemory.peak ?? 0) - before) / 1_000_000, "milliseconds": time / 1_000_000,
    ]
  }

  private func download(from server: BodyServer, in folder: URL, as name: String) async throws {
    guard way != .plain else { return try await download(from: server) }
    let recording = Recording(name, in: folder, mode: .all, redacting: way == .redacted ? .standard : [])
    try await withRecording(recording) { try await download(from: server) }
    let archive = try HTTPArchive(contentsOf: folder.appendingPathComponent("\(name).har"))
    guard archive.entries.count == 1, archive.entries[0].response?.status == 200 else {
      throw Probe.Failure(description: "The download was not recorded.")
    }
  }

  private func download(from server: BodyServer) async throws {
    let configuration = URLSessionConfiguration.ephemeral
    HTTPStubs.setEnabled(way != .plain, for: configuration)
    let session = URLSession(configuration: configuration)
    let (file, _) = try await session.download(from: URL(string: "http://127.0.0.1:\(server.port)/")!)
    try FileManager.default.removeItem(at: file)
    session.finishTasksAndInvalidate()
  }
}
