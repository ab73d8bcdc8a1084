import Foundation
import StubKitFormats

/// Host names as they are compared: in lower case, with international labels in Punycode (RFC 5891), and IPv6
/// addresses without brackets.
enum HostName {
  static func canonical(_ host: String) -> String {
    var host = host.lowercased()
    if host.utf8.first == UInt8(ascii: "["), host.utf8.last == UInt8(ascii: "]") {
      host = String(host.unicodeScalars.dropFirst().dropLast())
    }
    if host.has(":") { return host.replacing("%25", with: "%") }
    // Before macOS 14, URL(string:) is nil for an international host, also for that of a request.
    return host.isASCII ? host : URL(string: "http://\(host)/")?.host ?? host
  }

  /// Returns the end of a host in canonical form. It can begin with a dot, which no host does.
  static func canonical(suffix: String) -> String {
    suffix.pieces(at: ".").map { canonical(String($0)) }.joined(separator: ".")
  }
}

extension URLRequest {
  /// A Boolean value that indicates whether the request is for a server on this machine: `localhost` and the names
  /// below it (RFC 6761, section 6.3), 127.0.0.0/8, and ::1.
  package var isLoopback: Bool {
    RequestFacts(self).host.map(HostName.isLoopback) ?? false
  }
}

/// Paths as they are compared: decoded, without trailing slashes, and "/" for the empty one.
enum HTTPPath {
  static func canonical(_ decoded: String) -> String {
    let trimmed = decoded.withoutTrailingSlashes
    return trimmed.isEmpty ? "/" : String(trimmed).canonical
  }

  /// Returns whether a path equals another one or is below it.
  ///
  /// - Parameter ancestor: A path without trailing slashes, or empty for the root.
  static func isPath(_ path: String, under ancestor: String) -> Bool {
    // A slash and a combining mark after it are one character of a text, but not of a path.
    path == ancestor || path.hasPrefix(ancestor + "/") || path.utf8.starts(with: (ancestor + "/").utf8)
  }

  /// Returns the port of a scheme in lower case.
  static func defaultPort(ofScheme scheme: String) -> Int? { scheme == "https" ? 443 : scheme == "http" ? 80 : nil }

  /// Returns the same as `URL.pathExtension`: none for "name", ".name", "..name" and "name.", and none with a space
  /// in it.
  static func pathExtension(of path: String) -> String {
    let (slash, point) = (UInt8(ascii: "/"), UInt8(ascii: "."))
    let utf8 = path.utf8
    let name = utf8[(utf8.lastIndex(of: slash).map { utf8.index(after: $0) } ?? utf8.startIndex)...]
    guard let last = name.lastIndex(of: point), name[..<last].contains(where: { $0 != point }) else { return "" }
    let text = String(Substring(name[name.index(after: last)...]))
    return text.has(" ") ? "" : text
  }
}
