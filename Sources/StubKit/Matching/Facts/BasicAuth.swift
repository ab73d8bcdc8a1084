import Foundation

/// The credentials of HTTP basic authentication (RFC 7617).
struct BasicAuth: Sendable, Hashable {
  let user: String
  let password: String

  init(user: String, password: String) {
    self.user = user
    self.password = password
  }

  /// Nil for another scheme, and for what is not base64 of UTF-8 with a colon in it.
  init?(header: String) {
    let parts = header.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "basic",
      let data = Data(base64Encoded: parts[1].trimmingCharacters(in: .whitespaces)),
      let text = String(data: data, encoding: .utf8),
      let colon = text.utf8.firstIndex(of: UInt8(ascii: ":"))
    else { return nil }
    user = String(text[..<colon])
    password = String(text[text.utf8.index(after: colon)...])
  }
}
