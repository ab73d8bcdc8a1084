import Foundation

/// A test that the user wrote. It is opaque, so StubKit can neither index it nor explain it beyond its text. It is a
/// class because StubKit remembers its result by its identity.
final class ClosureCriterion: Sendable {
  let text: String
  let test: @Sendable (URLRequest) -> Bool
  /// A description of the decoded body, or `nil` for a test that receives the request as it is.
  let decoding: Decoding?

  struct Decoding: Sendable {
    /// What the body must be.
    let expectation: String
    /// Returns why the body doesn't decode, or `nil` if it does.
    let problem: @Sendable (Data) -> String?
  }

  init(text: String, decoding: Decoding? = nil, test: @escaping @Sendable (URLRequest) -> Bool) {
    self.text = text
    self.test = test
    self.decoding = decoding
  }
}
