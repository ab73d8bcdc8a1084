import StubKitTesting
import XCTest

/// A stubbed test case whose tests compare their requests with files.
///
/// ```swift
/// final class UserTests: TranscribedTestCase {
///   // Requests/UserTests.testSignsIn.http beside this file, and so on
///   override var transcript: Transcript? { Transcript() }
///
///   func testSignsIn() async throws { … }
/// }
/// ```
///
/// Otherwise, it does what its superclass `StubbedTestCase` does. ``TranscribedTrait`` explains the files.
open class TranscribedTestCase: StubbedTestCase {
  /// The files that the requests of the tests are compared with. Defaults to `nil`: none.
  open var transcript: Transcript? { nil }

  /// Runs the test, and compares its requests with its file. An override must call `super`.
  open override func invokeTest() {
    let file = transcript.map { TranscriptFile($0, of: CaseOfTest(plainNames, at: $0.filePath), filePath: $0.filePath) }
    TestScope.$pendingCheck.withValue(file) { super.invokeTest() }
  }
}
