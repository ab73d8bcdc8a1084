import Foundation
import StubKit

/// One parser under test. It traps on an input for which something does not hold.
protocol FuzzTarget: Sendable {
  /// Holds what the parser makes of the input against what must be true of it.
  func check(_ input: Data)

  /// Parses the input once, to be timed.
  func parse(_ input: Data)
}

/// Stops the fuzzer with what is wrong.
func demand(_ condition: Bool, _ sentence: @autoclosure () -> String) {
  guard condition else { fatalError(sentence()) }
}

/// What libFuzzer calls with each input. `STUBKIT_FUZZ_TARGET` names the target.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = bytes.map { Data(bytes: $0, count: count) } ?? Data()
  Fuzzer.target.check(input)
  Fuzzer.checkPace(of: input)
  return 0
}

enum Fuzzer {
  static let target: any FuzzTarget =
    switch ProcessInfo.processInfo.environment["STUBKIT_FUZZ_TARGET"] {
    case "url": URLFuzzing()
    case "json": JSONFuzzing()
    case "multipart": MultipartFuzzing()
    case "headers": HeaderFuzzing()
    case "har": HARFuzzing()
    case "http": HTTPFuzzing()
    case let name:
      fatalError("There is no target \(name ?? "without a name"): url, json, multipart, headers, har or http.")
    }

  /// The input repeated until it is long must not take the square of its length: 2¹⁶ bytes would be four billion steps.
  static func checkPace(of input: Data) {
    guard !input.isEmpty, input.reduce(0, { ($0 &* 31) &+ Int($1) }) % 512 == 0 else { return }
    var long = Data()
    while long.count < 1 << 16 { long += input }
    let start = clock()
    target.parse(long)
    // The processor's time, because others may use the machine, too.
    let seconds = Double(clock() - start) / Double(CLOCKS_PER_SEC)
    demand(seconds < 3, "\(long.count) bytes took \(seconds) seconds")
  }
}

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
