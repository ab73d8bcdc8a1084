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
/// Stubs that the code registers take precedence over the recording.
///
/// StubKit writes the recording when the code has ended, and its new scope has closed. In a test with `.stubbed` or
/// `.recorded`, and in a `StubbedTestCase`, it does so at the end of the test, and in another `withRecording` at
/// the end of that one. Several uses of a file are then written together, and a later one plays what the earlier ones
/// have recorded. Elsewhere, each use writes its file, and a later one of the same test adds to it. If the code throws
/// or the test has failed until then, the old recording stays, and the new one goes into `NAME.har.failed`.
///
/// Recordings can be nested. The innermost one of a scope answers first, and then those around it. A request that none
/// of them answers belongs to the innermost one. Two of them side by side in one scope are a ``RecordingError``: open
/// each in a scope of its own, with `withStubs`.
///
/// - Parameters:
///   - recording: The recording.
///   - condition: What a request must meet to be recorded and played, beside the condition of the recording. Defaults
///     to `nil`: nothing more.
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
///   can't be written, lacks a request with a body of more than 64 MiB, or would replace an existing one without a
///   response, it comes after, or is an issue of the test that writes it at its end.
@discardableResult
public func withRecording<R>(
  _ recording: Recording, where condition: RequestMatcher? = nil, isolation: isolated (any Actor)? = #isolation,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column, function: String = #function,
  _ body: () async throws -> R
) async throws -> R {
  // It stays an error if the test framework doesn't run the code.
  var result: Result<R, any Error> = .failure(CancellationError())
  let errors = await (TestVerdict.current ?? TestVerdict()).run(in: .new) {
    var use: RecordingUse?
    do {
      use = try RecordingUse(recording, condition, StubLocation(fileID, filePath, line, column), function)
      result = .success(try await RecordingInUse.$current.withValue(use?.frame, operation: body))
      return (use, nil)
    } catch {
      result = .failure(error)
      return (use, "its code threw an error")
    }
  }
  if case .success = result, let error = errors.first { throw error }
  return try result.get()
}

/// Runs synchronous code with a recording, which answers its requests or records them. See
/// ``withRecording(_:where:isolation:fileID:filePath:line:column:function:_:)``.
///
/// ```swift
/// let count = try withRecording(Recording("users")) {
///   try client.countUsers()
/// }
/// ```
///
/// The parameters are the same.
///
/// - Throws: The error that the body throws, or a ``RecordingError``.
@discardableResult
public func withRecording<R>(
  _ recording: Recording, where condition: RequestMatcher? = nil, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column, function: String = #function,
  _ body: () throws -> R
) throws -> R {
  // It stays an error if the test framework doesn't run the code.
  var result: Result<R, any Error> = .failure(CancellationError())
  let errors = (TestVerdict.current ?? TestVerdict()).run(in: .new) {
    var use: RecordingUse?
    do {
      use = try RecordingUse(recording, condition, StubLocation(fileID, filePath, line, column), function)
      result = .success(try RecordingInUse.$current.withValue(use?.frame, operation: body))
      return (use, nil)
    } catch {
      result = .failure(error)
      return (use, "its code threw an error")
    }
  }
  if case .success = result, let error = errors.first { throw error }
  return try result.get()
}

extension StubRegistry? {
  /// A new registry for code outside of every scope, or `nil` in a scope.
  fileprivate static var new: StubRegistry? { StubRegistry.current === StubRegistry.global ? StubRegistry() : nil }
}

extension RecordingUse {
  /// Begins in the current registry.
  fileprivate convenience init(
    _ recording: Recording, _ condition: RequestMatcher?, _ location: StubLocation, _ function: String
  ) throws(RecordingError) {
    var recording = recording
    if let condition { recording.condition = recording.condition.map { $0 && condition } ?? condition }
    // The name of a function without its parameters selects its test.
    let filter = String(function.prefix { $0 != "(" })
    try self.init(recording, in: .current, at: location, filter: filter, isOfTest: false)
  }
}
