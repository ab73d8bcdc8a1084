import Foundation
import StubKit

extension ServerCore {
  /// Makes the request that stubs see from the head of one that arrived.
  func request(_ head: RequestHead) throws(RequestProblem) -> URLRequest {
    var request = URLRequest(url: try url(of: head))
    request.httpMethod = head.method
    guard request.httpMethod == head.method else {
      throw RequestProblem(
        501,
        "The method \(head.method) isn't \(head.method.uppercased()) (RFC 9110, section 9.1), and URLRequest has no other."
      )
    }
    var values: [String: String] = [:]
    for (name, fields) in Dictionary(grouping: head.fields.fields, by: { $0.name.lowercased() }) {
      // In a unit test, conditions don't see these either. The host is that of the origin.
      guard name != "host", name != "content-length" else { continue }
      // Like `URLRequest.addValue`, so that one condition matches in both places. For cookies, see RFC 6265, section
      // 5.4.
      values[fields[0].name] = fields.map(\.value).joined(separator: name == "cookie" ? "; " : ",")
    }
    request.allHTTPHeaderFields = values
    return request
  }

  /// Returns the URL that stubs see (RFC 9112, section 3.3).
  private func url(of head: RequestHead) throws(RequestProblem) -> URL {
    let target = head.target
    guard head.method != "CONNECT" else {
      throw RequestProblem(
        501,
        "The server opens no tunnels, because TLS would need a certificate in the client. Use http instead of https, and "
          + "set for: to the https origin.")
    }
    if target.hasPrefix("/") { return try url(base(for: head) + Self.encoded(target)) }
    if target == "*", head.method == "OPTIONS" { return try url(base(for: head)) }
    let rest = target.scheme?.rest ?? ""
    let authority = rest.prefix { !"/?".contains($0) }
    guard let absolute = URL(string: target), let named = Origin(of: absolute), HeadParsing.isAuthority(authority)
    else {
      throw RequestProblem(400, "The target is neither a path nor an absolute http or https URL.")
    }
    guard named.scheme == own.scheme, named.isLoopback, named.port == own.port, let origin else { return absolute }
    return try url(origin.text + rest[authority.endIndex...])
  }

  private func url(_ text: String) throws(RequestProblem) -> URL {
    guard let url = URL(string: text) else { throw RequestProblem(400, "The target makes no valid URL.") }
    return url
  }

  /// Encodes what a URL can't have as it is, but some clients send, and leaves what is encoded alone.
  private static func encoded(_ target: String) -> String {
    let target = target.has("%") ? target.replacing(#/%(?![0-9A-Fa-f]{2})/#, with: "%25") : target
    return target.addingPercentEncoding(withAllowedCharacters: allowedInURL) ?? target
  }

  /// All but what neither a path nor a query can have (RFC 3986).
  private static let allowedInURL = CharacterSet(charactersIn: #""<>[\]^`{|}"#).inverted

  /// Returns the beginning of the URL for a target that is a path.
  ///
  /// A page in a browser can reach a server on this machine by a name that it lets point here. Its Host field says so.
  private func base(for head: RequestHead) throws(RequestProblem) -> String {
    guard let host = head.fields["Host"], host != own.authority else { return (origin ?? own).text }
    guard let named = URL(string: "http://\(host)").flatMap(Origin.init(of:)) else {
      throw RequestProblem(400, "The Host field is not a host with an optional port.")
    }
    guard named.isLoopback || named.host == origin?.host else {
      let expected = origin.map { "this machine or \($0.host)" } ?? "this machine"
      throw RequestProblem(
        421, "The Host field names \(named.host), and the server stands for \(expected). See StubServer(for:).")
    }
    return origin?.text ?? "http://\(host)"
  }
}

extension Origin {
  /// Whether the origin is on this machine.
  var isLoopback: Bool { URL(string: text).map { URLRequest(url: $0).isLoopback } ?? false }
}
