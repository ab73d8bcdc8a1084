/// What chance has in store for one request: a pure function of a seed, the stub and which of its calls it is, so that nothing
/// that runs beside it can change it.
struct Draw: Sendable {
  /// What it decides; each purpose has a number of its own.
  enum Purpose: UInt64 { case jitter = 1, loss, lossPoint, flakiness }

  /// For those who were given none.
  static let seedOfProcess = UInt64.random(in: 0..<1 << 32)

  let stub: StubReference?
  /// Counted from 1.
  let call: Int

  /// From 0, and below 1.
  func number(for purpose: Purpose, seed: UInt64?) -> Double {
    var state = seed ?? Self.seedOfProcess
    if let location = stub?.location {
      for byte in location.fileID.utf8 { state = Self.mixed(state ^ UInt64(byte)) }
      state = Self.mixed(state ^ UInt64(truncatingIfNeeded: location.line) << 32 ^ UInt64(location.column))
    }
    state = Self.mixed(state ^ UInt64(truncatingIfNeeded: call))
    return Double(Self.mixed(state ^ purpose.rawValue) >> 11) * 0x1p-53
  }

  /// What a failure that was drawn says of itself.
  func sentence(_ failure: String, rate: Double, _ modifier: String, seed: UInt64?) -> String {
    let subject = stub.map { "the stub \($0)" } ?? "the answer to unmatched requests"
    return """
      \(failure), as \(rate * 100)% of the requests to \(subject) are to fare by chance (call \(call)). \
      Write seed: \(seed ?? Self.seedOfProcess) in \(modifier) to see the same again.
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
