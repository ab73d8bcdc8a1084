import Foundation
import StubKit
import Testing

/// A trait that compares the requests of a test with a file: `@Suite(.stubbed, .transcribed)` for every test of a
/// suite, or `@Test(.stubbed, .transcribed)`.
///
/// ```swift
/// @Suite(.stubbed, .transcribed) struct UserTests {
///   // Requests/UserTests.signsIn.http beside this file
///   @Test func signsIn() async throws { … }
/// }
/// ```
///
/// Write the files, write them a second time, and read them before you commit them:
///
/// ```text
/// STUBKIT_TRANSCRIPTS=write swift test
/// ```
///
/// From then on, a test fails at its end if the client sends anything else, in a test that throws an error, too. The
/// issue says which values differ, and how to write the file anew. The command writes files that are missing or differ,
/// says what it has written, and names files of no test. A test that fails for another reason keeps its file.
///
/// The text is that of ``expectRequests(_:to:order:in:at:fileID:file:line:column:)``. Values that differ from run to
/// run are placeholders in it, such as `{{uuid1}}`. The first run decides by the kinds of values. The second one makes
/// placeholders of all values that differ, and values of those that it repeats. In a test with a `ManualClock`, each
/// request says when it was made.
///
/// Each case of a parameterized test has a file of its own, named after its arguments. A `testDescription` gives them
/// a readable name, and an object needs one. A test without requests needs no file.
///
/// The requests are those of the registry that `.stubbed` creates for the test, whichever of the two traits comes
/// first. Without `.stubbed` or `.recorded`, this trait creates a registry. If several such traits apply, the innermost
/// one counts.
public struct TranscribedTrait: TestTrait, SuiteTrait, TestScoping, RequestCheckTrait {
  let transcript: Transcript

  /// Whether a scope of the test has the transcript already.
  @TaskLocal fileprivate static var isInUse = false

  /// Applies to every test in the suite, nested suites included.
  public var isRecursive: Bool { true }

  /// The file of a test, or of one of its cases.
  package func check(of test: Test, _ testCase: Test.Case?) -> any RequestCheck {
    TranscriptFile(
      transcript, of: CaseOfTest(of: test, testCase), filePath: StubLocation(test.sourceLocation).filePath)
  }

  /// Runs the test, and compares its requests with the file.
  ///
  /// - Parameters:
  ///   - test: The test.
  ///   - testCase: The case of the test, or `nil` for a suite.
  ///   - function: Runs the test.
  /// - Throws: The error that the test throws.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    // The trait .stubbed compares them at the end of its scope, whether it is outside of this one or inside.
    guard !Self.isInUse, !test.traits.contains(where: { $0 is StubbedTrait }) else { return try await function() }
    let check = test.requestCheck(of: testCase)
    try await Self.$isInUse.withValue(true) {
      guard StubRegistry.current === StubRegistry.global else {
        var thrown: (any Error)?
        do { try await function() } catch { thrown = error }
        let problem = check?.check(.current, hasFailed: thrown != nil || TestVerdict.current?.hasFailed == true)
        if let problem, !Task.isCancelled { Finding(problem).record(of: test) }
        if let thrown { throw thrown }
        return
      }
      let scope = TestScope(
        .enclosing, of: test.name, at: StubLocation(test.sourceLocation), timeLimit: test.timeLimit, check: check)
      try await scope.run(function, of: test)
    }
  }
}

extension Trait where Self == TranscribedTrait {
  /// Compares the requests of each test with a file in the folder `Requests` beside its source file. See
  /// ``TranscribedTrait``.
  ///
  /// ```swift
  /// @Suite(.stubbed, .transcribed) struct UserTests { … }
  /// ```
  public static var transcribed: Self { .transcribed() }

  /// Compares the requests of each test with a file. See ``TranscribedTrait``.
  ///
  /// ```swift
  /// @Test(.stubbed, .transcribed(order: .asMade))
  /// func refreshesBeforeItRetries() async throws { … }
  /// ```
  ///
  /// - Parameters:
  ///   - order: Which requests must keep their order. Defaults to those of one method and URL.
  ///   - folder: The folder of the files. Defaults to `Requests` beside the source file of the test.
  public static func transcribed(order: RequestOrder = .perURL, in folder: URL? = nil) -> Self {
    RunningTest.prepare()
    return TranscribedTrait(transcript: Transcript(order: order, in: folder))
  }
}
