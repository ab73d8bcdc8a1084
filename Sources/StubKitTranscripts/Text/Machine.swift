import Foundation
import StubKit

/// The values that a client takes from its machine and from the moment.
struct Machine: Sendable {
  /// The time in seconds since 1970.
  var now = Date().timeIntervalSince1970
  var languages = Locale.preferredLanguages
  var process = ProcessInfo.processInfo.processName
  /// The texts that tell the system and its version, the longest one first.
  var systems = Self.systems
  /// Digests of the values that a transcript has seen in one run only. They can be of any day.
  var seenOnce: Set<String> = []

  /// For values that no machine decides.
  static let any = Machine()

  private static let systems: [String] = {
    let process = ProcessInfo.processInfo
    let version = process.operatingSystemVersion
    let numbers = "\(version.majorVersion).\(version.minorVersion).\(version.patchVersion)"
    let names = ["Linux", "macOS", "iOS", "tvOS", "watchOS", "visionOS"]
    let texts = [process.operatingSystemVersionString, numbers]
    return names.flatMap { name in texts.map { "\(name) \($0)" } } + texts
  }()

  /// Returns whether the value of an Accept-Language has the languages of the machine in their order: all of them, the
  /// first five or more, or the first one alone, without weights. The weights of several must not rise.
  func hasLanguages(_ value: String) -> Bool {
    let items = value.pieces(at: ",").map { $0.pieces(at: ";").map(\.withoutOuterSpace) }
    let names = items.map { String($0[0]) }
    let weights = items.compactMap { $0.count == 1 ? 1 : Double($0[1].dropFirst(2)) }
    let isWhole = names.count == languages.count || names.count >= 5 || value.isSame(as: names[0])
    return isWhole && languages.prefix(names.count).elementsEqual(names) && weights.count == names.count
      && zip(weights, weights.dropFirst()).allSatisfy { $0 >= $1 }
  }
}

extension String {
  /// A hash of the bytes (FNV-1a with 64 bits), in hexadecimal.
  var digest: String {
    var text = self
    return text.withUTF8 { UnsafeRawBufferPointer($0).digest }
  }
}

extension UnsafeRawBufferPointer {
  var digest: String {
    var (hash, position) = (UInt64(0xcbf2_9ce4_8422_2325), 0)
    while position < count {
      hash = (hash ^ UInt64(self[position])) &* 0x100_0000_01b3
      position += 1
    }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
