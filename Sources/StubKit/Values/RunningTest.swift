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

  /// Receives texts in place of standard error, for tests.
  package static let listener = Protected<Closure<@Sendable (String) -> Void>?>(nil)

  /// Writes what helps to understand a test, and is no failure of it.
  @Sendable package static func tell(_ text: String) {
    if let listener = listener.current { return listener.call(text) }
    FileHandle.standardError.write(Data("StubKit: \(text)\n".utf8))
  }

  /// A Boolean value that indicates whether the framework is there and knows a test on the calling thread.
  static var isOfFramework: Bool { current?.knowsTest == true }

  /// The name of the test that the code here belongs to, or `nil` if none is known.
  static var name: String? { current?.testName }

  // In a process without scopes, `findFramework()` has not run. A lookup that fails takes 80 µs, so there is one.
  static var current: (any TestFramework.Type)? { framework.current ?? firstFound }
  private static let firstFound = beginFramework()
}

/// What StubKitTesting tells StubKit about the test framework.
package protocol TestFramework: AnyObject, Sendable {
  /// A Boolean value that indicates whether the framework knows a test on the calling thread.
  static var knowsTest: Bool { get }

  /// The name of the test on the calling thread, or of the only one that runs, or `nil` if none is known.
  static var testName: String? { get }

  /// A Boolean value that indicates whether the framework runs a test that has no scope. Only a framework that runs one
  /// test at a time knows that.
  static var runsUnscopedTest: Bool { get }

  /// Begins to watch which tests run.
  static func begin()

  /// Calls a closure when it is known whether a test without a scope runs here, unless one with a scope turns out to
  /// run. A test can have begun before the watch did. Then its end tells, or the beginning of the next one.
  static func whenTestIsKnown(_ tell: @escaping @Sendable (_ isInTest: Bool) -> Void)

  /// Notes that a scope opens. Returns whether the framework knows a test of the calling task.
  static func opensScope() -> Bool

  /// Records an issue of the test that the calling task belongs to. Returns `false` if there is none.
  static func record(_ sentence: String, at location: StubLocation?, isWarning: Bool) -> Bool

  /// Records a failure of the test that XCTest runs. Returns `false` if it runs none.
  static func recordFailure(_ sentence: String) -> Bool

  /// Records an issue of the run, which belongs to no test. Call this where no test runs.
  static func recordOfRun(_ sentence: String)

  /// Runs a part of a test, and tells a verdict about each failure meanwhile.
  static func watch(for verdict: TestVerdict, isolation: isolated (any Actor)?, _ body: () async -> Void) async
  static func watch(for verdict: TestVerdict, _ body: () -> Void)
}

extension TestFramework {
  static func recordFailure(_ sentence: String) -> Bool { false }
  static var testName: String? { nil }
}

/// Something that code uses, such as a recording, from before its first line until after its scope.
package protocol ScopedUse: Sendable {
  /// The code has returned. What is still in flight isn't part of the use.
  func stop()

  /// Ends the use, and keeps what has come of it. This can block the thread.
  ///
  /// - Parameter reason: Why it replaces nothing that was there before, as the end of a sentence, or `nil`.
  func end(because reason: String?) throws
  func end(because reason: String?) async throws
}

