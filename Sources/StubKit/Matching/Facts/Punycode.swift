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
