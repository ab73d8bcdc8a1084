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
    if host.isASCII { return host }
    // The ideographic full stop is a dot in a host name, but the compatibility mapping leaves it unchanged.
    let mapped = host.compatibilityComposed.lowercased().unicodeScalars.map { $0 == "\u{3002}" ? "." : $0 }
    return String(String.UnicodeScalarView(mapped)).pieces(at: ".")
      .map { label in label.utf8.allSatisfy { $0 < 0x80 } ? String(label) : punycode(String(label)) }
      .joined(separator: ".")
  }

  /// Returns the canonical host with its Punycode labels in Unicode. A label that doesn't decode stays as it is.
  static func unicode(_ canonical: String) -> String {
    guard canonical.contains("xn--") else { return canonical }
    return canonical.pieces(at: ".")
      .map { label in
        guard label.starts(withBytesOf: "xn--") else { return String(label) }
        return Punycode.decode(String(label.unicodeScalars.dropFirst(4))) ?? String(label)
      }
      .joined(separator: ".")
  }

  /// A label has at most 63 bytes (RFC 1035, section 2.3.4). A far longer text is not a label, and encoding it would
  /// take quadratic time.
  private static func punycode(_ label: String) -> String {
    label.unicodeScalars.count > longestLabel ? label : "xn--" + Punycode.encode(label)
  }

  private static let longestLabel = 1_000
}

extension String {
  /// The text in normalisation form KC. When Foundation on Linux composes, it confuses a scalar beyond the basic
  /// multilingual plane with the scalar that has the same low 16 bits. Such a scalar is therefore mapped separately.
  fileprivate var compatibilityComposed: String {
    guard unicodeScalars.contains(where: { $0.value > 0xFFFF }) else {
      return precomposedStringWithCompatibilityMapping
    }
    // The result of mapping a scalar can be in the plane, and then composes with what follows.
    return mappedInPieces.mappedInPieces
  }

  private var mappedInPieces: String {
    var pieces: [String.UnicodeScalarView] = []
    var isOpen = false
    for scalar in unicodeScalars {
      let isBeyond = scalar.value > 0xFFFF
      if isBeyond || !isOpen { pieces.append(String.UnicodeScalarView()) }
      pieces[pieces.count - 1].append(scalar)
      isOpen = !isBeyond
    }
    return pieces.map { String($0).precomposedStringWithCompatibilityMapping }.joined()
  }
}
