import Foundation

/// The test that the code here belongs to, as far as a test framework knows it.
package enum RunningTest {
  private static let framework = Protected<(any TestFramework.Type)?>(nil)

  /// Looks for StubKitTesting, which the process may contain without using a trait.
  static func findFramework() { use(beginFramework()) }

  /// Lets the framework begin, if the process contains it. The lookup by name needs no exported symbol, so it works
  /// with every kind of linking.
  private static func beginFramework() -> (any TestFramework.Type)? {
    let framework = NSClassFromString("StubKitTesting.TestsOfSwiftTesting") as? any TestFramework.Type
    framework?.begin()
    return framework
  }

  /// Without a framework, any code in a Swift task counts as a test's. Only code on a plain queue or thread doesn't.
  static func use(_ framework: (any TestFramework.Type)?) { self.framework.current = framework }

  static var isKnown: Bool {
    guard withUnsafeCurrentTask(body: { $0 != nil }) else { return false }
    return framework.current?.knowsTest ?? true
  }

  /// A Boolean value that indicates whether XCTest runs a test that is no `StubbedTestCase`, and the code here can be
  /// its code, because it is on the main thread or in a task.
  static var isOfPlainTestCase: Bool {
    current?.runsUnscopedTest == true && (Thread.isMainThread || withUnsafeCurrentTask { $0 != nil })
  }

  /// Notes that a scope opens. Returns whether a test of Swift Testing opens it.
  static func opensScope() -> Bool { framework.current?.opensScope() ?? false }

  /// Runs a part of a test, and tells a verdict about each failure that the framework records meanwhile. Without
  /// StubKitTesting, nothing is known of failures.
  package static func watch(
    for verdict: TestVerdict, isolation: isolated (any Actor)? = #isolation, _ body: () async -> Void
  ) async {
    guard let framework = framework.current else { return await body() }
    await framework.watch(for: verdict, isolation: isolation, body)
  }

  /// Runs a synchronous part of a test, and tells a verdict about each failure that the framework records meanwhile.
  package static func watch(for verdict: TestVerdict, _ body: () -> Void) {
    guard let framework = framework.current else { return body() }
    framework.watch(for: verdict, body)
  }

  /// Records an issue of the test that runs here. Returns `false` if none is known.
  ///
  /// - Parameters:
  ///   - sentence: What is wrong.
  ///   - location: The location of the issue, or `nil` for that of the test.
  ///   - isWarning: Whether the issue doesn't fail the test, in toolchains that have such issues.
  package static func record(_ sentence: String, at location: StubLocation?, isWarning: Bool = false) -> Bool {
    current?.record(sentence, at: location, isWarning: isWarning) ?? false
  }

  /// Records a failure of the test that XCTest runs, at a place of StubKit's own. Returns `false` if it runs none.
  static func recordFailure(_ sentence: String) -> Bool { current?.recordFailure(sentence) ?? false }

  /// Receives texts in place of standard error, for a process that tests start.
  package static let listener = Protected<Closure<@Sendable (String) -> Void>?>(nil)

  /// Receives lines instead of standard error, and the names of attachments instead of the test framework, while a
  /// test provokes issues and takes them.
  @TaskLocal package static var sink: (@Sendable (String) -> Void)?

  /// Writes a line that helps to understand a test, and isn't a failure.
  @Sendable package static func tell(_ text: String) {
    if let sink { return sink(text) }
    if let listener = listener.current { return listener.call(text) }
    FileHandle.standardError.write(Data("StubKit: \(text)\n".utf8))
  }

  /// A Boolean value that indicates whether the framework is there and knows a test on the calling thread.
  static var isOfFramework: Bool { current?.knowsTest == true }

  /// The name of the test that the code here belongs to, or `nil` if none is known.
  static var name: String? { current?.testName }

  /// Whether the code here belongs to one case of a parameterized test.
  package static var isCase: Bool { current?.isCase ?? false }

  // In a process without scopes, `findFramework()` has not run. A lookup that fails takes 80 µs, so there is one.
  static var current: (any TestFramework.Type)? { framework.current ?? firstFound }
  private static let firstFound = beginFramework()
}
