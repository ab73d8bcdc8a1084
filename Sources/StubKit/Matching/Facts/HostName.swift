import Foundation

/// Host names as they are compared: lower case, international labels in punycode (RFC 5891), IPv6 without brackets.
enum HostName {
  static func canonical(_ host: String) -> String {
    var host = host.lowercased()
    if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
    if host.contains(":") { return host.replacing("%25", with: "%") }
    if host.isASCII { return host }
    // The ideographic full stop is a dot in a host name; the compatibility mapping leaves it alone.
    return host.precomposedStringWithCompatibilityMapping.lowercased().replacing("\u{3002}", with: ".")
      .split(separator: ".", omittingEmptySubsequences: false)
      .map { label in
        label.utf8.allSatisfy { $0 < 0x80 } ? String(label) : "xn--" + Punycode.encode(String(label))
      }
      .joined(separator: ".")
  }

  /// The canonical host with its punycode labels in Unicode; a label that does not decode stays as it is.
  static func unicode(_ canonical: String) -> String {
    guard canonical.contains("xn--") else { return canonical }
    return canonical.split(separator: ".", omittingEmptySubsequences: false)
      .map { label in
        label.hasPrefix("xn--") ? Punycode.decode(String(label.dropFirst(4))) ?? String(label) : String(label)
      }
      .joined(separator: ".")
  }
}