/// Whether the running test has failed. What it has recorded then replaces nothing.
///
/// For code in no test, the outermost recording counts as the test.
package final class TestVerdict: Sendable {
  /// The verdict on the test of the current task, or `nil` if no failures are watched.
  @TaskLocal package static var current: TestVerdict?

  private let state = Protected((hasFailed: false, said: [String](), left: [any ScopedUse]?.some([])))
  private let start = ContinuousClock.now
  private let timeLimit: Duration?
  /// The name of the test, or `nil` if it is unknown.
  package let test: String?

  /// - Parameter timeLimit: The time after which its framework fails the test and cancels it, or `nil` for never.
  package init(of test: String? = nil, timeLimit: Duration? = nil) {
    self.test = test
    self.timeLimit = timeLimit
  }

  /// Whether the test has failed so far. Ask for it in the task of the test.
  package var hasFailed: Bool { state.withLock { $0.hasFailed } || isOverTime }

  /// Whether the time limit has ended the test. The framework says so to nobody but the task.
  package var isOverTime: Bool { Task.isCancelled && timeLimit.map { start.duration(to: .now) >= $0 } ?? false }

  /// The texts of its failures, the first hundred.
  package var said: [String] { state.withLock { $0.said } }

  /// Notes that the test has failed.
  ///
  /// - Parameter text: What the framework says, or `nil` if it says nothing.
  package func fail(saying text: String? = nil) {
    state.withLock { state in
      state.hasFailed = true
      if let text, state.said.count < 100 { state.said.append(text) }
    }
  }

  /// Leaves what a part of the test has used to the end of the test. Returns `false` if that is over.
  @discardableResult
  package func leave(_ use: any ScopedUse) -> Bool { state.withLock { $0.left?.append(use) != nil } }

  /// Returns what an earlier part of the test has left, to go on with it.
  package func takeBack(_ isWanted: (any ScopedUse) -> Bool) -> (any ScopedUse)? {
    state.withLock { state in state.left?.firstIndex(where: isWanted).flatMap { state.left?.remove(at: $0) } }
  }

  /// Returns what an earlier part of the test has left, and leaves it there.
  package func left(where isWanted: (any ScopedUse) -> Bool) -> (any ScopedUse)? {
    state.withLock { $0.left?.first(where: isWanted) }
  }

  /// Returns all that was left, at the end of the test.
  func takeAll() -> [any ScopedUse] { state.withLock { $0.left.take() ?? [] } }
}

/// A location in the source code of the tests.
public struct StubLocation: Sendable, Hashable, CustomStringConvertible {
  /// The module and the file, as `#fileID` returns them.
  public let fileID: String
  /// The path of the file, as `#filePath` returns it.
  public let filePath: String
  /// The line, from 1.
  public let line: Int
  /// The column, from 1.
  public let column: Int

  /// Creates a location. Without arguments, it is that of the call.
  ///
  /// ```swift
  /// stubUser(42, at: StubLocation())
  /// ```
  ///
  /// - Parameters:
  ///   - fileID: The module and the file, such as `AppTests/UserTests.swift`.
  ///   - filePath: The path of the file.
  ///   - line: The line, from 1.
  ///   - column: The column, from 1.
  public init(
    _ fileID: StaticString = #fileID, _ filePath: StaticString = #filePath, _ line: UInt = #line,
    _ column: UInt = #column
  ) {
    self.init(
      fileID: fileID.description, filePath: filePath.description, line: Int(clamping: line),
      column: Int(clamping: column))
  }

  /// Creates a location from values that are known only at run time, such as those of a table of tests.
  ///
  /// ```swift
  /// stubUser(
  ///   42,
  ///   at: StubLocation(
  ///     fileID: "AppTests/Users.csv", filePath: file.path, line: row, column: 1))
  /// ```
  ///
  /// - Parameters:
  ///   - fileID: The module and the file, such as `AppTests/UserTests.swift`.
  ///   - filePath: The path of the file.
  ///   - line: The line, from 1.
  ///   - column: The column, from 1.
  public init(fileID: String, filePath: String, line: Int, column: Int) {
    self.fileID = fileID
    self.filePath = filePath
    self.line = line
    self.column = column
  }

  /// The location as `UserTests/LoginTests.swift:12`.
  public var description: String { "\(fileID):\(line)" }
}

/// A reference to a stub, which remains in errors and in the journal after the stub is removed.
///
/// ```swift
/// #expect(HTTPStubs.requests.map(\.stub?.id) == [login.id, search.id])
/// ```
public struct StubReference: Sendable, Hashable, Identifiable, CustomStringConvertible {
  /// The name of the stub, or `nil` if it had none.
  public let name: String?
  /// The location of the stub in the source code.
  public let location: StubLocation
  /// The identifier of the stub, which is that of ``Stub/id``.
  public let id: UInt64

  /// The stub as reports name it: `"users" (UserTests/LoginTests.swift:12)`, or without a name
  /// `at UserTests/LoginTests.swift:12`.
  public var description: String {
    guard let name else { return "at \(location)" }
    return "\"\(name)\" (\(location))"
  }
}
