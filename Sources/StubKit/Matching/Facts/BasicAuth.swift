import Foundation
import StubKitFormats

/// The credentials of HTTP basic authentication (RFC 7617).
struct BasicAuth: Sendable, Hashable {
  let user: String
  let password: String

  init(user: String, password: String) {
    self.user = user
    self.password = password
  }

  /// Returns `nil` for another scheme, and for a value that is not base64 of UTF-8 with a colon in it.
  init?(header: String) {
    guard let (scheme, credentials) = header[...].withoutOuterSpace.cut(at: " "), scheme.lowercased() == "basic",
      let data = Data(base64Encoded: String(credentials.withoutOuterSpace)),
      let text = String(validUTF8: data), let (user, password) = text.cut(at: ":")
    else { return nil }
    self.user = String(user)
    self.password = String(password)
  }
}
