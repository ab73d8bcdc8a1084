import Foundation
import Testing

/// Runs each test of a suite in a process of its own. Only Linux lets a test do so.
///
/// A manual clock moves when the Swift tasks of its process have come to rest. Beside a thousand other tests, that
/// takes long: such a test is in everyone's way for minutes. So is one that blocks all threads of the user's closures,
/// and an exit test: until its process ends, Swift Testing blocks a thread of Swift's tasks, for which each manual
/// clock waits, and of which a machine with two cores has two.
package struct OwnProcess: SuiteTrait, TestTrait, TestScoping {
  package let isRecursive = true

  private static let variable = "TEST_OF_THIS_PROCESS"
  private let places: Places
  /// Variables of the process beside those of this one.
  private var environment: [String: String] = [:]

  private init(places: Places) { self.places = places }

  fileprivate static let ordinary = OwnProcess(places: Places(count: 1))
  fileprivate static let ofExitTests = OwnProcess(
    places: Places(count: ProcessInfo.processInfo.activeProcessorCount))

  /// The same with variables of the environment, which StubKit reads before a test could set them.
  fileprivate func with(_ environment: [String: String]) -> OwnProcess {
    var process = self
    process.environment = environment
    return process
  }

  /// A Boolean value that indicates whether this is the process of one test.
  package static let isHere = ProcessInfo.processInfo.environment[variable] != nil

  /// A scope around all cases of a test function, unless this is its process.
  package func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
    #if os(Linux)
      return test.isSuite || testCase != nil || Self.isHere ? nil : self
    #else
      return nil
    #endif
  }

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    #if os(Linux)
      await places.take()
      defer { places.leave() }
      let executable = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
      let filter = NSRegularExpression.escapedPattern(for: String(describing: test.id))
      let output = try #require(
        await ChildProcess.run(
          "env", [executable, "--testing-library", "swift-testing", "--filter", filter],
          environment: environment.merging([Self.variable: test.name]) { $1 }))
      if !output.contains(/Test run with 1 test .*passed after/) {
        let lines = output.split(separator: "\n").filter { !$0.hasPrefix("◇") && !$0.hasPrefix("✔") }
        Issue.record("\(lines.suffix(60).joined(separator: "\n"))", sourceLocation: test.sourceLocation)
      }
    #endif
  }
}

extension Trait where Self == OwnProcess {
  /// Runs each test in a process of its own, one such process at a time.
  package static var inOwnProcess: Self { .ordinary }

  /// Runs each test in a process of its own, in which StubKit uses public API only.
  package static var inPlainMode: Self { .ordinary.with(["STUBKIT_PLAIN": "1"]) }

  /// Runs a test with `#expect(processExitsWith:)` in a process of its own, as many at a time as there are cores.
  package static var startsProcess: Self { .ofExitTests }
}
