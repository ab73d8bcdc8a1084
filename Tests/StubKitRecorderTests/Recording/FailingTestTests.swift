import Foundation
import StubKitRecorder
import StubKitRecording
import TestSupport
import Testing
import XCTest

/// What a test fails by, whatever fails last.
enum Failing: String, CaseIterable, Sendable {
  // What the test itself says.
  case issue, error, call
  // What comes after its last line, in Swift Testing and in XCTest.
  case task, release, teardown, timeLimit, late
  // What the end of the scope finds.
  case mistake, unused, unmatched, openCall

  /// That of the same name.
  var finding: LateFinding? { LateFinding.allCases.first { "\($0)" == rawValue } }

  struct Failed: Error {}

  /// An object whose end fails the test.
  final class Released {
    let fail: () -> Void
    init(_ fail: @escaping () -> Void) { self.fail = fail }
    deinit { fail() }
  }
}

/// The recording of a test that fails: its mode, the texts of its file, and those that are kept aside.
private struct FailingUse {
  typealias Row = (mode: RecordingMode, before: String?, aside: [String])

  static let all: [Row] = [
    (.all, "old", ["new"]), (.newEpisodes, "old", ["old", "new"]), (.once, nil, ["new"]),
  ]

  let folder: RecordingFolder
  private let row: Row
  private let bytes: Data?

  init(_ row: Row) throws {
    (self.row, folder) = (row, try RecordingFolder())
    if let before = row.before { try folder.write(entry("http://a.example/old", before)) }
    bytes = try? Data(contentsOf: folder.file())
  }

  var recording: Recording { folder.recording("users", row.mode) }

  /// A part of the test.
  func record() throws { try withRecording(recording) { answerFromNetwork("new") } }

  /// What is wrong after the test: it should have failed, for what it finds, and should tell no secret.
  func problems(_ failures: [String], _ finding: LateFinding?) -> [String] {
    var problems = (failures + folder.said).filter { $0.contains(LateFinding.secret) }
    if !failures.contains(where: { finding == nil || $0.contains(finding!.rawValue) }) {
      problems.append("\(row.mode): fails for \(failures)")
    }
    if (try? Data(contentsOf: folder.file())) != bytes { problems.append("\(row.mode): other bytes") }
    let aside = try? folder.texts(in: folder.file().appendingPathExtension("failed"))
    if aside != row.aside { problems.append("\(row.mode): \(aside ?? []) aside") }
    return problems
  }
}

@Suite("A test that fails, whatever fails last, leaves its recording byte for byte", .inTurn)
struct FailingTestTests {
  /// What records: the trait of the test, beside `.stubbed` or not, or a part of the test, which ended well.
  private enum Door: CaseIterable { case trait, traits, function }

  @Test("in Swift Testing", arguments: Failing.allCases)
  func swiftTesting(failing: Failing) async throws {
    let test = try #require(Test.current)
    for row in FailingUse.all {
      for door in Door.allCases {
        let use = try FailingUse(row)
        let recorded: RecordedTrait = .recorded("users", in: use.folder.url, mode: row.mode)
        let stubbed: StubbedTrait = .stubbed(reportUnused: true)
        guard failing != .timeLimit else {
          await runIntoTimeLimit(use, door)
          #expect(use.problems(["the time limit"], nil) == [], "\(row.mode), \(door)")
          continue
        }
        let (_, issues) = await takingIssues {
          try await use.folder.with {
            if door == .trait, failing.finding == nil {
              return try await recorded.provideScope(for: test, testCase: nil) { try await run(failing) }
            }
            try await stubbed.provideScope(for: test, testCase: nil) {
              if door != .function {
                return try await recorded.provideScope(for: test, testCase: nil) { try await run(failing) }
              }
              try use.record()
              try await run(failing)
            }
          }
        }
        #expect(use.problems(issues.map(\.text), failing.finding) == [], "\(row.mode), \(door)")
      }
    }
  }

