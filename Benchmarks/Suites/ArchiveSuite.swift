import Foundation
import StubKitRecorder

/// HTTP Archives: the speed of reading them, the memory that reading and recording take, and the cost of a request that
/// one answers.
extension Run {
  func measureArchives() async throws {
    measureReading()
    let read = try Probe(name: "archive", number: effort.megabytes).findings(effort.processes)
    report.add(
      .archives, "resident while a file of \(effort.megabytes) MB is read, over its length", "StubKit",
      stubs: ArchiveSample.count(effort.megabytes), unit: "×", read)
    report.measured("archive-memory", Statistics.median(read))
    try await measureReplaying()
    // A recording keeps at most 64 MB of a body.
    let megabytes = min(effort.megabytes, 60)
    let peaks = try ["download", "recorded-download"].map { name in
      let peaks = try Probe(name: name, number: megabytes).findings(effort.processes)
      report.add(.archives, "a download of \(megabytes) MB", name, stubs: 0, unit: "MB", peaks)
      return Statistics.median(peaks)
    }
    report.measured("recording-download", (peaks[1] - peaks[0]) / Double(megabytes))
  }

  private func measureReading() {
    let archive = ArchiveSample.archive(megabytes: effort.megabytes / 4)
    let data = archive.data
    let read = Contender(name: "StubKit", stubs: archive.entries.count) { count in
      (0..<count).count { _ in (try? HTTPArchive(data).entries.count) == archive.entries.count }
    }
    // The least that any reader costs that makes a tree of the file.
    let tree = Contender(name: "JSONSerialization", stubs: archive.entries.count) { count in
      (0..<count).count { _ in (try? JSONSerialization.jsonObject(with: data)) != nil }
    }
    let reading = Comparison([read, tree], effort: effort, by: CLOCK_PROCESS_CPUTIME_ID)
    report.add(.archives, "reading, \(data.count / 1_000_000) MB", reading)
    report.measured("archive-read-over-foundation", reading.ratio(0, over: 1))
  }

  /// Measures one request again and again. An archive of 10,000 entries answers it, and in turn a single handwritten
  /// stub.
  private func measureReplaying() async throws {
    let count = 10_000
    let request = Site.request("/items/\(count / 2)?page=7&sort=name")
    let headers = Style.responseHeaders.map { (name: $0.key, value: $0.value) }
    let single = StubRegistry()
    stub(
      condition: isURL(request.url!), response: .data(Requester.stubKitBody, headers: Style.responseHeaders), in: single
    )
    let entries = (0..<count).map { number in
      HTTPArchive.Entry(
        request: Site.request("/items/\(number)?page=7&sort=name"),
        response: .init(headers: .init(headers), body: Requester.stubKitBody))
    }
    let replayed = StubRegistry()
    replay(HTTPArchive(entries: entries), in: replayed)
    let blocks = try await Blocks(
      [.stubKit(single, name: "one stub"), .stubKit(replayed, name: "replayed")], effort,
      rounds: effort.requestsPerBlock
    ) { try await $0.perform(request) }
    report.add(.archives, "a request", blocks, stubs: count)
    report.measured("replay-over-one-stub", blocks.ratio("replayed", over: "one stub"))
  }

  /// The peak of resident memory while a large file is read, over its length.
  static func readingMemory(megabytes: Int) async throws -> Double {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(
      "StubKitBenchmarks-\(UUID().uuidString).har")
    defer { try? FileManager.default.removeItem(at: file) }
    try ArchiveSample.archive(megabytes: megabytes).write(to: file)
    let length = try Data(contentsOf: file, options: .mappedIfSafe).count
    let (archive, peak) = try await ProcessMemory.peak { try HTTPArchive(contentsOf: file) }
    guard archive.entries.count == ArchiveSample.count(megabytes) else {
      throw Probe.Failure(description: "The archive that was read is not the one that was written.")
    }
    return Double(peak) / Double(length)
  }

  /// The peak of resident memory at the end of a large download from a server on this machine, above that before, in
  /// MB.
  static func downloadMemory(isRecorded: Bool, megabytes: Int) async throws -> Double {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("StubKitBenchmarks-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let server = try BareServer(body: String(repeating: ".", count: megabytes * 1_000_000))
    let small = try BareServer(body: ".")
    func download(from server: BareServer, as name: String) async throws -> Int {
      guard isRecorded else { return try await peak(of: server) }
      let peak = try await withRecording(Recording(name, in: folder, mode: .all)) { try await peak(of: server) }
      let archive = try HTTPArchive(contentsOf: folder.appendingPathComponent("\(name).har"))
      guard archive.entries.map(\.response?.status) == [200] else {
        throw Probe.Failure(description: "The download was not recorded.")
      }
      return peak
    }
    func peak(of server: BareServer) async throws -> Int {
      let configuration = URLSessionConfiguration.ephemeral
      HTTPStubs.setEnabled(isRecorded, for: configuration)
      let session = URLSession(configuration: configuration)
      defer { session.finishTasksAndInvalidate() }
      let (file, peak) = try await ProcessMemory.peak {
        try await session.download(from: URL(string: "http://127.0.0.1:\(server.port)/")!).0
      }
      try FileManager.default.removeItem(at: file)
      return peak
    }
    // A first download creates everything that is created only once.
    _ = try await download(from: small, as: "small")
    return Double(try await download(from: server, as: "large")) / 1_000_000
  }
}

/// An archive as a browser saves one: entries with twenty headers, and bodies of JSON.
enum ArchiveSample {
  /// A hundred entries for each megabyte.
  static func count(_ megabytes: Int) -> Int { megabytes * 100 }

  static func archive(megabytes: Int) -> HTTPArchive { HTTPArchive(entries: (0..<count(megabytes)).map(entry)) }

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
