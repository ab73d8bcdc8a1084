import Foundation

/// The network between a client and its stubs: how slow it is, and how often it fails.
///
/// ```swift
/// stub(
///   .get, "https://api.example.com/film",
///   response: .file("Fixtures/film.mp4").network(.edge))
///
/// let train = NetworkConditions(
///   latency: .milliseconds(400), jitter: .milliseconds(200),
///   downlink: .kilobitsPerSecond(300), lossRate: 0.1, seed: 7)
/// stub(
///   .get, "https://api.example.com/map",
///   response: .file("Fixtures/map.png").network(train))
/// ```
///
/// The latency adds to the response's own ``StubResponse/delay(_:)``. The body arrives at its own pace or at that of
/// the ``downlink``, whichever is slower.
///
/// A seed, the place of the stub in the source code, and the number of the call determine jitter and losses. The same
/// seed therefore has the same effect on the same call of the same stub, whatever else runs.
public struct NetworkConditions: Sendable, Hashable {
  /// The time for a request to reach the server and for the first byte to return. Defaults to `.zero`.
  public let latency: Duration
  /// The largest deviation from the latency, drawn evenly for each request. A latency is never below zero. Defaults
  /// to `.zero`.
  public let jitter: Duration
  /// The bandwidth for the bodies of responses. Defaults to `nil`: they arrive as fast as they are sent.
  public let downlink: Bandwidth?
  /// The bandwidth for the bodies of requests. The response waits for the last byte. Defaults to `nil`: they are sent
  /// at once.
  public let uplink: Bandwidth?
  /// The share of the requests whose connection is lost before the response, with `URLError.networkConnectionLost`.
  /// From 0 to 1. Defaults to 0.
  public let lossRate: Double
  /// The seed for jitter and losses. By default, each process draws its own. The description of the error of a lost
  /// request contains the seed, so that you can set it to repeat the run.
  public let seed: UInt64?
  /// A Boolean value that indicates whether there is no network.
  public let isOffline: Bool

  /// Creates network conditions. Omitted values are those of a perfect network.
  ///
  /// A negative latency or jitter counts as zero. If one is below minus one second, or the loss rate is not from 0 to
  /// 1, requests fail with a ``StubResponseError``.
  public init(
    latency: Duration = .zero, jitter: Duration = .zero, downlink: Bandwidth? = nil, uplink: Bandwidth? = nil,
    lossRate: Double = 0, seed: UInt64? = nil
  ) {
    self.latency = latency.problem == nil ? max(.zero, latency) : latency
    self.jitter = jitter.problem == nil ? max(.zero, jitter) : jitter
    self.downlink = downlink
    self.uplink = uplink
    self.lossRate = lossRate
    self.seed = seed
    isOffline = false
  }

  private init(isOffline: Bool) {
    (latency, jitter, downlink, uplink) = (.zero, .zero, nil, nil)
    (lossRate, seed, self.isOffline) = (0, nil, isOffline)
  }

  /// What is wrong with the conditions, or `nil`.
  var mistake: String? {
    if latency < .zero || jitter < .zero {
      return "NetworkConditions has a latency of \(latency) and a jitter of \(jitter). Neither can be negative. Write "
        + ".zero for none, or leave it out."
    }
    if !(0...1).contains(lossRate) {
      return "NetworkConditions(lossRate: \(lossRate)) is not a valid share of the requests. Write a number from 0 "
        + "(none) to 1 (all), such as 0.05 for five in a hundred."
    }
    return downlink?.mistake ?? uplink?.mistake
  }
}

// The downlinks are the download speeds of OHHTTPStubs under these names, as far as it has them. The uplinks and
// latencies are those of the throttling profiles in Firefox's developer tools (Network Monitor ▸ Throttling), which
// were Chrome's originally.
extension NetworkConditions {
  /// GPRS: 7 kB/s (56 kbit/s) down, as in OHHTTPStubs. 2.5 kB/s (20 kbit/s) up and 500 ms, as in Firefox's "GPRS".
  public static let gprs = NetworkConditions(
    latency: .milliseconds(500), downlink: .kilobytesPerSecond(7), uplink: .kilobitsPerSecond(20))

  /// EDGE: 16 kB/s (128 kbit/s) down, as in OHHTTPStubs. 6.25 kB/s (50 kbit/s) up and 300 ms, as in Firefox's
  /// "Regular 2G".
  public static let edge = NetworkConditions(
    latency: .milliseconds(300), downlink: .kilobytesPerSecond(16), uplink: .kilobitsPerSecond(50))

  /// 3G: 400 kB/s (3.2 Mbit/s) down, as in OHHTTPStubs. 31.25 kB/s (250 kbit/s) up and 100 ms, as in Firefox's
  /// "Regular 3G".
  public static let threeG = NetworkConditions(
    latency: .milliseconds(100), downlink: .kilobytesPerSecond(400), uplink: .kilobitsPerSecond(250))

