import StubKitFormats

/// Finds values that look like a secret, whatever their names are.
///
/// It knows bearer tokens (RFC 6750), JSON Web Tokens (RFC 7519), private keys in PEM (RFC 7468), and the keys and
/// tokens of services that publish their beginning, so that scanners of source code find them.
struct SecretShapes {
  /// What was found.
  struct Finding {
    /// The range of the secret itself.
    let range: Range<Int>
    /// Whether it is a JSON Web Token, whose last part is the secret.
    var isToken = false
  }

  // Lent by the caller for the time of the search.
  let text: UnsafeBufferPointer<UInt8>

  init(_ text: UnsafeBufferPointer<UInt8>) { self.text = text }

  /// The secrets, in order. Each byte is read a few times.
  var findings: [Finding] {
    var findings: [Finding] = []
    var position = 0
    while position < text.count {
      let first = text[position]
      guard Self.beginnings[Int(first)], position == 0 || !text[position - 1].isAlphanumeric,
        let finding = finding(at: position)
      else {
        position += 1
        continue
      }
      findings.append(finding)
      position = max(finding.range.upperBound, position + 1)
    }
    return findings
  }

  private func finding(at position: Int) -> Finding? {
    switch text[position] {
    case UInt8(ascii: "B"), UInt8(ascii: "b"): if let token = bearer(position) { return token }
    case UInt8(ascii: "e"): if let token = token(position) { return token }
    case UInt8(ascii: "-"): return pem(position)
    default: break
    }
    guard let prefixes = Self.prefixes[text[position]] else { return nil }
    for prefix in prefixes where text[position...].starts(with: prefix.text) {
      let start = position + prefix.text.count
      let limit = min(text.count, start + Self.longest)
      let end = text[start..<limit].firstIndex { !prefix.rest.contains($0) } ?? limit
      if end - start >= prefix.least, !text[start..<end].allSatisfy({ $0.isLowercase }) {
        return Finding(range: position..<end)
      }
    }
    return nil
  }

  private static let longest = 4_096

  /// The credentials after `Bearer`. A word isn't a token, and neither is the name of a parameter.
  private func bearer(_ position: Int) -> Finding? {
    guard text[position...].lazy.map({ $0 | 0x20 }).starts(with: "bearer".utf8) else { return nil }
    var start = position + 6
    if text[start...].starts(with: "%20".utf8) {
      start += 2
    } else if start >= text.count || text[start] != 0x20 {
      return nil
    }
    start += 1
    let end = text[start...].firstIndex { !($0.isBase64 || ".~=".utf8.contains($0)) } ?? text.count
    let token = text[start..<end]
    guard token.count >= 8, token.contains(where: { !$0.isLowercase && $0 != UInt8(ascii: ".") }),
      !(token.last == UInt8(ascii: "=") && end < text.count && text[end] == UInt8(ascii: "\""))
    else { return nil }
    if let whole = self.token(start), whole.range.upperBound == end { return whole }
    return Finding(range: start..<end)
  }

  private func token(_ position: Int) -> Finding? {
    guard text[position...].starts(with: "eyJ".utf8) else { return nil }
    var (dots, part, end) = (0, position, position)
    while end < text.count {
      if text[end] == UInt8(ascii: ".") {
        guard end > part, dots < 4 else { break }
        (dots, part) = (dots + 1, end + 1)
      } else if !text[end].isBase64 || "+/".utf8.contains(text[end]) {
        break
      }
      end += 1
    }
    // The full stop of a sentence.
    if end == part, dots > 0 {
      (dots, end) = (dots - 1, end - 1)
      part = (text[position..<end].lastIndex(of: UInt8(ascii: ".")) ?? position) + 1
    }
    guard dots == 2 || dots == 4, end - part >= 4, end - position >= 24 else { return nil }
    return Finding(range: position..<end, isToken: dots == 2)
  }