  private func run(_ failing: Failing) async throws {
    if let finding = failing.finding { return try await finding.ask() }
    answerFromNetwork("new")
    switch failing {
    case .issue: Issue.record("wrong")
    case .error: throw Failing.Failed()
    case .call: expectCalls(to: isPath("/never"))
    case .task: await Task { _ = Issue.record("wrong") }.value
    case .release: _ = Failing.Released { Issue.record("wrong") }
    case .late:
      // The test waits for it after its last line. No test is known in a handler on a queue.
      async let _: Void = fail()
    default:
      // As a trait inside of the scope does.
      try await withStubs { try await URLSession.shared.fetch("http://a.example/never") }
    }
  }

  private func fail() async { Issue.record("wrong") }

  /// The framework records the issue of a time limit outside of the test, and cancels its task.
  private func runIntoTimeLimit(_ use: FailingUse, _ door: Door) async {
    let recording = use.recording
    let begin: TestScope.PendingUse = {
      try RecordingUse(recording, in: $0, at: recording.location, filter: nil, isOfTest: true)
    }
    await use.folder.with {
      await Task {
        await TestScope.$pendingUse.withValue(door == .function ? nil : begin) {
          _ = await TestScope(.enclosing, timeLimit: .zero).run {
            if door == .function { try use.record() } else { answerFromNetwork("new") }
            withUnsafeCurrentTask { $0?.cancel() }
          }
        }
      }.value
    }
  }
}

#if os(Linux)
  final class FailingTestTestCase: XCTestCase {
    func testLeavesItsRecordingByteForByteInXCTest() throws {
      for failing in Failing.allCases {
        for (row, isPart) in FailingUse.all.flatMap({ [($0, false), ($0, true)] }) {
          let use = try FailingUse(row)
          let failures = RecordingSurroundings.$current.withValue(use.folder.surroundings()) {
            failuresInXCTest {
              let test = FailingCase(name: "fails") { test in
                if isPart { try use.record() }
                try (test as? FailingCase)?.run(failing)
              }
              (test.used, test.failsInTearDown) = (isPart ? nil : use.recording, failing == .teardown)
              test.run()
            }
          }
          for problem in use.problems(failures, failing.finding) {
            // XCTest has no current test after the one inside.
            recordFailure(
              withDescription: "\(failing), \(row.mode), in a part: \(isPart): \(problem) \(use.folder.said)",
              inFile: #filePath, atLine: #line, expected: true)
          }
        }
      }
    }
  }

  private final class FailingCase: RecordedTestCase {
    var used: Recording?
    var failsInTearDown = false
    override var recording: Recording? { used }
    override var reportsUnusedStubs: Bool { true }

    override func tearDown() { if failsInTearDown { XCTFail("wrong") } }

    func run(_ failing: Failing) throws {
      let held = failing.finding?.begin()
      if let finding = failing.finding {
        let answered = expectation(description: "the answer")
        URLSession.shared.dataTask(with: LateFinding.request) { _, _, _ in
          if finding != .openCall { answered.fulfill() }
        }.resume()
        if let held {
          answered.fulfill()
          wait(for: [expectation(forCallsTo: held)], timeout: 60)
        }
        return wait(for: [answered], timeout: 60)
      }
      answerFromNetwork("new")
      switch failing {
      case .issue: recordFailure(withDescription: "wrong", inFile: #filePath, atLine: #line, expected: true)
      case .error: throw Failing.Failed()
      case .call: expectCalls(to: isPath("/never"))
      case .task: addTeardownBlock { XCTFail("wrong") }
      case .release: _ = Failing.Released { XCTFail("wrong") }
      case .timeLimit: wait(for: [expectation(description: "nothing")], timeout: 0)
      case .late:
        let held = stub(condition: isPath("/held"), response: .noAnswer)
        URLSession.shared.dataTask(with: url("http://a.example/held")) { _, _, error in
          XCTAssertNil(error)
        }.resume()
        wait(for: [expectation(forCallsTo: held)], timeout: 60)
      default: break
      }
    }
  }
#endif
