import Foundation

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
  static let target: any FuzzTarget = {
    let name = ProcessInfo.processInfo.environment["STUBKIT_FUZZ_TARGET"] ?? ""
    guard let target = fuzzTargets[name] else {
      fatalError("There is no target \(name): \(fuzzTargets.keys.sorted().joined(separator: ", ")).")
    }
    return target
  }()

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
