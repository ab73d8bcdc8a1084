import Foundation
import StubKitRecorder
import StubKitTesting
import Testing

/// A trait that plays or records a recording for a test: `@Test(.stubbed, .recorded("users"))`, or `@Suite(.recorded)`
/// for every test of a suite.
///
/// ```swift
/// @Test(.stubbed, .recorded("users"))  // Recordings/users.har beside this file
/// func loadsUsers() async throws {
///   let users = try await client.users()
///   #expect(users.count == 3)
/// }
/// ```
///
/// Record it once from the network:
///
/// ```sh
/// STUBKIT_RECORD=once swift test --filter loadsUsers
/// ```
///
/// From then on, the test needs no network. If the recording is missing, the test fails and does not run. `Recording`
/// explains where its file is, and `RecordingMode` when StubKit plays or records it.
///
/// The recording belongs to the registry that `.stubbed` creates for the test, whichever of the two traits comes first.
/// Without `.stubbed`, this trait creates a registry for the test. Stubs that the test registers take precedence over
/// the recording.
///
/// The recording ends after the scope of the test, with everything that the scope finds. If the test fails, also by
/// what only the end finds, such as an unused stub, or is skipped, the old recording stays, and the new one goes into
/// `NAME.har.failed`.
///
/// Without a name, the recording is named after the test, such as `UserTests.loadsUsers`. A hash takes the place of
/// characters that a file name can't have. The cases of a parameterized test would share that name, so each of them
/// records an issue. With a name that you write, they share the file. Run them one after the other then, with
/// `.serialized`.
///
/// If several such traits apply, the innermost one counts.
public struct RecordedTrait: TestTrait, SuiteTrait, TestScoping {
  let recording: Recording
  let isNamed: Bool
  /// Whether the folder of the recording is beside the source file of the test.
  var isBesideTest = false

  /// The number of such traits around the test that leave it to an inner one to play the recording.
  @TaskLocal private static var depth = 0

  /// Applies to every test in the suite, nested suites included.
  public var isRecursive: Bool { true }

  /// Runs the test with its recording, and then records its issues.
  ///
  /// - Parameters:
  ///   - test: The test.
  ///   - testCase: The case of the test, or `nil` for a suite.
  ///   - function: Runs the test.
  /// - Throws: The error that the test throws.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let depth = Self.depth + 1
    guard depth >= test.traits.count(where: { $0 is RecordedTrait }) else {
      return try await Self.$depth.withValue(depth, operation: function)
    }
    try await Self.$depth.withValue(0) {
      try await run(test, with: { try use(of: test, in: $0) }, function)
    }
  }

  private func use(of test: Test, in registry: StubRegistry) throws -> RecordingUse {
    let location = StubLocation(test.sourceLocation)
    var recording = recording
    if !isNamed { recording.name = try test.recordingName }
    if isBesideTest { recording.folder = Recording.folder(beside: location.filePath) }
    return try RecordingUse(recording, in: registry, at: location, filter: test.filter, isOfTest: true)
  }

  private func run(
    _ test: Test, with use: @escaping TestScope.PendingUse, _ function: @Sendable () async throws -> Void
  ) async throws {
    let registry = StubRegistry.current
    if test.isStubbedInsideOfItsRecording {
      // That trait creates the registry, and starts the recording in it.
      return try await TestScope.$pendingUse.withValue(use, operation: function)
    }
    guard registry !== StubRegistry.global else {
      let scope = TestScope(
        .enclosing, of: test.name, at: StubLocation(test.sourceLocation), timeLimit: test.timeLimit)
      return try await TestScope.$pendingUse.withValue(use) { try await scope.run(function, of: test) }
    }
    var thrown: (any Error)?
    let errors = await (TestVerdict.current ?? TestVerdict(timeLimit: test.timeLimit)).run(in: nil) {
      let begun: any ScopedUse
      do { begun = try use(registry) } catch {
        Finding("\(error)").record(of: test)
        return (nil, nil)
      }
      do { try await function() } catch {
        thrown = error
        return (begun, Task.isCancelled ? "its test was skipped" : "its test failed")
      }
      return (begun, nil)
    }
    for error in errors { Finding("\(error)").record(of: test) }
    if let thrown { throw thrown }
  }
}

extension Trait where Self == RecordedTrait {
  /// Plays or records the recording that is named after the test. See ``RecordedTrait``.
  ///
  /// ```swift
  /// @Suite(.stubbed, .recorded) struct UserTests {
  ///   @Test func loadsUsers() async throws { … }  // Recordings/UserTests.loadsUsers.har
  /// }
  /// ```
  public static var recorded: Self {
    // A property can't receive the location of its use.
    var trait: RecordedTrait = .recorded()
    trait.isBesideTest = true
    return trait
  }

  /// Plays or records a recording for the test. See ``RecordedTrait``.
  ///
  /// ```swift
  /// @Test(.stubbed, .recorded("login/wrong password", matching: [.method, .path, .body]))
  /// func refusesAWrongPassword() async throws { … }
  /// ```
  ///
  /// The name is the path of the file below the folder, without an extension. It defaults to the names of the test's
  /// suites and its function, joined with dots. The other parameters are those of `Recording`, with the same defaults.
  ///
  /// With a condition, the recording leaves other requests alone:
  ///
  /// ```swift
  /// @Test(.stubbed, .recorded("users", where: isHost("api.example.com")))
  /// func loadsUsers() async throws { … }
  /// ```
  public static func recorded(
    _ name: String? = nil, in folder: URL? = nil, bundle: Bundle? = nil, mode: RecordingMode? = nil,
    where condition: RequestMatcher? = nil, matching: ReplayMatching = .default, ignoring: IgnoredPart...,
    redacting: [Redaction] = .standard, timing: ReplayTiming = .atOnce, expires: Recording.Lifetime? = nil,
    filePath: String = #filePath
  ) -> Self {
    RunningTest.prepare()
    var recording = Recording(
      name ?? "", in: folder, bundle: bundle, mode: mode, where: condition, matching: matching, redacting: redacting,
      timing: timing, expires: expires, filePath: filePath)
    recording.call = ".recorded"
    recording.ignoring = ignoring
    return RecordedTrait(recording: recording, isNamed: name != nil)
  }
}

extension Test {
  /// The filter that selects the test on the command line, such as `UserTests/loadsUsers`.
  fileprivate var filter: String { plainNames.joined(separator: "/") }

  /// A file name that consists of the names of the test's suites and its function.
  fileprivate var recordingName: String {
    get throws(RecordingError) {
      let name = plainNames.map(\.fitForFileName).joined(separator: ".")
      guard !isParameterized else {
        throw RecordingError(
          name, .unnamed,
          """
          All cases of a parameterized test would share the recording \(name.debugDescription). To share it, write .recorded("…"). \
          To give each case its own recording, write in the test: withRecording(Recording("\(name)-\\(argument)")) { … }
          """)
      }
      return name
    }
  }

  /// Whether a trait that creates a registry comes after the one that plays the recording, and so runs inside it.
  fileprivate var isStubbedInsideOfItsRecording: Bool {
    guard let recorded = traits.lastIndex(where: { $0 is RecordedTrait }) else { return false }
    return traits[recorded...].contains { $0 is StubbedTrait }
  }
}
