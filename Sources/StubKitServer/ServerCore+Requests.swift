import Foundation
import StubKit

extension ServerCore {
  /// Makes the request that stubs see from the head of one that arrived.
  func request(_ head: RequestHead) throws(RequestProblem) -> URLRequest {
    var request = URLRequest(url: try url(of: head))
    // That of a new request is GET.
    if head.method != "GET" { request.httpMethod = head.method }
    guard head.method == "GET" || request.httpMethod == head.method else {
      throw RequestProblem(
        501,
        "The method \(head.method) isn't \(head.method.uppercased()) (RFC 9110, section 9.1), and URLRequest has no other."
      )
    }
    var fields: [String: String] = [:]
    var spellings: [String: String] = [:]
    for field in head.fields {
      let name = field.name.lowercased()
      // In a unit test, conditions don't see these either. The host is that of the origin.
      guard name != "host", name != "content-length" else { continue }
      let spelling = spellings[name, default: field.name]
      spellings[name] = spelling
      // Like `URLRequest.addValue`, so that one condition matches in both places. For cookies, see RFC 6265, section
      // 5.4.
      let separator = name == "cookie" ? "; " : ","
      fields[spelling] = fields[spelling].map { $0 + separator + field.value } ?? field.value
    }
    request.allHTTPHeaderFields = fields
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
    let rest = target.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false).last ?? ""
    guard let absolute = URL(string: target), let named = Origin(of: absolute),
      HeadParsing.isAuthority(rest.prefix { !"/?".contains($0) })
    else {
      throw RequestProblem(400, "The target is neither a path nor an absolute http or https URL.")
    }
    guard named.scheme == own.scheme, named.isLoopback, named.port == own.port, let origin else { return absolute }
    let path = target.dropFirst("http://".count).drop { !"/?".contains($0) }
    return try url(origin.text + path)
  }

  private func url(_ text: String) throws(RequestProblem) -> URL {
    guard let url = URL(string: text) else { throw RequestProblem(400, "The target makes no valid URL.") }
    return url
  }

  /// Encodes what a URL can't have as it is, but some clients send, and leaves what is encoded alone.
  private static func encoded(_ target: String) -> String {
    guard target.utf8.contains(where: { $0.isEncodedInURL || $0 == 0x25 }) else { return target }
    let bytes = Array(target.utf8)
    var encoded: [UInt8] = []
    for (position, byte) in bytes.enumerated() {
      let isStray = byte == 0x25 && !(bytes.dropFirst(position + 1).prefix(2).count { $0.hexadecimalDigit != nil } == 2)
      encoded += byte.isEncodedInURL || isStray ? Array("%\(String(byte, radix: 16, uppercase: true))".utf8) : [byte]
    }
    return String(decoding: encoded, as: UTF8.self)
  }

  /// Returns the beginning of the URL for a target that is a path.
  ///
  /// A page in a browser can reach a server on this machine by a name that it lets point here. Its Host field says so.
  private func base(for head: RequestHead) throws(RequestProblem) -> String {
    guard let host = head.values(of: "Host").first, host != own.authority else { return (origin ?? own).text }
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

extension UInt8 {
  /// Whether the byte is one that neither a path nor a query can have (RFC 3986).
  fileprivate var isEncodedInURL: Bool { #""<>[\]^`{|}"#.utf8.contains(self) }
}

extension Origin {
  /// Whether the origin is on this machine.
  var isLoopback: Bool { URL(string: text).map { URLRequest(url: $0).isLoopback } ?? false }
}
