import Foundation

/// A scheme, a host and a port, such as `https://api.example.com`.
struct Origin: Hashable {
  let scheme: String
  /// In lower case. An IPv6 address has its brackets.
  let host: String
  let port: Int

  static func defaultPort(of scheme: String) -> Int { scheme == "https" ? 443 : 80 }

  /// The host, and the port if it isn't the scheme's.
  var authority: String { port == Self.defaultPort(of: scheme) ? host : "\(host):\(port)" }

  /// The origin as a URL without a path.
  var text: String { "\(scheme)://\(authority)" }
}

extension Origin {
  /// Parses the origin of an absolute URL.
  init?(of url: URL) {
    guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https",
      let host = url.host(percentEncoded: true)?.lowercased(), !host.isEmpty
    else { return nil }
    self.scheme = scheme
    self.host = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
    port = url.port ?? Self.defaultPort(of: scheme)
  }

  /// Parses a text that is an origin, and nothing more than an origin.
  init?(_ text: String) {
    guard let url = URL(string: text), let origin = Origin(of: url), url.user() == nil, url.query() == nil,
      url.fragment() == nil, ["", "/"].contains(url.path(percentEncoded: true)),
      (1...65_535).contains(origin.port)
    else { return nil }
    self = origin
  }
}
