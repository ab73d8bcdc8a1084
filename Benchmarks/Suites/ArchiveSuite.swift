import Foundation
import StubKitRecorder

/// HTTP Archives: the speed of reading and writing them, the memory that they take, and the cost of a request that one
/// answers.
struct ArchiveSuite {
  let effort: Effort
  let report: Report

  func run() async throws {
    try measureReadingAndWriting()
    try measureMemory()
    try await measureReplaying()
    try measureRecording()
  }

  private func measureReadingAndWriting() throws {
    Terminal.progress("archives: reading and writing")
    let archive = ArchiveSample.archive(megabytes: effort.megabytes / 4)
    let data = archive.data
    let read = Contender(name: "StubKit", stubs: archive.entries.count) { count in
      (0..<count).count { _ in (try? HTTPArchive(data).entries.count) == archive.entries.count }
    }
    // The least that any reader costs that makes a tree of the file.
    let tree = Contender(name: "JSONSerialization", stubs: archive.entries.count) { count in
      (0..<count).count { _ in (try? JSONSerialization.jsonObject(with: data)) != nil }
    }
    let reading = Comparison([read, tree], effort: effort, by: .processor)
    add("reading", reading, of: data)
    report.measured("archive-read-over-foundation", reading.ratio(0, over: 1))
    let write = Contender(name: "StubKit", stubs: archive.entries.count) { count in
      (0..<count).count { _ in archive.data.count == data.count }
    }
    add("writing", Comparison([write], effort: effort, by: .processor), of: data)
  }

  private func add(_ name: String, _ comparison: Comparison, of data: Data) {
    for (index, contender) in comparison.contenders.enumerated() {
      // Bytes per nanosecond are gigabytes per second.
      let speeds = comparison.samples(index).map { Double(data.count) / $0 * 1_000 }
      report.add(
        Suite.archives.rawValue, "\(name), \(data.count / 1_000_000) MB", contender.name, stubs: contender.stubs,
        unit: "MB/s", speeds)
    }
  }

  private func measureMemory() throws {
    Terminal.progress("archives: memory")
    let findings = try (0..<effort.processes).map { _ in try Probe.archive(megabytes: effort.megabytes).findings() }
    for (key, unit) in [("megabytes", "MB"), ("seconds", "s")] {
      let samples = findings.map { $0[key] ?? .nan }
      report.add(
        Suite.archives.rawValue, "a file of \(effort.megabytes) MB", "StubKit",
        stubs: ArchiveSample.count(effort.megabytes),
        unit: unit, samples)
    }
    report.measured("archive-memory", Statistics.median(findings.map { $0["ratio"] ?? .nan }))
  }
}

/// An archive as a browser saves one: entries with twenty headers, and bodies of JSON.
enum ArchiveSample {
  /// A hundred entries for each megabyte.
  static func count(_ megabytes: Int) -> Int { megabytes * 100 }

  static func archive(megabytes: Int) -> HTTPArchive {
    HTTPArchive(entries: (0..<count(megabytes)).map(entry))
  }

  static func entry(_ number: Int) -> HTTPArchive.Entry {
    var request = Site.request("/items/\(number)?page=\(number % 50)&sort=name&filter=%7Bactive%7D")
    request.allHTTPHeaderFields = Dictionary(
      uniqueKeysWithValues: (0..<10).map { ("X-Request-\($0)", "the value of a header, \(number)-\($0)") })
    var headers: HTTPArchive.Headers = ["Content-Type": "application/json; charset=utf-8"]
    for index in 0..<10 { headers.append("X-Response-\(index)", "max-age=\(number * index), must-revalidate") }
    return HTTPArchive.Entry(
      request: request, response: .init(headers: headers, body: body(number)),
      startedAt: Date(timeIntervalSince1970: 1_700_000_000 + Double(number)), duration: .milliseconds(20 + number % 80),
      timeToResponse: .milliseconds(10))
  }

  /// About 6,000 bytes, some of them not ASCII.
  private static func body(_ number: Int) -> Data {
    let items = (0..<58).map { index in
      #"{"id": \#(number * 100 + index), "name": "Zoë \#(index) \"the\" naïve", "tags": ["a/b", "c\\d"], "price": \#(index).5}"#
    }
    return Data("[\n  \(items.joined(separator: ",\n  "))\n]\n".utf8)
  }
}

/// Reading a large file, in a process of its own.
struct ArchiveProbe {
  let megabytes: Int

  func measure() throws -> [String: Double] {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(
      "StubKitBenchmarks-\(UUID().uuidString).har")
    defer { try? FileManager.default.removeItem(at: file) }
    let length = try Self.write(megabytes, to: file)
    ProcessMemory.resetPeak()
    guard let before = ProcessMemory.resident else {
      throw Probe.Failure(description: "Resident memory is read from /proc, which this system does not have.")
    }
    let start = Nanoseconds.now()
    let archive = try HTTPArchive(contentsOf: file)
    let time = Nanoseconds.since(start)
    let peak = Double((ProcessMemory.peak ?? 0) - before)
    guard archive.entries.count == ArchiveSample.count(megabytes) else {
      throw Probe.Failure(description: "The archive that was read is not the one that was written.")
    }
    return ["megabytes": peak / 1_000_000, "ratio": peak / Double(length), "seconds": time / 1_000_000_000]
  }

  /// Runs in a scope of its own, so that the writing leaves little in memory.
  private static func write(_ megabytes: Int, to file: URL) throws -> Int {
    try ArchiveSample.archive(megabytes: megabytes).write(to: file)
    return try Data(contentsOf: file, options: .mappedIfSafe).count
  }
}
