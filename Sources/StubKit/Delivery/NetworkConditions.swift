/// The network between a request and its stub: how slow it is, and how often it breaks.
///
/// ```swift
/// stub(condition: isPath("/film"), response: fixture(filePath: "Fixtures/film.mp4").network(.edge))
/// let train = NetworkConditions(latency: .milliseconds(400), jitter: .milliseconds(200), downlink: .kilobitsPerSecond(300),
///   lossRate: 0.1, seed: 7)
/// stub(condition: isPath("/map"), response: fixture(filePath: "Fixtures/map.png").network(train))
/// ```
///
/// The time that the network takes is added to the response's own ``StubResponse/delay(_:)``; its body comes at the slower of
/// its own pace and ``downlink``.
///
/// Jitter and losses are drawn at random, but not left to chance: from a seed, the place where the stub is written, and which
/// of its calls it is. So the same seed has the same fate for the same call of the same stub, whatever runs beside it.
public struct NetworkConditions: Sendable, Hashable {
  /// How long it takes for a request to get to the server, and the first byte back; `.zero` by default.
  public let latency: Duration
  /// By how much the latency is more or less at most, drawn evenly for each request; `.zero` by default. No latency is below
  /// zero.
  public let jitter: Duration
  /// How fast responses' bodies arrive; nil, the default, for as fast as they are sent.
  public let downlink: Bandwidth?
  /// How fast requests' bodies are sent, which the response waits for; nil, the default, for at once.
  public let uplink: Bandwidth?
  /// The share of the requests whose connection is lost, with `URLError.networkConnectionLost`, before the response or in the
  /// middle of it: from 0, the default, to 1.
  public let lossRate: Double
  /// What jitter and losses are drawn from. By default each process draws one: the error of a lost request has it in its
  /// description, so that it can be written here to see the same again.
  public let seed: UInt64?
  /// Whether there is no network at all.
  public let isOffline: Bool

  /// Conditions of that kind; what is left out is as good as it gets.
  ///
  /// A latency or jitter below zero, and a loss rate that is not from 0 to 1, trap.
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
    require(
      latency >= .zero && jitter >= .zero,
      "NetworkConditions with a latency of \(latency) and a jitter of \(jitter): neither can be below zero. Write .zero, or "
        + "leave it out, for none.")
    require(
      (0...1).contains(lossRate),
      "NetworkConditions with lossRate: \(lossRate), which is no share of the requests. Write one from 0, for none, to 1, "
        + "for all: 0.05 for five in a hundred.")
    self.latency = latency
    self.jitter = jitter
    self.downlink = downlink
    self.uplink = uplink
    self.lossRate = lossRate
    self.seed = seed
    self.isOffline = isOffline
  }
}

// Downlinks are the download speeds that OHHTTPStubs has under these names, as far as it has them. Uplinks and latencies are
// those of the throttling profiles in Firefox's developer tools (Network Monitor ▸ Throttling), which are Chrome's of old.
extension NetworkConditions {
  /// 7 kB/s (56 kbit/s) down, as OHHTTPStubs' GPRS; 2.5 kB/s (20 kbit/s) up and 500 ms, as Firefox's "GPRS".
  public static let gprs = NetworkConditions(
    latency: .milliseconds(500), downlink: .kilobytesPerSecond(7), uplink: .kilobitsPerSecond(20))

  /// 16 kB/s (128 kbit/s) down, as OHHTTPStubs' EDGE; 6.25 kB/s (50 kbit/s) up and 300 ms, as Firefox's "Regular 2G".
  public static let edge = NetworkConditions(
    latency: .milliseconds(300), downlink: .kilobytesPerSecond(16), uplink: .kilobitsPerSecond(50))

  /// 400 kB/s (3.2 Mbit/s) down, as OHHTTPStubs' 3G; 31.25 kB/s (250 kbit/s) up and 100 ms, as Firefox's "Regular 3G".
  public static let threeG = NetworkConditions(
    latency: .milliseconds(100), downlink: .kilobytesPerSecond(400), uplink: .kilobitsPerSecond(250))

  /// 900 kB/s (7.2 Mbit/s) down, as OHHTTPStubs' 3G+; 93.75 kB/s (750 kbit/s) up and 40 ms, as Firefox's "Good 3G".
  public static let threeGPlus = NetworkConditions(
    latency: .milliseconds(40), downlink: .kilobytesPerSecond(900), uplink: .kilobitsPerSecond(750))

  /// 1,500 kB/s (12 Mbit/s) down, as WebPageTest's "LTE"; 375 kB/s (3 Mbit/s) up and 20 ms, as Firefox's "Regular 4G / LTE".
  public static let lte = NetworkConditions(
    latency: .milliseconds(20), downlink: .megabitsPerSecond(12), uplink: .megabitsPerSecond(3))

  /// 1,500 kB/s (12 Mbit/s) down, as OHHTTPStubs' Wi-Fi; 1,875 kB/s (15 Mbit/s) up and 2 ms, as Firefox's "Wi-Fi".
  public static let wifi = NetworkConditions(
    latency: .milliseconds(2), downlink: .kilobytesPerSecond(1_500), uplink: .megabitsPerSecond(15))

  /// 1.5 kB/s (12 kbit/s) down, as OHHTTPStubs' slow; as much up, and 500 ms, as Firefox's "GPRS", its slowest.
  public static let verySlow = NetworkConditions(
    latency: .milliseconds(500), downlink: .kilobytesPerSecond(1.5), uplink: .kilobytesPerSecond(1.5))

  /// No network: each request fails at once with `URLError.notConnectedToInternet`, whatever delay or gate its response has.
  public static let offline = NetworkConditions(isOffline: true)

  private static let named: [(conditions: NetworkConditions, name: String)] = [
    (gprs, "GPRS"), (edge, "EDGE"), (threeG, "3G"), (threeGPlus, "3G+"), (lte, "LTE"), (wifi, "Wi-Fi"),
    (verySlow, "very slow"), (offline, "offline"),
  ]
}

extension NetworkConditions: CustomStringConvertible {
  /// The name of a preset, or the conditions in a line: `0.4 seconds ± 0.2 seconds, 37.5 kB/s down, 10.0% lost (seed 7)`.
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
