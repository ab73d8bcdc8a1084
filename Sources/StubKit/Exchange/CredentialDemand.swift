import Foundation

/// The credential that a 401 asks for before it answers: a user and a password, by HTTP basic authentication (RFC 7617).
///
/// URLSession on Linux answers only the Basic scheme. A response that asks for another one is delivered as it is.
struct CredentialDemand {
  let space: URLProtectionSpace

  init?(_ response: HTTPURLResponse) {
    guard response.statusCode == 401, let url = response.url, let host = url.host, let scheme = url.scheme,
      let realm = Self.realm(response.value(forHTTPHeaderField: "WWW-Authenticate") ?? "")
    else { return nil }
    space = URLProtectionSpace(
      host: host, port: url.port ?? (scheme == "https" ? 443 : 80), protocol: scheme, realm: realm,
      authenticationMethod: NSURLAuthenticationMethodHTTPBasic)
  }

  /// Returns the request with the credential that was asked for.
  func request(_ request: URLRequest, with credential: URLCredential) -> URLRequest {
    var request = request
    let pair = "\(credential.user ?? ""):\(credential.password ?? "")"
    request.setValue("Basic \(Data(pair.utf8).base64EncodedString())", forHTTPHeaderField: "Authorization")
    return request
  }

  /// Returns the realm of the first challenge that is Basic and names one (RFC 9110, section 11.6.1).
  private static func realm(_ header: String) -> String? {
    let challenge =
      #/(?i)(?:^|,)\s*Basic\s+(?:[\w-]+\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^",\s]+)\s*,\s*)*?realm\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^",\s]+))/#
    guard let match = header.firstMatch(of: challenge) else { return nil }
    return (match.1?.replacing(#/\\(.)/#) { $0.1 } ?? match.2).map(String.init)
  }
}
