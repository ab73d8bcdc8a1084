import Foundation
import StubKit
import Testing

/// The trait that plays a recording for a test, or makes it: `@Test(.stubbed, .recorded("users"))`, or `@Suite(.recorded)` for
/// every test of a suite.
///
/// ```swift
/// @Test(.stubbed, .recorded("users"))  // Recordings/users.har beside this file
/// func loadsUsers() async throws {
///   let users = try await client.users()
///   #expect(users.count == 3)
/// }
/// ```
///
/// The recording is made once, from the network:
///
///     STUBKIT_RECORD=once swift test --filter loadsUsers
///
/// From then on the test needs no network. If there is no recording, the test fails and does not run. See `Recording` for where its file is,
/// and `RecordingMode` for when it is played and when it is made.
///
/// The recording belongs to the registry that `.stubbed` makes for the test, whichever of the two traits comes first. Without `.stubbed`, the
/// test gets a registry in the same way. Stubs that the test registers come before the recording.
///
/// Without a name, the recording is named for the test: `UserTests.loadsUsers`. The cases of a parameterised test would share that name, so for
/// them it is an issue. Where several traits of this kind apply, the innermost one counts.
public struct RecordedTrait: TestTrait, SuiteTrait, TestScoping {
  let recording: Recording
  let isNamed: Bool
  /// Whether the recording is beside the source file of the test.
  var isBesideTest = false

  /// How many traits of this kind the test is in already that leave it to an inner one to play the recording.
  @TaskLocal private static var depth = 0

  /// True: a suite's trait is for each test in it, and in the suites in it.
  public var isRecursive: Bool { true }

  /// Runs the test with its recording, and then records its issues.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let depth = Self.depth + 1
    guard depth >= test.traits.count(where: { $0 is RecordedTrait }) else {
      return try await Self.$depth.withValue(depth, operation: function)
    }
    let use: RecordingUse
    do throws(RecordingError) { use = try self.use(in: test) } catch { return Finding(error).record(of: test) }
    try await Self.$depth.withValue(0) { try await run(test, with: use, function) }
  }

  private func use(in test: Test) throws(RecordingError) -> RecordingUse {
    let location = StubLocation(test.sourceLocation)
    var recording = isNamed ? recording : recording.named(try test.recordingName)
    if isBesideTest { recording = recording.beside(location.filePath) }
    return RecordingUse(recording: recording, location: location, filter: test.filter)
  }

  private func run(
    _ test: Test, with use: RecordingUse, _ function: @Sendable () async throws -> Void
  ) async throws {
    if test.isStubbedInsideOfItsRecording {
      // That trait makes the registry, and begins the recording in it.
      return try await RecordingUse.$pending.withValue(use, operation: function)
    }
    let registry = StubRegistry.current
    guard registry !== StubRegistry.global else {
      let (findings, error) = await TestScope(ScopeOptions.enclosing).run(with: use, function)
      for finding in findings { finding.record(of: test) }
      if let error { throw error }
      return
    }
    let session: RecordingSession
    do throws(RecordingError) { session = try use.begin(in: registry) } catch { return Finding(error).record(of: test) }
    do { try await function() } catch {
      for finding in RecordingUse.end(session, isWhole: false) { finding.record(of: test) }
      throw error
    }
    for finding in RecordingUse.end(session, isWhole: true) { finding.record(of: test) }
  }
}

extension Trait where Self == RecordedTrait {
  /// Plays the recording that is named for the test, or makes it. See ``RecordedTrait``.
  ///
  /// ```swift
  /// @Suite(.stubbed, .recorded) struct UserTests {
  ///   @Test func loadsUsers() async throws { … }  // Recordings/UserTests.loadsUsers.har
  /// }
  /// ```
  public static var recorded: Self {
    // A property isn't told where it is written.
    var trait: RecordedTrait = .recorded()
    trait.isBesideTest = true
    return trait
  }

  /// Plays a recording for the test, or makes it. See ``RecordedTrait``.
  ///
  /// ```swift
  /// @Test(.stubbed, .recorded("login/wrong password", matching: [.method, .path, .body]))
  /// func refusesAWrongPassword() async throws { … }
  /// ```
  ///
  /// - Parameters:
  ///   - name: The path of the file below the folder, without extension. By default, the test's suites and its function, joined by dots.
  ///   - folder: The folder. Defaults to `Recordings` beside the source file.
  ///   - bundle: A bundle with the file in its resources. Defaults to none.
  ///   - mode: Whether it is played or made. Defaults to `RecordingMode.replay`; `STUBKIT_RECORD` takes its place.
  ///   - matching: What a request must have in common with a recorded one.
  ///   - redacting: What is taken out before anything is written.
  ///   - timing: How long responses take when they are played.
  ///   - filePath: The path of the source file. Leave it out.
  public static func recorded(
    _ name: String? = nil, in folder: URL? = nil, bundle: Bundle? = nil, mode: RecordingMode? = nil,
    matching: ReplayMatching = .default, redacting: [Redaction] = .standard, timing: ReplayTiming = .atOnce,
    filePath: String = #filePath
  ) -> Self {
    TestScope.isKnownToStubKit
    return RecordedTrait(
      recording: Recording(
        name ?? "", in: folder, bundle: bundle, mode: mode, matching: matching, redacting: redacting, timing: timing,
        filePath: filePath),
      isNamed: name != nil)
  }
}

extension Test {
  /// What picks it on the command line: `UserTests/loadsUsers`.
  fileprivate var filter: String { plainNames.joined(separator: "/") }

  /// A file name made of the names of its suites and its function.
  fileprivate var recordingName: String {
    get throws(RecordingError) {
      let name = plainNames.map(\.fitForFileName).joined(separator: ".")
      guard !isParameterized else {
        throw RecordingError(
          name, .unnamed,
          """
          The cases of a parameterised test would all have the recording \(name.debugDescription). Write .recorded("…") for one \
          that all of them play, or give each case its own in the test: withRecording(Recording("\(name)-\\(argument)")) { … }
          """)
      }
      return name
    }
  }

  /// Of its suites and of itself, without parameters and backticks.
  private var plainNames: [String] {
    id.nameComponents.map { name in
      if name.hasPrefix("`"), let end = name.dropFirst().firstIndex(of: "`") { return String(name[..<end].dropFirst()) }
      return String(name.prefix { $0 != "(" })
    }
  }

  /// Whether a trait that makes a registry stands after the one that plays the recording, so that it is inside it.
  fileprivate var isStubbedInsideOfItsRecording: Bool {
    guard let recorded = traits.lastIndex(where: { $0 is RecordedTrait }) else { return false }
    return traits[recorded...].contains { $0 is StubbedTrait }
  }
}

extension String {
  /// Every system takes these characters in the names of files.
  fileprivate var fitForFileName: String {
    String(map { $0.isLetter || $0.isNumber || " _-".contains($0) ? $0 : "-" })
  }
}
