import Foundation
import TestSupport
import Testing

@testable import StubKit
@testable import StubKitArchive
@testable import StubKitRecorder

@Suite("The report of unused entries", .inTurn)
struct UnusedEntriesTests {
  private let folder: RecordingFolder

  init() throws { folder = try RecordingFolder() }

  private var report: URL { folder.url.appendingPathComponent("reports/unused.jsonl") }

  private struct Wrong: Error {}

  @Test("has a line for each recording that was played")
  func lines() async throws {
    try folder.write(entry("http://a.example/1"), entry("http://a.example/2"), entry("http://a.example/1"))
    try await folder.with(["STUBKIT_UNUSED": report.path]) {
      try await withRecording(folder.recording()) { _ = try await URLSession.shared.fetch("http://a.example/1") }
      try? withRecording(folder.recording()) { throw Wrong() }
      try withRecording(folder.recording("new", .once)) { answerFromNetwork("http://a.example/", "a") }
    }
    let path = folder.file().standardizedFileURL.path
    #expect(
      try String(contentsOf: report, encoding: .utf8) == """
        {"complete":true,"entries":3,"recording":"\(path)","unused":[2,3]}
        {"complete":false,"entries":3,"recording":"\(path)","unused":[1,2,3]}

        """)
    #expect(
      try UnusedEntries.read(report) == [
        UnusedEntries(recording: path, entries: 3, unused: [2, 3], complete: true),
        UnusedEntries(recording: path, entries: 3, unused: [1, 2, 3], complete: false),
      ])
  }

  @Test("has whole lines, whoever writes at the same time")
  func concurrent() async throws {
    let report = report
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<64 {
        group.addTask {
          let line = UnusedEntries(recording: "\(number)", entries: 9, unused: Array(0..<number * 40), complete: true)
          #expect(throws: Never.self) { try line.append(to: report) }
        }
      }
    }
    let lines = try UnusedEntries.read(report)
    #expect(Set(lines.map(\.recording)).count == 64 && lines.allSatisfy { $0.unused.count == Int($0.recording)! * 40 })
  }

  @Test("leaves out a line that was cut off")
  func cutOff() throws {
    let file = folder.url.appendingPathComponent("unused")
    try Data("{\"complete\":true,\"entries\":1,\"recording\":\"a\",\"unused\":[1]}\n{\"comp".utf8).write(to: file)
    #expect(try UnusedEntries.read(file).map(\.recording) == ["a"])
  }

  @Test("tells which entries can go: those that no test asked for")
  func removable() {
    func line(_ recording: String, _ entries: Int, _ unused: [Int], _ complete: Bool = true) -> UnusedEntries {
      UnusedEntries(recording: recording, entries: entries, unused: unused, complete: complete)
    }
    let lines = [
      line("shared", 5, [2, 4, 5]), line("shared", 5, [1, 5, 4]), line("used", 2, [1]), line("used", 2, [2]),
      line("broken", 2, [1]), line("broken", 2, [1], false), line("changed", 2, [1]), line("changed", 3, [1]),
    ]
    #expect(UnusedEntries.removable(in: lines) == ["shared": [4, 5]])
  }
}
