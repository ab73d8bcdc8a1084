/// When a test attaches its conversation: its requests and their responses, in files.
///
/// ```swift
/// @Suite(.stubbed(attaches: .always)) struct UserTests { … }
/// ```
///
/// The product StubKitTranscripts writes the files. A test target that doesn't depend on it attaches nothing. See
/// the guide *Troubleshooting*.
public enum AttachmentPolicy: Sendable, Hashable {
  /// If the test fails. This is the default.
  case onFailure
  /// At the end of each test that makes a request.
  case always
  /// Not at all.
  case never
}
