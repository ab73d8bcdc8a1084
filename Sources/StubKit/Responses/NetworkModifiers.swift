import Foundation
import StubKitFormats

extension StubResponse {
  /// Returns the response with network conditions of its own, which replace those of its registry.
  ///
  /// ```swift
  /// fixture(filePath: "Fixtures/film.mp4").network(.edge)
  /// .json(["id": 42]).delay(.seconds(1)).network(
  ///   NetworkConditions(
  ///     latency: .milliseconds(300), lossRate: 0.1, seed: 7))
  /// ```
  ///
  /// The latency adds to ``delay(_:)``. The body arrives at its own pace or at that of the
  /// ``NetworkConditions/downlink``, whichever is slower. `NetworkConditions()` is a perfect network.
  public func network(_ conditions: NetworkConditions) -> StubResponse {
    under(problem: conditions.mistake.map { .invalidConditions($0) }) { $0.network = conditions }
  }

  /// Returns the response held back by a gate. Its head or its failure arrives only when the gate opens.
  ///
  /// ```swift
  /// let gate = ResponseGate()
  /// stub(condition: isPath("/users"), response: .json([]).held(by: gate))
  /// …
  /// gate.open()
  /// ```
  ///
  /// The response reaches the gate after its ``delay(_:)``. A request that waits there for as long as its
  /// `timeoutInterval` fails with `URLError.timedOut`.
  public func held(by gate: ResponseGate) -> StubResponse {
    under { $0.gate = gate }
  }

  /// Returns the response with random failures: a share of the stub's requests fails instead of receiving the head.
  ///
  /// ```swift
  /// .json(["id": 42]).flaky(0.3)
  /// .json(["id": 42]).flaky(0.5, with: .timedOut, seed: 7)
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
    _ rate: Double, with code: URLError.Code = .networkConnectionLost, seed: UInt64? = nil
  ) -> StubResponse {
    let isShare = (0...1).contains(rate)
    let problem =
      "flaky(\(rate)) is not a valid share of the requests. Write a number from 0 (none) to 1 (all), such as 0.3 for "
      + "three in ten."
    return under(problem: isShare ? nil : .invalidConditions(problem)) {
      $0.flakiness = Circumstances.Flakiness(rate: rate, code: code, seed: seed)
    }
  }

  /// A response that never arrives. The request fails with `URLError.timedOut` after its timeout.
  ///
  /// ```swift
  /// stub(condition: isPath("/users"), response: .noAnswer)
  /// ```
  ///
  /// A request without a timeout waits until it is cancelled or its scope ends.
  public static var noAnswer: StubResponse { empty(status: 200).under { $0.isSilent = true } }

  package func under(
    problem: StubResponseError.Reason? = nil, _ change: (inout Circumstances) -> Void
  ) -> StubResponse {
    modified(problem: problem) {
      var circumstances = $0.circumstances ?? Circumstances()
      change(&circumstances)
      $0.circumstances = circumstances
    }
  }
}
