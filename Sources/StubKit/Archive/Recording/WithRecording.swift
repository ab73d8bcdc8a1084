import Foundation

/// Runs code whose requests a recording answers, or which makes the recording.
///
/// ```swift
/// let users = try await withRecording(Recording("users")) {
///   try await client.users()
/// }
/// ```
///
/// The code runs in a scope of its own, as `withStubs` makes one; in a scope, it uses that scope's registry. Stubs that the code registers come
/// before the recording. What is recorded is written when the code has come to its end. If the code throws, nothing is written.
///
/// - Parameters:
///   - recording: The recording.
///   - isolation: The actor on which the body runs: the caller's.
///   - fileID: Where the recording is used, for reports; leave it out, like the parameters that follow.
///   - filePath: The file's path.
///   - line: The line.
///   - column: The column.
///   - function: The function.
///   - body: The code.
/// - Returns: What the body returns.
/// - Throws: What the body throws, or a ``RecordingError``: before the body runs, for a recording that is missing or can't be read, or
///   that another test is making; after it, for one that can't be written.
@discardableResult
public func withRecording<R>(
  _ recording: Recording, isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column, function: String = #function,
  _ body: () async throws -> R
) async throws -> R {
  func use(_ registry: StubRegistry) async throws -> R {
    let session = try RecordingSession(
      recording, in: registry, at: StubLocation(fileID, filePath, line, column), filter: function.beforeParenthesis)
    let result: R
    do {
      result = try await body()
    } catch {
      try? session.end(isWhole: false)
      throw error
    }
    try session.end(isWhole: true)
    return result
  }
  let current = StubRegistry.current
  if current !== StubRegistry.global { return try await use(current) }
  let registry = StubRegistry()
  return try await withStubs(registry: registry) { try await use(registry) }
}

/// Runs code whose requests a recording answers, or which makes the recording, synchronously. See
/// ``withRecording(_:isolation:fileID:filePath:line:column:function:_:)``.
@discardableResult
public func withRecording<R>(
  _ recording: Recording, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column, function: String = #function, _ body: () throws -> R
) throws -> R {
  func use(_ registry: StubRegistry) throws -> R {
    let session = try RecordingSession(
      recording, in: registry, at: StubLocation(fileID, filePath, line, column), filter: function.beforeParenthesis)
    let result: R
    do {
      result = try body()
    } catch {
      try? session.end(isWhole: false)
      throw error
    }
    try session.end(isWhole: true)
    return result
  }
  let current = StubRegistry.current
  if current !== StubRegistry.global { return try use(current) }
  let registry = StubRegistry()
  return try withStubs(registry: registry) { try use(registry) }
}

extension String {
  /// A function's name without its parameters.
  fileprivate var beforeParenthesis: String { String(prefix { $0 != "(" }) }
}
