import Foundation

/// A recording that can't be played or made: what is wrong, where, and what to do.
///
/// ```swift
/// do {
///   try await withRecording(Recording("users")) { … }
/// } catch let error as RecordingError {
///   print(error)  // There is no recording "users": …
/// }
/// ```
public struct RecordingError: Error, Sendable, Hashable, CustomStringConvertible, LocalizedError {
  /// What is wrong with a recording. There may be more kinds in a later version: compare values.
  ///
  /// ```swift
  /// #expect(error.reason == .missing)
  /// ```
  public struct Reason: Sendable, Hashable, CustomStringConvertible {
    private enum Kind: String { case missing, unreadable, unwritable, conflicting, invalidName, unknownMode, unnamed }
    private let kind: Kind

    /// There is no file with the recording.
    public static let missing = Reason(kind: .missing)
    /// The file can't be read, or is no HTTP Archive.
    public static let unreadable = Reason(kind: .unreadable)
    /// The file can't be written.
    public static let unwritable = Reason(kind: .unwritable)
    /// Another test is recording to the same file.
    public static let conflicting = Reason(kind: .conflicting)
    /// The name is no path below a folder.
    public static let invalidName = Reason(kind: .invalidName)
    /// The environment variable `STUBKIT_RECORD` names no mode.
    public static let unknownMode = Reason(kind: .unknownMode)
    /// A case of a parameterised test has no recording of its own.
    public static let unnamed = Reason(kind: .unnamed)

    /// The reason's name: `missing`.
    public var description: String { kind.rawValue }
  }

  /// The name of the recording.
  public let name: String
  /// What is wrong.
  public let reason: Reason
  /// What is wrong, and what to do, in sentences.
  public let description: String

  /// The description, so that `localizedDescription` carries it.
  public var errorDescription: String? { description }

  package init(_ name: String, _ reason: Reason, _ description: String) {
    self.name = name
    self.reason = reason
    self.description = description
  }
}
