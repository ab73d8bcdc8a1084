import Foundation
import StubKit

/// An error that says why a recording can't be played or recorded, and what to do.
///
/// ```swift
/// do {
///   try await withRecording(Recording("users")) { … }
/// } catch let error as RecordingError {
///   print(error)  // There is no recording "users": …
/// }
/// ```
public struct RecordingError: StubKitError, Hashable {
  /// What is wrong with a recording. Later versions can add reasons, so compare values:
  ///
  /// ```swift
  /// let error = await #expect(throws: RecordingError.self) {
  ///   try await withRecording(Recording("users")) { … }
  /// }
  /// #expect(error?.reason == .missing)
  /// ```
  public struct Reason: Sendable, Hashable, CustomStringConvertible {
    /// The number of the reason, from 1, in the order of this list. A new reason gets the next one, at the end.
    fileprivate let code: Int
    private let name: String

    private init(_ code: Int, _ name: String) { (self.code, self.name) = (code, name) }

    /// The name of the reason, such as `missing`.
    public var description: String { name }

    /// The recording doesn't exist. Record it with `STUBKIT_RECORD=once`.
    public static let missing = Reason(1, "missing")
    /// The file can't be read, or isn't an HTTP Archive.
    public static let unreadable = Reason(2, "unreadable")
    /// The file can't be written, or a request has a body that is too long or would not be found on replay.
    public static let unwritable = Reason(3, "unwritable")
    /// Two uses of a recording don't go together: two tests record to one file at the same time, the second one would
    /// replace in the mode ``RecordingMode/all`` what the first one has recorded in this run, or two recordings are in
    /// use side by side in one scope.
    public static let conflicting = Reason(4, "conflicting")
    /// No response was recorded, so an existing recording stays, or no request had ended.
    public static let empty = Reason(5, "empty")
    /// The network answers in another way than the recording, with `STUBKIT_DRIFT=fail`, or the recording is older than
    /// its `expires:` allows. Only with ``RecordingMode/check``.
    public static let outdated = Reason(6, "outdated")
    /// The name is not a valid path below a folder.
    public static let invalidName = Reason(7, "invalidName")
    /// The environment variable `STUBKIT_RECORD` doesn't contain a mode, or `STUBKIT_DRIFT` neither `warn` nor `fail`.
    public static let unknownMode = Reason(8, "unknownMode")
    /// A rule for secrets is invalid, such as one with a regular expression that is none.
    public static let invalidRedaction = Reason(9, "invalidRedaction")
    /// An argument is invalid: a part to ignore, such as one with an empty name, a condition that no request can meet,
    /// or a time below a day.
    public static let invalidPart = Reason(10, "invalidPart")
    /// A case of a parameterized test has no name for its recording. Use `withRecording`, with a name for each case.
    public static let unnamed = Reason(11, "unnamed")
  }

  /// The name of the recording, such as `users` for the file `users.har`.
  public let name: String
  /// What is wrong, for a test that compares it. ``description`` also says what to do.
  public let reason: Reason
  /// What is wrong, and what to do, in sentences.
  public let description: String

  /// The code of the error as an `NSError`: the number of the reason, from 1 for `missing`. A new reason gets the next
  /// number.
  public var errorCode: Int { reason.code }

  package init(_ name: String, _ reason: Reason, _ description: String) {
    self.name = name
    self.reason = reason
    self.description = description
  }
}
