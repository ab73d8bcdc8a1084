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
    label.unicodeScalars.count > 1_000 ? label : "xn--" + Punycode.encode(label)
  }
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

extension URLRequest {
  /// A Boolean value that indicates whether the request is for a server on this machine: `localhost` and the names
  /// below it (RFC 6761, section 6.3), 127.0.0.0/8, and ::1.
  package var isLoopback: Bool {
    RequestFacts(self).host.map(HostName.isLoopback) ?? false
  }
}

/// The encoding of Unicode in host names (RFC 3492), for one label without its `xn--`.
enum Punycode {
  private static let base = 36, tMin = 1, tMax = 26, skew = 38, damp = 700, initialBias = 72, initialN = 128

  static func encode(_ label: String) -> String {
    let input = label.unicodeScalars.map { Int($0.value) }
    var output = label.unicodeScalars.filter(\.isASCII).map { UInt8($0.value) }
    let basicCount = output.count
    var (n, delta, bias, handled) = (initialN, 0, initialBias, basicCount)
    if basicCount > 0 { output.append(UInt8(ascii: "-")) }
    while handled < input.count {
      let next = input.filter { $0 >= n }.min()!
      delta += (next - n) * (handled + 1)
      n = next
      for scalar in input {
        if scalar < n { delta += 1 }
        guard scalar == n else { continue }
        var q = delta
        var k = base
        while true {
          let t = threshold(k, bias)
          if q < t { break }
          output.append(digit(t + (q - t) % (base - t)))
          q = (q - t) / (base - t)
          k += base
        }
        output.append(digit(q))
        bias = adapt(delta, handled + 1, isFirst: handled == basicCount)
        delta = 0
        handled += 1
      }
      delta += 1
      n += 1
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// Returns `nil` for text that is not Punycode.
  static func decode(_ text: String) -> String? {
    let bytes = Array(text.utf8)
    let dash = bytes.lastIndex(of: UInt8(ascii: "-"))
    var output = bytes[..<(dash ?? 0)].map { Int($0) }
    var rest = bytes[(dash.map { $0 + 1 } ?? 0)...]
    var (n, i, bias) = (initialN, 0, initialBias)
    while !rest.isEmpty {
      let previous = i
      var (weight, k) = (1, base)
      while true {
        guard let byte = rest.popFirst(), let digit = value(byte) else { return nil }
        let (step, overflowed) = digit.multipliedReportingOverflow(by: weight)
        guard !overflowed, step < 1 << 40 else { return nil }
        i += step
        let t = threshold(k, bias)
        if digit < t { break }
        weight *= base - t
        guard weight < 1 << 40 else { return nil }
        k += base
      }
      bias = adapt(i - previous, output.count + 1, isFirst: previous == 0)
      n += i / (output.count + 1)
      i %= output.count + 1
      output.insert(n, at: i)
      i += 1
    }
    var scalars = String.UnicodeScalarView()
    for value in output {
      guard let scalar = UInt32(exactly: value).flatMap(Unicode.Scalar.init) else { return nil }
      scalars.append(scalar)
    }
    return String(scalars)
  }

  private static func threshold(_ k: Int, _ bias: Int) -> Int {
    min(max(k - bias, tMin), tMax)
  }

  private static func adapt(_ delta: Int, _ count: Int, isFirst: Bool) -> Int {
    var delta = isFirst ? delta / damp : delta / 2
    delta += delta / count
    var k = 0
    while delta > (base - tMin) * tMax / 2 {
      delta /= base - tMin
      k += base
    }
    return k + (base - tMin + 1) * delta / (delta + skew)
  }

  private static func digit(_ value: Int) -> UInt8 {
    UInt8(value < 26 ? value + 97 : value - 26 + 48)
  }

  private static func value(_ byte: UInt8) -> Int? {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(byte) - 97
    case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte) - 48 + 26
    default: nil
    }
  }
}
