import StubKit
import Testing

// How files are named for tests, and commands select them.

extension Test {
  /// The names of the test's suites and its own, without parameters and backticks.
  package var plainNames: [String] {
    id.nameComponents.map { name in
      if name.hasPrefix("`"), let end = name.dropFirst().firstIndex(of: "`") { return String(name[..<end].dropFirst()) }
      return String(name.prefix { $0 != "(" })
    }
  }
}

extension String {
  /// The text with only those characters that every system accepts in file names. If others were replaced, a short hash
  /// of the text tells it from texts that differ only in these.
  package var fitForFileName: String { fitForFileName(upTo: .max) }

  /// - Parameter limit: The largest number of characters before the hash.
  package func fitForFileName(upTo limit: Int) -> String {
    let fit = String(prefix(limit).map { $0.isLetter || $0.isNumber || " _-".contains($0) ? $0 : "-" })
    guard fit != self else { return self }
    // FNV-1a. The digits are the same where case doesn't count.
    let hash = utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
    return "\(fit)-\(String(hash, radix: 36))"
  }
}
