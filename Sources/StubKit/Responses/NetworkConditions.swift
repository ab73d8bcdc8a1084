import StubKitFormats

/// The network between a client and its stubs: how slow it is, and how often it fails.
///
/// ```swift
/// stub(
///   condition: isPath("/film"),
///   response: fixture(filePath: "Fixtures/film.mp4").network(.edge))
///
/// let train = NetworkConditions(
///   latency: .milliseconds(400), jitter: .milliseconds(200),
///   downlink: .kilobitsPerSecond(300), lossRate: 0.1, seed: 7)
/// stub(
///   condition: isPath("/map"),
///   response: fixture(filePath: "Fixtures/map.png").network(train))
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
  /// The share of the requests whose connection is lost, with `URLError.networkConnectionLost`, before the response
  /// or in the middle of it. From 0 to 1. Defaults to 0.
  public let lossRate: Double
  /// The seed for jitter and losses. By default, each process draws its own. The description of the error of a lost
  /// request contains the seed, so that you can set it to repeat the run.
  public let seed: UInt64?
  /// A Boolean value that indicates whether there is no network.
  public let isOffline: Bool

  /// Creates network conditions. Omitted values are those of a perfect network.
  ///
  /// If the latency or the jitter is below zero, or the loss rate is not from 0 to 1, requests fail with a
  /// ``StubResponseError``.
  public init(
    latency: Duration = .zero, jitter: Duration = .zero, downlink: Bandwidth? = nil, uplink: Bandwidth? = nil,
    lossRate: Double = 0, seed: UInt64? = nil
  ) {
    self.init(
      latency: latency, jitter: jitter, downlink: downlink, uplink: uplink, lossRate: lossRate, seed: seed,
      isOffline: false)
  }

  private init(
    latency: Duration = .zero, jitter: Duration = .zero, downlink: Bandwidth? = nil, uplink: Bandwidth? = nil,
    lossRate: Double = 0, seed: UInt64? = nil, isOffline: Bool
  ) {
    self.latency = latency
    self.jitter = jitter
    self.downlink = downlink
    self.uplink = uplink
    self.lossRate = lossRate
    self.seed = seed
    self.isOffline = isOffline
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

  private static let named: [(conditions: NetworkConditions, name: String)] = [
    (gprs, "GPRS"), (edge, "EDGE"), (threeG, "3G"), (threeGPlus, "3G+"), (lte, "LTE"), (wifi, "Wi-Fi"),
    (verySlow, "very slow"), (offline, "offline"),
  ]
}

extension NetworkConditions: CustomStringConvertible {
  /// The name of a preset, or the conditions in one line:
  /// `0.4 seconds ± 0.2 seconds, 37.5 kB/s down, 10.0% lost (seed 7)`.
  public var description: String {
    if let preset = Self.named.first(where: { $0.conditions == self }) { return preset.name }
    var parts: [String] = []
    if latency > .zero || jitter > .zero { parts.append(jitter > .zero ? "\(latency) ± \(jitter)" : "\(latency)") }
    if let downlink { parts.append("\(downlink) down") }
    if let uplink { parts.append("\(uplink) up") }
    if lossRate > 0 { parts.append("\(lossRate * 100)% lost") }
    let text = parts.isEmpty ? "perfect" : parts.joined(separator: ", ")
    return seed.map { "\(text) (seed \($0))" } ?? text
  }
}
