import StubKitRecorder

@testable import StubKitArchive

/// A key of a service, as its documents show it. It is made here, because scanners of code would take one that is
/// written for a live one.
struct ServiceKey: CustomStringConvertible, Sendable {
  let text: String
  private let characters: ShapeRule.Characters
  private let count: Int

  /// - Parameters:
  ///   - start: How it begins, in two parts.
  ///   - count: How many characters follow.
  private init(_ start: String, _ end: String, _ characters: ShapeRule.Characters, _ count: Int) {
    text = start + end
    (self.characters, self.count) = (characters, count)
  }

  var description: String { text }

  var example: String {
    let seed = text.utf8.reduce(1) { ($0 &* 31 &+ Int($1)) % 400 } + 500
    if case .upper = characters {
      let alphabet = Array("A2B3C4D5E6F7")
      return text + String((0..<count).map { alphabet[($0 * 7 + seed) % alphabet.count] })
    }
    return text + PlantedSecret.random(seed, max(2, count)).prefix(count)
  }

  static let all: [ServiceKey] = [
    .init("s", "k-", .word, 20),
    .init("sk_l", "ive_", .alphanumeric, 10),
    .init("sk_t", "est_", .alphanumeric, 10),
    .init("rk_l", "ive_", .alphanumeric, 10),
    .init("rk_t", "est_", .alphanumeric, 10),
    .init("sk_p", "rod_", .alphanumeric, 10),
    .init("rk_p", "rod_", .alphanumeric, 10),
    .init("whs", "ec_", .alphanumeric, 10),
    .init("NR", "BR-", .alphanumeric, 10),
    .init("tr_", "dev_", .alphanumeric, 10),
    .init("tr_p", "rod_", .alphanumeric, 10),
    .init("FLWS", "ECK-", .word, 10),
    .init("xo", "xb-", .word, 10),
    .init("xo", "xp-", .word, 10),
    .init("xo", "xa-", .word, 10),
    .init("xo", "xr-", .word, 10),
    .init("xo", "xs-", .word, 10),
    .init("xo", "xe-", .word, 10),
    .init("xa", "pp-", .word, 10),
    .init("xo", "xc-", .word, 10),
    .init("xo", "xd-", .word, 10),
    .init("AV", "NS_", .word, 10),
    .init("M", "T:", .dotted, 19),
    .init("AK", "IA", .upper, 16),
    .init("AS", "IA", .upper, 16),
    .init("AB", "IA", .upper, 16),
    .init("AC", "CA", .upper, 16),
    .init("A", "3-", .upper, 26),
    .init("AP", "I-", .upper, 26),
    .init("NR", "AK-", .upper, 26),
    .init("AGE-SECR", "ET-KEY-1", .upper, 26),
    .init("p", "k_", .upper, 26),
    .init("API", "_KEY", .upper, 26),
    .init("$2a", "$10$", .token, 53),
    .init("$2b", "$10$", .token, 53),
    .init("$2y", "$10$", .token, 53),
    .init("$2a", "$12$", .token, 53),
    .init("$2b", "$12$", .token, 53),
    .init("$2y", "$12$", .token, 53),
  ]
}
