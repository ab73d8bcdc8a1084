import Foundation

/// The random numbers for one call of a stub. They are a pure function of a seed, the stub, and the number of its call,
/// so that nothing that runs at the same time can change them. ``ResponseSchedule`` draws them: a new random value is a
/// case of ``Purpose``, and is drawn there.
struct CallRandomness {
  /// The purpose of a number. Each purpose has a number of its own.
  enum Purpose: UInt64 { case jitter = 1, loss, flakiness }

  /// The seed for stubs without one.
  static let seedOfProcess = UInt64.random(in: 0..<1 << 32)

  let stub: StubReference?
  /// The number of the call, from 1.
  let callNumber: Int

  /// Returns a number from 0 to below 1.
  func number(for purpose: Purpose, seed: UInt64?) -> Double {
    var state = seed ?? Self.seedOfProcess
    if let location = stub?.location {
      for byte in location.fileID.utf8 { state = Self.mixed(state ^ UInt64(byte)) }
      state = Self.mixed(state ^ UInt64(truncatingIfNeeded: location.line) << 32 ^ UInt64(location.column))
    }
    state = Self.mixed(state ^ UInt64(truncatingIfNeeded: callNumber))
    return Double(Self.mixed(state ^ purpose.rawValue) >> 11) * 0x1p-53
  }

  /// Returns the description of a failure that was drawn.
  func sentence(_ failure: String, rate: Double, _ modifier: String, seed: UInt64?) -> String {
    let requests = stub.map { "requests to the stub \($0)" } ?? "requests that the unmatched policy answers"
    return """
      \(failure) at random: \(rate * 100)% of the \(requests) fail (call \(callNumber)). \
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

extension StubResponse {
  /// Returns the response with random failures: a share of the stub's requests fails instead of receiving the head.
  ///
  /// ```swift
  /// .json(["id": 42]).flaky(rate: 0.3)
  /// .json(["id": 42]).flaky(rate: 0.5, with: .timedOut, seed: 7)
  /// ```
  ///
  /// The seed, the place of the stub in the source code, and the number of the call determine which requests fail.
  /// The same seed fails the same calls, whatever else runs. The description of the error contains the seed.
  ///
  /// - Parameters:
  ///   - rate: The share, from 0 for none to 1 for all. Outside of this range, the request fails with a
  ///     ``StubResponseError``.
  ///   - code: The failure. Defaults to a lost connection.
  ///   - seed: The seed. By default, each process draws its own.
  public func flaky(
    rate: Double, with code: URLError.Code = .networkConnectionLost, seed: UInt64? = nil
  ) -> StubResponse {
    let isShare = (0...1).contains(rate)
    return configured(
      problem: isShare ? nil : .invalidConditions(NetworkConditions.mistake(ofShare: "flaky(rate: \(rate))"))
    ) { $0.flakiness = (rate, code, seed) }
  }
}
