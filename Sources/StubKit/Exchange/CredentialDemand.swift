import Foundation

/// The credential that a response asks for before it answers: a user and a password, by HTTP basic authentication
/// (RFC 7617), for a server (401) or for a proxy on the way to it (407).
///
/// URLSession on Linux answers only the Basic scheme. A response that asks for another one is delivered as it is.
struct CredentialDemand {
  let space: URLProtectionSpace
  /// The field that carries the credential.
  private let field: String

  init?(_ response: HTTPURLResponse) {
    let isOfProxy = response.statusCode == 407
    let challenges = isOfProxy ? "Proxy-Authenticate" : "WWW-Authenticate"
    guard isOfProxy || response.statusCode == 401, let url = response.url, let host = url.host, let scheme = url.scheme,
      let realm = Self.realm(response.value(forHTTPHeaderField: challenges))
    else { return nil }
    let port = url.port ?? (scheme == "https" ? 443 : 80)
    let basic = NSURLAuthenticationMethodHTTPBasic
    field = isOfProxy ? "Proxy-Authorization" : "Authorization"
    space =
      isOfProxy
      ? URLProtectionSpace(proxyHost: host, port: port, type: scheme, realm: realm, authenticationMethod: basic)
      : URLProtectionSpace(host: host, port: port, protocol: scheme, realm: realm, authenticationMethod: basic)
  }

  /// Returns the request with the credential that was asked for.
  func request(_ request: URLRequest, with credential: URLCredential) -> URLRequest {
    var request = request
    let pair = "\(credential.user ?? ""):\(credential.password ?? "")"
    request.setValue("Basic \(Data(pair.utf8).base64EncodedString())", forHTTPHeaderField: field)
    return request
  }

  /// Returns the realm of the first challenge that is Basic and names one (RFC 9110, section 11.6.1).
  static func realm(_ header: String?) -> String? {
    guard let header else { return nil }
    var scheme = ""
    for part in parts(of: header) {
      var parameter = part
      let token = part.prefix { $0 != " " && $0 != "=" }
      let rest = part[token.endIndex...].drop { $0 == " " }
      // `Basic realm="x"` begins a challenge, and `realm = "x"` continues it.
      if rest.first != "=" {
        scheme = token.lowercased()
        parameter = rest
      }
      guard scheme == "basic" else { continue }
      let name = parameter.prefix { $0 != " " && $0 != "=" }
      let value = parameter[name.endIndex...].drop { $0 == " " }
      if name.lowercased() == "realm", value.first == "=" { return unquoted(value.dropFirst().drop { $0 == " " }) }
    }
    return nil
  }

  /// Returns the parts between the commas outside of quotation marks.
  private static func parts(of header: String) -> [Substring] {
    var isQuoted = false
    var isEscaped = false
    return header.split { character in
      defer { isEscaped = isQuoted && character == "\\" && !isEscaped }
      if character == "\"" && !isEscaped { isQuoted.toggle() }
      return character == "," && !isQuoted
    }.map { $0.drop { $0 == " " || $0 == "\t" } }
  }

  private static func unquoted(_ value: Substring) -> String {
    guard value.first == "\"" else { return String(value.prefix { $0 != " " && $0 != "\t" }) }
    var text = ""
    var rest = value.dropFirst()
    while let character = rest.popFirst(), character != "\"" {
      if character == "\\", let escaped = rest.popFirst() { text.append(escaped) } else { text.append(character) }
    }
    return text
  }
}