  /// 3G+: 900 kB/s (7.2 Mbit/s) down, as in OHHTTPStubs. 93.75 kB/s (750 kbit/s) up and 40 ms, as in Firefox's "Good
  /// 3G".
  public static let threeGPlus = NetworkConditions(
    latency: .milliseconds(40), downlink: .kilobytesPerSecond(900), uplink: .kilobitsPerSecond(750))

  /// LTE: 1,500 kB/s (12 Mbit/s) down, as in WebPageTest's "LTE". 375 kB/s (3 Mbit/s) up and 20 ms, as in Firefox's
  /// "Regular 4G / LTE".
  public static let lte = NetworkConditions(
    latency: .milliseconds(20), downlink: .megabitsPerSecond(12), uplink: .megabitsPerSecond(3))

  /// Wi-Fi: 1,500 kB/s (12 Mbit/s) down, as in OHHTTPStubs. 1,875 kB/s (15 Mbit/s) up and 2 ms, as in Firefox's
  /// "Wi-Fi".
  public static let wifi = NetworkConditions(
    latency: .milliseconds(2), downlink: .kilobytesPerSecond(1_500), uplink: .megabitsPerSecond(15))

  /// A very slow network: 1.5 kB/s (12 kbit/s) in both directions, as "slow" in OHHTTPStubs. 500 ms, as in Firefox's
  /// "GPRS", its slowest.
  public static let verySlow = NetworkConditions(
    latency: .milliseconds(500), downlink: .kilobytesPerSecond(1.5), uplink: .kilobytesPerSecond(1.5))

  /// No network: each request fails at once with `URLError.notConnectedToInternet`, whatever delay or gate its
  /// response has.
  public static let offline = NetworkConditions(isOffline: true)

  private static let names: [NetworkConditions: String] = [
    gprs: "GPRS", edge: "EDGE", threeG: "3G", threeGPlus: "3G+", lte: "LTE", wifi: "Wi-Fi", verySlow: "very slow",
    offline: "offline",
  ]
}

extension NetworkConditions: CustomStringConvertible {
  /// The name of a preset, or the conditions in one line:
  /// `0.4 seconds ± 0.2 seconds, 37.5 kB/s down, 10.0% lost (seed 7)`.
  public var description: String {
    if let name = Self.names[self] { return name }
    var parts: [String] = []
    if latency > .zero || jitter > .zero { parts.append(jitter > .zero ? "\(latency) ± \(jitter)" : "\(latency)") }
    if let downlink { parts.append("\(downlink) down") }
    if let uplink { parts.append("\(uplink) up") }
    if lossRate > 0 { parts.append("\(lossRate * 100)% lost") }
    let text = parts.isEmpty ? "perfect" : parts.joined(separator: ", ")
    return seed.map { "\(text) (seed \($0))" } ?? text
  }
}

/// The amount of data that a connection carries per second.
///
/// ```swift
/// Bandwidth.kilobytesPerSecond(16) == .kilobitsPerSecond(128)
/// ```
///
/// A kilobyte is 1,000 bytes, a kilobit is 1,000 bits, a megabit is 1,000,000 bits, and a byte has 8 bits. A
/// bandwidth that is not above zero, or not finite, is a mistake: requests with it fail with a ``StubResponseError``.
public struct Bandwidth: Sendable, Hashable, CustomStringConvertible {
  /// The number of bytes per second.
  public let bytesPerSecond: Double

  /// What is wrong with the bandwidth, or `nil`.
  var mistake: String? {
    guard !(bytesPerSecond > 0 && bytesPerSecond.isFinite) else { return nil }
    return "\(bytesPerSecond) bytes per second is not a valid bandwidth. Write a number above zero. For a connection "
      + "without a limit, leave the bandwidth out. For no connection, write .offline."
  }

  /// Returns a bandwidth in bytes per second.
  public static func bytesPerSecond(_ value: Double) -> Bandwidth { Bandwidth(bytesPerSecond: value) }

  /// Returns a bandwidth in kilobytes per second, of 1,000 bytes each.
  public static func kilobytesPerSecond(_ value: Double) -> Bandwidth { Bandwidth(bytesPerSecond: value * 1_000) }

  /// Returns a bandwidth in kilobits per second, of 125 bytes each.
  public static func kilobitsPerSecond(_ value: Double) -> Bandwidth { Bandwidth(bytesPerSecond: value * 125) }

  /// Returns a bandwidth in megabits per second, of 125,000 bytes each.
  public static func megabitsPerSecond(_ value: Double) -> Bandwidth { Bandwidth(bytesPerSecond: value * 125_000) }

