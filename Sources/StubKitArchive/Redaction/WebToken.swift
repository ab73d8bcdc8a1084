import Foundation
import StubKit

/// The parts of a JSON Web Token (RFC 7519) with the secrets in them.
///
/// A client can read the claims of the token that replaces it: header and claims are encoded again without their own
/// secrets, and the signature becomes one of the same length that no key verifies.
struct WebToken {
  /// A part that is text, and what was found in it.
  struct Part {
    let text: EncodedText
    let findings: SecretFinder.Findings
  }
  let header: Part, claims: Part
  /// What follows the claims: the signature, which can be empty, or `nil` in a token of two parts.
  let signature: Substring?

  /// Returns the token without secrets.
  ///
  /// - Parameter edited: Returns the text of a part without secrets.
  func replaced(_ number: Int, _ edited: (Bytes, SecretFinder.Findings) -> EditedBytes) -> String {
    func data(_ part: Part) -> Data { part.text.bytes.withUnsafeBufferPointer { edited($0, part.findings).data } }
    var claims = data(claims)
    if signature?.isEmpty != false {
      // Without a signature, only the claims tell it from another one.
      let claim = (claims.count > 2 ? "," : "") + "\"redacted\":\"\(PlaceholderText.name(number))\"}"
      claims = claims.dropLast() + Data(claim.utf8)
    }
    let parts = [data(header), claims].map { data in
      data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").prefix { $0 != "=" }
    }
    return (parts + (signature.map { [$0.isEmpty ? $0 : PlaceholderText.base64(number, $0)[...]] } ?? []))
      .joined(separator: ".")
  }
}

extension SecretFinder {
  /// Returns the parts of a value that is a JSON Web Token, whose claims are read as a response's wherever it stands,
  /// so that the same token has the same placeholder.
  func webToken(_ value: String) -> WebToken? {
    let parts = value.pieces(at: ".")
    guard 2...3 ~= parts.count, value.hasPrefix("eyJ"), depth < 16 else { return nil }
    let wasInRequest = isInRequest
    isInRequest = false
    defer { isInRequest = wasInRequest }
    guard let header = part(parts[0]), let claims = part(parts[1]) else { return nil }
    return WebToken(header: header, claims: claims, signature: parts.count > 2 ? parts[2] : nil)
  }

  private func part(_ part: Substring) -> WebToken.Part? {
    guard let text = EncodedText(json: part) else { return nil }
    return WebToken.Part(text: text, findings: nested(text))
  }
}
