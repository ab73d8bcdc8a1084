import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension StubResponse {
  /// The same response over that network, instead of its registry's.
  ///
  /// ```swift
  /// fixture(filePath: "Fixtures/film.mp4").network(.edge)
  /// .json(["id": 42]).delay(.seconds(1)).network(NetworkConditions(latency: .milliseconds(300), lossRate: 0.1, seed: 7))
  /// ```
  ///
  /// The latency is added to ``delay(_:)``; the body comes at the slower of its own pace and the network's
  /// ``NetworkConditions/downlink``. `NetworkConditions()` is a perfect network.
  public func network(_ conditions: NetworkConditions) -> StubResponse {
    under { $0.network = conditions }
  }

  /// The same response, held back until the gate opens: its head, or its failure, comes only then.
  ///
  /// ```swift
  /// let gate = ResponseGate()
  /// stub(condition: isPath("/users"), response: .json([]).held(by: gate))
  /// …
  /// gate.open()
  /// ```
  ///
  /// It arrives at the gate after its ``delay(_:)``. A request that waits there for as long as its `timeoutInterval` fails with
  /// `URLError.timedOut`.
  public func held(by gate: ResponseGate) -> StubResponse {
    under { $0.gate = gate }
  }

  /// The same response, which fails for that share of its stub's requests: instead of the head, when that is due.
  ///
  /// ```swift
  /// .json(["id": 42]).flaky(0.3)
  /// .json(["id": 42]).flaky(0.5, with: .timedOut, seed: 7)
  /// ```
  ///
  /// Which ones fail is drawn from the seed, the place of the stub and the number of its call, so that the same seed fails the
  /// same calls, whatever runs beside them. The error's description has the seed in it.
  ///
  /// - Parameters:
  ///   - rate: The share, from 0 for none to 1 for all; another one traps.
  ///   - code: What it fails with; by default the connection is lost.
  ///   - seed: What the draw begins with; by default each process has one of its own.
  public func flaky(
    _ rate: Double, with code: URLError.Code = .networkConnectionLost, seed: UInt64? = nil
  ) -> StubResponse {
    require(
      (0...1).contains(rate),
      "flaky(\(rate)) is no share of the requests. Write one from 0, for none, to 1, for all: 0.3 for three in ten.")
    return under { $0.flakiness = Circumstances.Flakiness(rate: rate, code: code, seed: seed) }
  }

  /// A server that takes the request and never answers: the request fails with `URLError.timedOut` when its timeout is over.
  ///
  /// ```swift
  /// stub(condition: isPath("/users"), response: .noAnswer)
  /// ```
  ///
  /// A request that has no timeout waits until it is cancelled or its scope ends.
  public static var noAnswer: StubResponse { empty(status: 200).under { $0.isSilent = true } }

  func under(_ change: (inout Circumstances) -> Void) -> StubResponse {
    modified {
      var circumstances = $0.circumstances ?? Circumstances()
      change(&circumstances)
      $0.circumstances = circumstances
    }
  }
}
