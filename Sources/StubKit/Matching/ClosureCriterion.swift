import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A test of the user's own: opaque, so it can be neither indexed nor explained beyond its text. A class for its identity,
/// by which it is remembered what it said.
final class ClosureCriterion: Sendable {
  let text: String
  let test: @Sendable (URLRequest) -> Bool
  /// What there is to say of a body that is decoded for the test; nil for a test that gets the request as it is.
  let decoding: Decoding?

  struct Decoding: Sendable {
    /// What the body has to be.
    let expectation: String
    /// Why the body does not decode; nil if it does.
    let problem: @Sendable (Data) -> String?
  }

  init(text: String, decoding: Decoding? = nil, test: @escaping @Sendable (URLRequest) -> Bool) {
    self.text = text
    self.test = test
    self.decoding = decoding
  }
}
