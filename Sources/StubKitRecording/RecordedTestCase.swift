import StubKitRecorder
import StubKitTesting
import XCTest

/// A stubbed test case whose tests play or make a recording.
///
/// ```swift
/// final class UserTests: RecordedTestCase {
///   override var recording: Recording? { Recording("users") }
///
///   func testLoadsUsers() async throws {
///     let users = try await client.users()
///     XCTAssertEqual(users.count, 3)
///   }
/// }
/// ```
///
/// Otherwise, it does what its superclass `StubbedTestCase` does. Stubs that a test registers take precedence over the
/// recording.
open class RecordedTestCase: StubbedTestCase {
  /// The recording that each test plays or makes. Defaults to `nil`: no recording.
  ///
  /// If the recording of a test is missing, the test fails and does not run. To give each test a recording of its own,
  /// derive the name from `name`.
  open var recording: Recording? { nil }

  /// Runs the test with its recording. An override must call `super`.
  open override func invokeTest() {
    let (recording, filter) = (recording, plainNames.joined(separator: "/"))
    let use = recording.map { recording -> TestScope.PendingUse in
      { try RecordingUse(recording, in: $0, at: recording.location, filter: filter, isOfTest: true) }
    }
    TestScope.$pendingUse.withValue(use) { super.invokeTest() }
  }
}
