import Foundation
import StubKit

/// One large body on its way to its receiver, in a process of its own.
struct BodyProbe {
  enum Source: String, CaseIterable { case memory, file }
  enum Receiver: String, CaseIterable { case handler, delegate }

  let contender: String
  let source: Source
  let receiver: Receiver
  let megabytes: Int

  init(contender: String, source: Source, receiver: Receiver, megabytes: Int) {
    self.contender = contender
    self.source = source
    self.receiver = receiver
    self.megabytes = megabytes
  }

  init?(_ words: some Collection<String>) {
    let words = Array(words)
    guard words.count == 4, let source = Source(rawValue: words[1]), let receiver = Receiver(rawValue: words[2]),
      let megabytes = Int(words[3])
    else { return nil }
    self.init(contender: words[0], source: source, receiver: receiver, megabytes: megabytes)
  }

  var text: String { "\(contender):\(source):\(receiver):\(megabytes)" }

  private var length: Int { megabytes * 1_000_000 }
  private static let piece = Data(repeating: 0x2E, count: 1_000_000)

  /// Returns the peak of resident memory above the memory before, in MB, and the time in ms.
  func measure() async throws -> [String: Double] {
    let file = try writtenFile()
    defer { file.map { try? FileManager.default.removeItem(at: $0) } }
    let body = file == nil ? Data(repeating: 0x2E, count: length) : nil
    let registry = StubRegistry()
    let large = file.map { fixture(filePath: $0.path) } ?? .data(body ?? Data())
    stub(condition: isPath("/large"), response: large, in: registry)
    stub(condition: isPath("/small"), response: .data(Self.piece.prefix(1_000)), in: registry)
    FloorProtocol.handler = { request in
      guard request.url?.path == "/large" else {
        return (FloorProtocol.response(to: request), Self.piece.prefix(1_000))
      }
      return (FloorProtocol.response(to: request), try file.map { try Data(contentsOf: $0) } ?? body ?? Data())
    }
    return try await withStubs(registry: registry) {
      _ = try await receive("/small")
      ProcessMemory.resetPeak()
      guard let before = ProcessMemory.resident else {
        throw Probe.Failure(description: "Resident memory is read from /proc, which this system does not have.")
      }
      let start = Nanoseconds.now()
      let received = try await receive("/large")
      let time = Nanoseconds.since(start)
      let peak = (ProcessMemory.peak ?? 0) - before
      // The receiver sums all bytes, so that it touches each of them.
      guard received.sum == length * 0x2E else {
        throw Probe.Failure(description: "The body that arrived is not the one that was sent.")
      }
      let taken = registry.journal.entries.count
      guard taken == (contender == "StubKit" ? 2 : 0) else {
        throw Probe.Failure(description: "StubKit took \(taken) requests of \(contender)'s.")
      }
      return [
        "megabytes": Double(peak) / 1_000_000, "milliseconds": time / 1_000_000, "pieces": Double(received.pieces),
      ]
    }
  }

  /// Writes the file piece by piece, so that the writing leaves no trace in the peak.
  private func writtenFile() throws -> URL? {
    guard source == .file else { return nil }
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("StubKitBenchmarks-\(UUID().uuidString)")
    guard FileManager.default.createFile(atPath: file.path, contents: nil) else {
      throw Probe.Failure(description: "No file can be made at \(file.path).")
    }
    let handle = try FileHandle(forWritingTo: file)
    for _ in 0..<megabytes { try handle.write(contentsOf: Self.piece) }
    try handle.close()
    return file
  }

  private func receive(_ path: String) async throws -> BodyReceiver.Received {
    let receiver = BodyReceiver()
    let session = session(delegate: self.receiver == .delegate ? receiver : nil)
    defer { session.finishTasksAndInvalidate() }
    return try await receiver.receive(Site.request(path), in: session)
  }

  private func session(delegate: BodyReceiver?) -> URLSession {
    let configuration = Requester.configuration(isCached: false)
    if contender == "floor" { Requester.leave(configuration, to: FloorProtocol.self) }
    return URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
  }
}
