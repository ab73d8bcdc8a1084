/// The random numbers for one request. They are a pure function of a seed, the stub, and the number of its call, so
/// that nothing that runs at the same time can change them.
struct Draw: Sendable {
  /// The purpose of a number. Each purpose has a number of its own.
  enum Purpose: UInt64 { case jitter = 1, loss, lossPoint, flakiness }

  /// The seed for stubs without one.
  static let seedOfProcess = UInt64.random(in: 0..<1 << 32)

  let stub: StubReference?
  /// The number of the call, from 1.
  let call: Int

  /// Returns a number from 0 to below 1.
  func number(for purpose: Purpose, seed: UInt64?) -> Double {
    var state = seed ?? Self.seedOfProcess
    if let location = stub?.location {
      for byte in location.fileID.utf8 { state = Self.mixed(state ^ UInt64(byte)) }
      state = Self.mixed(state ^ UInt64(truncatingIfNeeded: location.line) << 32 ^ UInt64(location.column))
    }
    state = Self.mixed(state ^ UInt64(truncatingIfNeeded: call))
    return Double(Self.mixed(state ^ purpose.rawValue) >> 11) * 0x1p-53
  }

  /// Returns the description of a failure that was drawn.
  func sentence(_ failure: String, rate: Double, _ modifier: String, seed: UInt64?) -> String {
    let requests = stub.map { "requests to the stub \($0)" } ?? "requests that the unmatched policy answers"
    return """
      \(failure) at random: \(rate * 100)% of the \(requests) fail (call \(call)). \
      To repeat this run, write seed: \(seed ?? Self.seedOfProcess) in \(modifier).
      """
  }

  /// The finaliser of SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014).
  private static func mixed(_ value: UInt64) -> UInt64 {
    var mixed = value &+ 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
