import Foundation
import TestSupport
import Testing

@testable import StubKitRecorder

@Suite("A recording that expires", .inTurn)
struct RecordingAgeTests {
  private let folder: RecordingFolder

  init() throws { folder = try RecordingFolder() }

  private static let now = Date(timeIntervalSince1970: 1_800_000_000)

  /// An entry that began so many days before now.
  private static func entry(days: Double) -> HTTPArchive.Entry {
    var entry = StubKitRecorderTests.entry("http://a.example/", "old")
    entry.startedAt = now.addingTimeInterval(-days * 86_400)
    return entry
  }

  private func surroundings(_ environment: [String: String] = [:]) -> RecordingSurroundings {
    var surroundings = folder.surroundings(environment)
    surroundings.now = { Self.now }
    return surroundings
  }

  private func use(_ mode: RecordingMode, drift: String? = nil) async throws {
    let recording = Recording("users", in: folder.url, mode: mode, expires: .days(90))
    let environment = ["STUBKIT_DRIFT": drift].compactMapValues(\.self)
    try await RecordingSurroundings.$current.withValue(surroundings(environment)) {
      try await withRecording(recording) {
        if [.replay, .once, .newEpisodes].contains(mode) {
          // It is played all the same.
          let text = try await URLSession.patient.fetch("http://a.example/").text
          #expect(text == "old")
        } else {
          answerFromNetwork("http://a.example/", "old")
        }
      }
    }
  }

  private static func sentence(_ age: String, filter: String) -> String {
    "The recording \"users\" is \(age) old, and expires: .days(90) allows 90. It is played all the same. To record it "
      + "again: STUBKIT_RECORD=all swift test --filter \(filter)"
  }

  @Test("is told once a run, and played all the same", arguments: [RecordingMode.replay, .once, .newEpisodes])
  func told(mode: RecordingMode) async throws {
    try folder.write(Self.entry(days: 400), Self.entry(days: 91.5), Self.entry(days: 120))
    for _ in 1...3 { try await use(mode) }
    #expect(folder.said == [Self.sentence("91 days", filter: "use")])
  }

  @Test(
    "is not told of before its time, or if nobody knows the starts of its entries", arguments: [0.0, 1, 89.9, 90, -3])
  func good(days: Double) async throws {
    try folder.write(Self.entry(days: 400), Self.entry(days: days))
    for mode in [RecordingMode.replay, .check] { try await use(mode) }
    #expect(folder.said.filter { $0.contains("old, and expires") } == [])
    // No date in the file: it can be of yesterday.
    let text = try String(contentsOf: folder.file(), encoding: .utf8)
    let undated = text.replacing(/"startedDateTime"\s*:\s*"[^"]*"/, with: #""startedDateTime": "long ago""#)
    try Data(undated.utf8).write(to: folder.file())
    try await use(.replay)
    #expect(folder.said.filter { $0.contains("old, and expires") } == [])
  }

  @Test("ends at one moment, in whichever time zone the date is written", arguments: ["Z", "+14:00", "-12:00"])
  func zones(zone: String) async throws {
    try folder.write(Self.entry(days: 90))
    let text = try String(contentsOf: folder.file(), encoding: .utf8)
    let offset = ["Z": 0, "+14:00": 14 * 3_600, "-12:00": -12 * 3_600][zone] ?? 0
    let style = Date.ISO8601FormatStyle(timeZone: .gmt)
    for (moment, isOld) in [(0.0, false), (-1, true)] {
      // The clock of that zone shows so much later, or earlier.
      let local = Self.now.addingTimeInterval(-90 * 86_400 + moment + Double(offset))
      let date = style.format(local).replacing("Z", with: zone)
      let dated = text.replacing(/"startedDateTime"\s*:\s*"[^"]*"/, with: "\"startedDateTime\": \"\(date)\"")
      try Data(dated.utf8).write(to: folder.file())
      let archive = try HTTPArchive(contentsOf: folder.file())
      #expect((archive.age(beyond: .days(90), at: Self.now) != nil) == isOld, "\(date)")
    }
  }

  @Test("fails its test in the mode check, after what has changed", arguments: [nil, "warn", "fail"])
  func check(drift: String?) async throws {
    try folder.write(Self.entry(days: 91))
    let error = await #expect(throws: RecordingError.self) { try await use(.check, drift: drift) }
    #expect(error?.reason == .outdated)
    #expect(error?.description == Self.sentence("91 days", filter: "use"))
    #expect(folder.said == [])
  }

  @Test("is not asked for its age where it isn't read", arguments: [RecordingMode.all, .live])
  func unread(mode: RecordingMode) async throws {
    try folder.write(Self.entry(days: 400))
    try await use(mode)
    #expect(folder.said.filter { $0.contains("old, and expires") } == [])
  }
}
