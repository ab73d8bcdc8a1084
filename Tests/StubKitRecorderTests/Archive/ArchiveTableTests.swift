import Foundation
import StubKitRecorder
import TestSupport
import Testing

@Suite("The table of an archive", .inTurn)
struct ArchiveTableTests {
  private let start = Date(timeIntervalSince1970: 1_700_000_000)

  private func entry(
    _ method: String, _ address: String, _ response: HTTPArchive.Response?, at begin: Double, head: Int?, end: Int
  ) -> HTTPArchive.Entry {
    HTTPArchive.Entry(
      request: request(address, method: method), response: response, startedAt: start.addingTimeInterval(begin),
      duration: .milliseconds(end),
      timeToResponse: head.map { .milliseconds($0) })
  }

  private var archive: HTTPArchive {
    var failed = entry("GET", "https://api.example.com/slow", nil, at: 0.5, head: nil, end: 500)
    failed.error = URLError(.timedOut, userInfo: [NSLocalizedDescriptionKey: "It took too long."])
    var lost = entry("GET", "https://api.example.com/film", .init(status: 200), at: 0.9, head: 50, end: 100)
    lost.statedObstacle = "has no content"
    return HTTPArchive(
      entry("GET", "https://api.example.com/config", .init(body: Data(count: 1_234)), at: 0, head: 250, end: 500),
      entry("POST", "https://api.example.com/login?next=/a", .init(status: 201), at: 0.5, head: 250, end: 250),
      failed, lost,
      entry(
        "GET", "https://api.example.com/logo", .init(status: 304, body: Data(count: 9)), at: 0.9, head: 0, end: 100))
  }

  @Test("has a line for each entry, with a bar on one axis of time")
  func lines() {
    #expect(
      ArchiveTable(archive).lines == [
        "#  method   status  https://api.example.com      size     time",
        "1  GET      200     /config                    1.2 KB   500 ms  ░░░░████",
        "2  POST     201     /login?next=/a                0 B   250 ms          ░░░█",
        "3  GET      –       /slow                           –   500 ms          ░░░░░░░█",
        "   failed: It took too long.",
        "4  GET      200     /film                         0 B   100 ms               ░█",
        "   has no content",
        "5  GET      304     /logo                         9 B   100 ms               ██",
        "   has the content of a cache, which goes out as 200 without If-None-Match",
      ])
    #expect(ArchiveTable(archive).summary == "5 entries of 1 host, 1.2 KB, 1.00 s")
  }

  @Test("fits the terminal, whatever is in it")
  func width() {
    let long = String(repeating: "segment/", count: 40)
    var entries = archive.entries
    entries.append(
      entry("PROPPATCH-ALL", "https://cdn.example.com/\(long)", .init(status: 503), at: 2, head: 0, end: 900_000))
    entries += (1...120).map { entry("GET", "http://a.example/\($0)", .init(), at: Double($0), head: 1, end: 2) }
    entries[5].error = URLError(.unknown, userInfo: [NSLocalizedDescriptionKey: long])
    for columns in [72, 80, 160] {
      let lines = ArchiveTable(HTTPArchive(entries: entries), width: columns).lines
      // A head, the entries, and what is noted of four of them.
      #expect(lines.count == 1 + entries.count + 4, "\(columns)")
      #expect(lines.allSatisfy { $0.count <= columns }, "\(columns)")
      // Of different origins each URL shows its own.
      #expect(lines[1].contains("http"), "\(columns)")
    }
  }

  @Test("is empty for an empty archive, and writes times and sizes in few columns")
  func empty() {
    #expect(ArchiveTable(HTTPArchive()).lines.count == 1)
    #expect(ArchiveTable(HTTPArchive()).summary == "0 entries of 0 hosts, 0 B, 0 ms")
    let durations: [Duration] = [
      .milliseconds(1), .microseconds(999_400), .microseconds(999_600), .seconds(99), .seconds(270),
    ]
    #expect(durations.map(\.inShort) == ["1 ms", "999 ms", "1.00 s", "99.00 s", "4.5 min"])
    let sizes = [0, 999, 1_000, 999_949, 999_950, 4_200_000_000]
    #expect(sizes.map(\.asByteCount) == ["0 B", "999 B", "1.0 KB", "999.9 KB", "1.0 MB", "4.2 GB"])
  }
}
