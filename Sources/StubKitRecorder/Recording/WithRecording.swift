import StubKit

/// Runs code with a recording, which answers its requests or records them.
///
/// ```swift
/// let users = try await withRecording(Recording("users")) {
///   try await client.users()
/// }
/// ```
///
/// Outside of a scope, the code runs in a new one, as with `withStubs`. In a scope, it uses the registry of that scope.
/// Stubs that the code registers take precedence over the recording. StubKit writes a recording when the code ends. If
/// the code throws or the test has failed until then, the old recording stays, and the new one goes into
/// `NAME.har.failed`.
///
/// Recordings can be nested, and a request belongs to the innermost one of its scope. Two of them side by side in one
/// scope are a ``RecordingError``: open each in a scope of its own, with `withStubs`.
///
/// - Parameters:
///   - recording: The recording.
///   - isolation: The actor that runs the body. Defaults to that of the caller.
///   - fileID: The source file of the call, for reports. Omit this and the following parameters.
///   - filePath: The path of the source file.
///   - line: The line of the call.
///   - column: The column of the call.
///   - function: The function that contains the call.
///   - body: The code to run.
/// - Returns: The value that the body returns.
/// - Throws: The error that the body throws, or a ``RecordingError``. If the recording is missing or can't be read, if
///   another test records it, or if it is beside another one, the error comes before the body runs. If the recording
///   can't be written, lacks a request with a body of more than 64 MB, or would replace an existing one with nothing,
///   it comes after.
@discardableResult
public func withRecording<R>(
  _ recording: Recording, isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column, function: String = #function,
  _ body: () async throws -> R
) async throws -> R {
  func use() async throws -> R {
    var run = try RecordedRun<R>(recording, StubLocation(fileID, filePath, line, column), function)
    func perform() async {
      do {
        run.result = .success(try await RecordingFrame.$current.withValue(run.session.frame, operation: body))
      } catch {
        run.result = .failure(error)
      }
    }
    if TestVerdict.current == nil {
      await RunningTest.watch(for: run.verdict, isolation: isolation) { await perform() }
    } else {
      await perform()
    }
    do { try await run.session.end(isWhole: run.isWhole) } catch { try run.fail(error) }
    return try run.result.get()
  }
  if StubRegistry.current !== StubRegistry.global { return try await use() }
  return try await withStubs { try await use() }
}

/// Runs synchronous code with a recording, which answers its requests or records them. See
/// ``withRecording(_:isolation:fileID:filePath:line:column:function:_:)``.
///
/// ```swift
/// let count = try withRecording(Recording("users")) {
///   try client.countUsers()
/// }
/// ```
@discardableResult
public func withRecording<R>(
  _ recording: Recording, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column, function: String = #function, _ body: () throws -> R
) throws -> R {
  func use() throws -> R {
    var run = try RecordedRun<R>(recording, StubLocation(fileID, filePath, line, column), function)
    func perform() { run.result = Result { try RecordingFrame.$current.withValue(run.session.frame, operation: body) } }
    if TestVerdict.current == nil { RunningTest.watch(for: run.verdict, perform) } else { perform() }
    do { try run.session.end(isWhole: run.isWhole) } catch { try run.fail(error) }
    return try run.result.get()
  }
  if StubRegistry.current !== StubRegistry.global { return try use() }
  return try withStubs { try use() }
}

/// The run of code with a recording, and what came of it.
private struct RecordedRun<R> {
  let session: RecordingSession
  let verdict = TestVerdict.current ?? TestVerdict()
  /// What the code returned or threw. It stays an error if the test framework doesn't run the code.
  var result: Result<R, any Error> = .failure(CancellationError())

  /// Begins with the recording in the current registry.
  init(_ recording: Recording, _ location: StubLocation, _ function: String) throws(RecordingError) {
    // The name of a function without its parameters selects its test.
    let filter = String(function.prefix { $0 != "(" })
    session = try RecordingSession(recording, in: .current, at: location, filter: filter, isOfTest: false)
  }

  private var hasReturned: Bool { if case .success = result { true } else { false } }
  var isWhole: Bool { hasReturned && !verdict.hasFailed }

  /// Throws an error of the recording, unless the code has thrown one of its own.
  func fail(_ error: any Error) throws { if hasReturned { throw error } }
}
