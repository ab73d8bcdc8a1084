import StubKitRecorder
import TestSupport

@testable import StubKitArchive

/// A key of a service, in the form that its documents show: of all keys of this form, the first that neither looks
/// random nor consists of words. It is made here, because scanners of code would take one that is written for a live
/// one.
struct ServiceKey: CustomStringConvertible, Sendable {
  let text: String
  let example: String

  /// - Parameters:
  ///   - start: How it begins, in two parts.
  ///   - alphabet: Of what each character is that `x` stands for.
  ///   - form: What follows. Of what it has between signs, all is random.
  private init(_ start: String, _ end: String, _ alphabet: String, _ form: String) {
    let (text, alphabet) = (start + end, Array(alphabet))
    self.text = text
    let keys = (0..<4_000).lazy.map { seed in
      var random = SplitMix64(seed: UInt64(seed))
      return text + String(form.map { $0 == "x" ? random.pick(alphabet) : $0 })
    }
    // That there is one, a test shows.
    example = keys.first { !$0.looksRandom() && !String($0.dropFirst(text.count)).isWords } ?? keys[0]
  }

  var description: String { text }

  private static func of(_ count: Int) -> String { String(repeating: "x", count: count) }

  private static let (digits, capitals) = ("0123456789", "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
  private static let alphanumeric = digits + capitals + capitals.lowercased()
  private static let base32 = capitals + "234567"

  static let all: [ServiceKey] = [
    .init("s", "k-", alphanumeric + "_-", of(22)),
    .init("sk_l", "ive_", alphanumeric, of(24)),
    .init("sk_t", "est_", alphanumeric, of(24)),
    .init("rk_l", "ive_", alphanumeric, of(24)),
    .init("rk_t", "est_", alphanumeric, of(24)),
    .init("sk_p", "rod_", alphanumeric, of(24)),
    .init("rk_p", "rod_", alphanumeric, of(24)),
    .init("tr_", "dev_", alphanumeric, of(20)),
    .init("tr_p", "rod_", alphanumeric, of(20)),
    .init("xo", "xs-", digits, "xxxxxxxxxxxx-xxxxxxxxx-xxxxxxxxxx-e70bbafe56"),
    .init("AV", "NS_", alphanumeric + "_-", of(19)),
    .init("gl", "pat-", alphanumeric + "_-", of(20)),
    .init("h", "f_", capitals + capitals.lowercased(), of(34)),
    .init("AK", "IA", base32, of(16)),
    .init("AS", "IA", base32, of(16)),
    .init("AB", "IA", base32, of(16)),
    .init("AC", "CA", base32, of(16)),
    .init("A", "3-", digits + capitals, "xxxxxx-xxxxxx-xxxxx-xxxxx-xxxxx-xxxxx"),
    .init("AP", "I-", digits + capitals, of(26)),
    .init("NR", "AK-", digits + capitals, of(27)),
    .init("AGE-SECR", "ET-KEY-1", "023456789ACDEFGHJKLMNPQRSTUVWXYZ", of(58)),
    .init("$2a", "$10$", alphanumeric + "./", of(53)),
    .init("$2b", "$10$", alphanumeric + "./", of(53)),
    .init("$2y", "$10$", alphanumeric + "./", of(53)),
    .init("$2a", "$12$", alphanumeric + "./", of(53)),
    .init("$2b", "$12$", alphanumeric + "./", of(53)),
    .init("$2y", "$12$", alphanumeric + "./", of(53)),
  ]
}
