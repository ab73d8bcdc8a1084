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
/// A preset can be varied:
///
/// ```swift
/// var train = NetworkConditions.threeG
/// train.lossRate = 0.1
/// HTTPStubs.network = train
/// ```
///
/// The latency adds to the response's own ``StubResponse/delay(_:)``. The body arrives at its own pace or at that of
/// the downlink, whichever is slower. The line is each response's own: two responses at a time take no bandwidth from
/// each other.
///
/// A seed, the place of the stub in the source code, and the number of the call determine jitter and losses. The same
/// seed therefore has the same effect on the same call of the same stub, whatever else runs.
public struct NetworkConditions: Sendable, Hashable {
  /// The time for a request to reach the server and for the first byte to return. A negative time counts as zero.
  public var latency: Duration { didSet { latency = latency.nonNegative } }
  /// The largest deviation from the latency. The time for each request is drawn evenly from the latency less the
  /// jitter, but at least zero, to the latency and the jitter. A negative time counts as zero.
  public var jitter: Duration { didSet { jitter = jitter.nonNegative } }
  /// The bandwidth for the body of a response, or `nil` if it arrives as fast as it is sent.
  public var downlink: Bandwidth?
  /// The bandwidth for the body of a request, or `nil` if it is sent at once.
  public var uplink: Bandwidth?
  /// The share of the requests whose connection is lost before the response, from 0 to 1.
  public var lossRate: Double
  /// The seed for jitter and losses, or `nil` if each process draws its own.
  public var seed: UInt64?
  /// A Boolean value that indicates whether there is no network.
  private(set) var isOffline = false

  /// Creates network conditions. Omitted values are those of a perfect network.
  ///
  /// A negative latency or jitter counts as zero. If the loss rate is not from 0 to 1, requests fail with a
  /// ``StubResponseError``.
  ///
  /// - Parameters:
  ///   - latency: The time for a request to reach the server and for the first byte to return.
  ///   - jitter: The largest deviation from the latency. The time for each request is drawn evenly from the latency
  ///     less the jitter, but at least zero, to the latency and the jitter: alone, a jitter of 300 ms is 0 to 300 ms.
  ///   - downlink: The bandwidth for the bodies of responses. Defaults to `nil`: they arrive as fast as they are sent.
  ///   - uplink: The bandwidth for the bodies of requests. The response waits for the last byte. Defaults to `nil`:
  ///     they are sent at once.
  ///   - lossRate: The share of the requests whose connection is lost before the response, with
  ///     `URLError.networkConnectionLost`. From 0 to 1.
  ///   - seed: The seed for jitter and losses. By default, each process draws its own. The description of the error of
  ///     a lost request contains the seed, so that you can set it to repeat the run.
  public init(
    latency: Duration = .zero, jitter: Duration = .zero, downlink: Bandwidth? = nil, uplink: Bandwidth? = nil,
    lossRate: Double = 0, seed: UInt64? = nil
  ) {
    self.latency = latency.nonNegative
    self.jitter = jitter.nonNegative
    self.downlink = downlink
    self.uplink = uplink
    self.lossRate = lossRate
    self.seed = seed
  }

  /// What is wrong with the conditions, or `nil`.
  var mistake: String? {
    if !(0...1).contains(lossRate) {
      return Self.mistake(ofShare: "NetworkConditions(lossRate: \(lossRate))")
    }
    return downlink?.mistake ?? uplink?.mistake
  }

  static func mistake(ofShare call: String) -> String {
    "\(call) is not a valid share of the requests. Write a number from 0 (none) to 1 (all), such as 0.05 for five in a "
      + "hundred."
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
  public static let offline = {
    var conditions = NetworkConditions()
    conditions.isOffline = true
    return conditions
  }()
}

extension NetworkConditions: CustomStringConvertible {
  private static let presets: KeyValuePairs = [
    "gprs": gprs, "edge": edge, "threeG": threeG, "threeGPlus": threeGPlus, "lte": lte, "wifi": wifi,
    "verySlow": verySlow, "offline": offline,
  ]

  /// The conditions as Swift source: a preset such as `.edge`, or an initializer.
  public var description: String {
    if isOffline { return ".offline" }
    if let preset = Self.presets.first(where: { $0.value == self }) { return ".\(preset.key)" }
    let arguments = [
      latency == .zero ? nil : "latency: \(latency.swiftSource)",
      jitter == .zero ? nil : "jitter: \(jitter.swiftSource)",
      downlink.map { "downlink: \($0)" }, uplink.map { "uplink: \($0)" },
      lossRate == 0 ? nil : "lossRate: \(lossRate)", seed.map { "seed: \($0)" },
    ]
    return "NetworkConditions(\(arguments.compactMap(\.self).listed))"
  }
}

extension Duration {
  /// The duration as Swift source, in seconds or milliseconds.
  fileprivate var swiftSource: String {
    let milliseconds = self / .milliseconds(1)
    let isWhole = milliseconds == milliseconds.rounded() && abs(milliseconds) < 1e15
    return switch milliseconds.remainder(dividingBy: 1_000) {
    case 0 where isWhole: ".seconds(\(Int(milliseconds) / 1_000))"
    case _ where isWhole: ".milliseconds(\(Int(milliseconds)))"
    default: ".seconds(\(self / .seconds(1)))"
    }
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
  /// The latency adds to ``delay(_:)``. The body arrives at its own pace or at that of the downlink, whichever is
  /// slower. `NetworkConditions()` is a perfect network.
  public func network(_ conditions: NetworkConditions) -> StubResponse {
    configured(problem: conditions.mistake.map { .invalidConditions($0) }) { $0.network = conditions }
  }
}
