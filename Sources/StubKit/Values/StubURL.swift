import Foundation

/// A URL for `stub`, ``isURL(_:)`` and the like: a text, or a `URL`.
///
/// ```swift
/// stub(.get, "https://api.example.com/users", response: .json([]))
/// stub(
///   .get, client.baseURL.appendingPathComponent("users"),
///   response: .json([]))
/// ```
public protocol StubURL: Sendable {}

extension String: StubURL {}
extension URL: StubURL {}

extension StubURL {
  /// The URL as text, and as the value that was written, if it is one.
  package var written: (text: String, url: URL?) {
    if let text = self as? String { return (text, nil) }
    let url = self as? URL
    return (url?.absoluteString ?? "\(self)", url)
  }
}