  /// A description such as `16 kB/s` or `500 B/s`.
  public var description: String {
    let (value, unit) = bytesPerSecond < 1_000 ? (bytesPerSecond, "B/s") : (bytesPerSecond / 1_000, "kB/s")
    return value == value.rounded() && value.magnitude < 1e15 ? "\(Int(value)) \(unit)" : "\(value) \(unit)"
  }
}

extension StubResponse {
  /// Returns the response with network conditions of its own, which replace those of its registry.
  ///
  /// ```swift
  /// StubResponse.file("Fixtures/film.mp4").network(.edge)
  /// .json(["id": 42]).delay(.seconds(1)).network(
  ///   NetworkConditions(
  ///     latency: .milliseconds(300), lossRate: 0.1, seed: 7))
  /// ```
  ///
  /// The latency adds to ``delay(_:)``. The body arrives at its own pace or at that of the
  /// ``NetworkConditions/downlink``, whichever is slower. `NetworkConditions()` is a perfect network.
  public func network(_ conditions: NetworkConditions) -> StubResponse {
    configured(problem: conditions.mistake.map { .invalidConditions($0) }) { $0.network = conditions }
  }

  /// Returns the response held back by a gate. Its head or its failure arrives only when the gate opens.
  ///
  /// ```swift
  /// let gate = ResponseGate()
  /// stub(
  ///   .get, "https://api.example.com/users",
  ///   response: .json([]).held(by: gate))
  /// …
  /// gate.open()
  /// ```
  ///
  /// The response reaches the gate after its ``delay(_:)``. A request that waits there for as long as its
  /// `timeoutInterval` fails with `URLError.timedOut`.
  public func held(by gate: ResponseGate) -> StubResponse { configured { $0.gate = gate } }

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
    let problem =
      "flaky(rate: \(rate)) is not a valid share of the requests. Write a number from 0 (none) to 1 (all), such as 0.3 for "
      + "three in ten."
    return configured(problem: isShare ? nil : .invalidConditions(problem)) {
      $0.flakiness = ResponseOptions.Flakiness(rate: rate, code: code, seed: seed)
    }
  }

  /// A response that never arrives. The request fails with `URLError.timedOut` after its timeout.
  ///
  /// ```swift
  /// stub(.get, "https://api.example.com/users", response: .noAnswer)
  /// ```
  ///
  /// A request without a timeout waits until it is cancelled or its scope ends.
  public static var noAnswer: StubResponse { empty(status: 200).configured { $0.isSilent = true } }
}

/// The random numbers for one call of a stub. They are a pure function of a seed, the stub, and the number of its call,
/// so that nothing that runs at the same time can change them.
struct CallRandomness: Sendable {
  /// The purpose of a number. Each purpose has a number of its own.
  enum Purpose: UInt64 { case jitter = 1, loss, flakiness }

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

/// A gate that holds responses until the test opens it.
///
/// ```swift
/// let gate = ResponseGate()
/// stub(
///   .get, "https://api.example.com/users",
///   response: .json([]).held(by: gate))
/// model.load()
/// #expect(model.showsSpinner)
/// gate.open()
/// ```
///
/// A gate is closed at first. It can hold any number of responses. ``open()`` releases all that wait, and lets later
/// ones pass until ``close()``. If a request is cancelled while the gate holds it, nothing remains. A request that
/// the gate holds for as long as its `timeoutInterval` fails with `URLError.timedOut`, as with a server.
public final class ResponseGate: Sendable {
  private let state = Protected(State())

  private struct State {
    var isOpen = false
    var waiting: [UInt64: @Sendable () -> Void] = [:]
    var next: UInt64 = 0
  }

  /// Creates a closed gate.
  public init() {}

  /// A Boolean value that indicates whether responses pass.
  public var isOpen: Bool { state.withLock { $0.isOpen } }

  /// The number of responses that the gate holds now.
  public var waitingCount: Int { state.withLock { $0.waiting.count } }

  /// Releases all held responses, in the order in which they arrived, and lets later ones pass. Has no effect if the
  /// gate is open.
  public func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      return exchange(&state.waiting, with: [:])
    }
    for (_, opened) in waiting.sorted(by: { $0.key < $1.key }) { opened() }
  }

  /// Holds later responses. Earlier ones aren't affected. Has no effect if the gate is closed.
  public func close() { state.withLock { $0.isOpen = false } }

  /// Returns a ticket, or `nil` if the gate is open, so that there is nothing to wait for.
  ///
  /// - Parameter opened: A closure that is called once, on any thread, unless the ticket is forgotten first.
  func wait(_ opened: @escaping @Sendable () -> Void) -> UInt64? {
    state.withLock { state in
      guard !state.isOpen else { return nil }
      state.next += 1
      state.waiting[state.next] = opened
      return state.next
    }
  }

  func forget(_ ticket: UInt64) {
    let forgotten = state.withLock { $0.waiting.removeValue(forKey: ticket) }
    _ = consume forgotten
  }
}