  /// The text between the lines of a block, unless the block is public.
  private func pem(_ position: Int) -> Finding? {
    let start = "-----BEGIN ".utf8
    guard text[position...].starts(with: start) else { return nil }
    let label = text[(position + start.count)...].prefix { $0.isUppercase || $0.isDigit || $0 == 0x20 }
    guard !label.isEmpty, text[label.endIndex...].starts(with: "-----".utf8) else { return nil }
    let name = String(decoding: label, as: UTF8.self)
    guard !name.hasSuffix("CERTIFICATE"), !name.hasSuffix("PUBLIC KEY"), !name.hasSuffix("REQUEST"), name != "X509 CRL"
    else { return nil }
    let body = label.endIndex + 5
    // A block that breaks off ends with the text.
    var end = text[body...].firstIndex(of: UInt8(ascii: "-")) ?? text.count
    var first = body
    while first < end, let space = space(at: first) { first += space }
    while end > first, text[end - 1] <= 0x20 { end -= 1 }
    // An escaped line break.
    while end - 2 >= first, text[end - 2] == UInt8(ascii: "\\"), "nr".utf8.contains(text[end - 1]) { end -= 2 }
    return first < end ? Finding(range: first..<end) : nil
  }

  private func space(at position: Int) -> Int? {
    if text[position] <= 0x20 { return 1 }
    guard text[position] == UInt8(ascii: "\\"), position + 1 < text.count, "nr".utf8.contains(text[position + 1]) else {
      return nil
    }
    return 2
  }

  // MARK: Prefixes

  private enum Rest {
    case alphanumeric, word, hexadecimal, uppercase, any

    func contains(_ byte: UInt8) -> Bool {
      switch self {
      case .alphanumeric: byte.isAlphanumeric
      case .word: byte.isAlphanumeric || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
      case .hexadecimal: byte.hexadecimalDigit != nil
      case .uppercase: byte.isUppercase || byte.isDigit
      case .any: byte.isBase64 || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "=")
      }
    }
  }

  private struct Prefix {
    let text: [UInt8]
    /// The least number of bytes after the prefix.
    let least: Int
    let rest: Rest
  }

  private static let known: [(rest: Rest, least: Int, prefixes: String)] = [
    (.alphanumeric, 30, "ghp_ gho_ ghu_ ghs_ ghr_ npm_ hf_ gsk_ r8_ lin_api_ figd_ nfp_ fo1_ ATATT3 ATCTT3 ATBB"),
    (
      .word, 16,
      "github_pat_ glpat- gldt- glrt- glptt- glcbt- glft- glsoat- gloas- glsa_ glc_ xoxe- xapp- hvs. hvb. hvr."
    ),
    (.word, 10, "xoxb- xoxp- xoxa- xoxr- xoxs- xoxc- xoxd- xoxe."),
    (.uppercase, 16, "AKIA ASIA ABIA ACCA"),
    (.alphanumeric, 10, "sk_live_ sk_test_ rk_live_ rk_test_ whsec_ sk_prod_"),
    (
      .word, 30,
      "AIza ya29. 1//0 sk-ant- sk-proj- sk-svcacct- pypi-AgE secret_ ntn_ dp.pt. dp.st. sntrys_ sntryu_ xai- pplx-"
    ),
    (
      .word, 20,
      "GOCSPX- SG. sq0atp- sq0csp- PMAK- rubygems_ pscale_tkn_ pscale_pw_ pscale_oauth_ sbp_ phx_ pat-na1- pat-eu1-"
    ),
    (.alphanumeric, 32, "sk- CFPAT- oy2"),
    (.hexadecimal, 32, "shpat_ shpss_ shpca_ shppa_ dop_v1_ doo_v1_ dor_v1_ dapi key- SK xkeysib- NRAK- tfp_"),
    (.word, 20, "dckr_pat_ AGE-SECRET-KEY-1 sk.eyJ tfe. rnd_ ops_eyJ fm2_"),
    (.any, 20, "hooks.slack.com/services/ discord.com/api/webhooks/ discordapp.com/api/webhooks/"),
  ]

  private static let prefixes: [UInt8: [Prefix]] = {
    var prefixes: [UInt8: [Prefix]] = [:]
    for row in known {
      for text in row.prefixes.pieces(at: " ") {
        let bytes = Array(text.utf8)
        prefixes[bytes[0], default: []].append(Prefix(text: bytes, least: row.least, rest: row.rest))
      }
    }
    return prefixes
  }()

  /// Whether a shape begins with the byte.
  private static let beginnings: [Bool] = (0..<256).map { byte in
    "Bbe-".utf8.contains(UInt8(byte)) || prefixes[UInt8(byte)] != nil
  }
}

extension UInt8 {
  fileprivate var isLowercase: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self }
  fileprivate var isUppercase: Bool { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self }
}
