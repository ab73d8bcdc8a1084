import Foundation

/// One parser under test. It demands what must hold for each input.
protocol FuzzTarget: Sendable {
  /// Holds what the parser makes of the input against what must be true of it.
  func check(_ input: Data)

  /// Parses the input once, to be timed.
  func parse(_ input: Data)
}

/// The targets by the names of the folders of their seeds.
let fuzzTargets: [String: any FuzzTarget] = [
  "url": URLFuzzing(), "json": JSONFuzzing(), "multipart": MultipartFuzzing(), "headers": HeaderFuzzing(),
  "har": HARFuzzing(), "http": HTTPFuzzing(), "transcript": TranscriptFuzzing(),
]

extension Data {
  /// The input's lines, as separate inputs; as many as asked for, the last one with all that is left.
  func lines(_ count: Int) -> [Data] {
    let lines = split(separator: UInt8(ascii: "\n"), maxSplits: count - 1, omittingEmptySubsequences: false).map {
      Data($0)
    }
    return lines + [Data](repeating: Data(), count: count - lines.count)
  }

  var text: String { String(decoding: self, as: UTF8.self) }
}

extension String {
  /// Whether both have the same scalars, not only equal characters.
  func isIdentical(to other: String) -> Bool { unicodeScalars.elementsEqual(other.unicodeScalars) }
}
