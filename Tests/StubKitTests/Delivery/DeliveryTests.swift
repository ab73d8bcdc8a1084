import Foundation
import StubKit
import TestSupport
import Testing

/// A row says what a delegate is told, and at which millisecond of a manual clock: `0 head | 20 2 | 40 4 | 40 end` is
/// the head at once, two bytes of the body after 20 ms, four in all after 40 ms, and the end. `5 sent 100` is the
/// progress of an upload, and `9 error -1005` the end with that code of an error.
@Suite("The delivery of a response", .inTurn, .inOwnProcess)
struct DeliveryTests {
  private static func body(_ length: Int) -> StubResponse { .data(Data(count: length)) }
  private static func ms(_ count: Int) -> Duration { .milliseconds(count) }
  private static func chunks(_ lengths: [Int], every interval: Int = 0, first: Int = 0) -> StubResponse {
    .pieces(lengths.map { Data(count: $0) }, every: ms(interval), first: ms(first))
  }
  private static func link(
    _ latency: Int = 0, up: Double? = nil, down: Double? = nil
  ) -> NetworkConditions {
    NetworkConditions(
      latency: ms(latency), downlink: down.map { .bytesPerSecond($0) }, uplink: up.map { .bytesPerSecond($0) })
  }

  static let times: [Told] = [
    Told("at once", body(5), "0 head | 0 5 | 0 end"),
    Told("an empty body takes its time", .ok.delay(ms(10)).bodyDuration(ms(20)), "10 head | 30 end"),
    Told("evenly", body(10).bodyDuration(ms(100)), "0 head | 20 2 | 40 4 | 60 6 | 80 8 | 100 10 | 100 end"),
    Told("pieces", body(10).chunked(by: 4), "0 head | 0 4 | 0 8 | 0 10 | 0 end"),
    Told("no piece", .ok.chunked(by: 4, every: ms(5)), "0 head | 0 end"),
    Told(
      "pieces of a duration", body(10).bodyDuration(ms(100)).chunked(by: 4),
      "0 head | 40 4 | 80 8 | 100 10 | 100 end"),
    Told("pieces at intervals", body(10).chunked(by: 4, every: ms(5)), "0 head | 0 4 | 5 8 | 10 10 | 10 end"),
    Told(
      "chunks at intervals", chunks([1, 2, 3], every: 100, first: 70).delay(ms(5)),
      "5 head | 75 1 | 175 3 | 275 6 | 275 end"),
    Told(
      "chunks cut otherwise", chunks([1, 2, 3], every: 9, first: 70).chunked(by: 4), "0 head | 70 4 | 79 6 | 79 end"),
    Told("no chunks", chunks([], every: 100, first: 70), "0 head | 70 end"),
    Told("events", .events(["a", "bb", "c"], every: ms(100)), "0 head | 0 9 | 100 19 | 200 28 | 200 end"),
  ]

  static let failures: [Told] = [
    Told("breaks off", body(10).failing(afterBytes: 5), "0 head | 0 5 | 0 error -1005"),
    Told("at its first byte", body(10).bodyDuration(ms(9)).failing(afterBytes: 0), "0 head | 0 error -1005"),
    Told("behind its end", body(4).bodyDuration(ms(20)).failing(afterBytes: .max), "0 head | 20 4 | 20 error -1005"),
    Told("empty", .ok.bodyDuration(ms(20)).failing(afterBytes: 5), "0 head | 20 error -1005"),
    Told(
      "within a piece", body(10).bodyDuration(ms(100)).chunked(by: 4).failing(afterBytes: 5),
      "0 head | 40 4 | 50 5 | 50 error -1005"),
    Told("HEAD breaks off nowhere", body(5).failing(afterBytes: 2), method: "HEAD", "0 head | 0 end"),
    Told(
      "within a chunk", chunks([1, 2, 3], every: 100, first: 70).failing(afterBytes: 2),
      "0 head | 70 1 | 170 2 | 170 error -1005"),
    Told("instead of an answer", .failure(.cannotFindHost).delay(ms(7)), "7 error -1003"),
    Told("of no file", .file("/no/such/file").delay(ms(7)), upload: 5, "0 error 1"),
    Told("longer than its length", body(5).header("Content-Length", 3), "0 head | 0 3 | 0 end"),
    Told("shorter than its length", body(5).header("content-length", 9), "0 head | 0 5 | 0 error -1005"),
    Told(
      "an encoded length", body(5).headers(["Content-Length": "3", "Content-Encoding": "x"]),
      "0 head | 0 5 | 0 end"),
    Told(
      "a length of chunks", body(5).headers(["Content-Length": "3", "Transfer-Encoding": "chunked"]),
      "0 head | 0 5 | 0 end"),
    Told("no number", body(5).header("Content-Length", "many"), "0 head | 0 5 | 0 end"),
    Told(
      "a length behind the failure", body(5).header("Content-Length", 9).failing(afterBytes: 2),
      "0 head | 0 2 | 0 error -1005"),
    Told("a length of events", .events(["a", "b"]).header("Content-Length", 12), "0 head | 0 9 | 0 12 | 0 end"),
  ]

  static let faults: [Told] = [
    Told("is lost", body(10).suffering(.named("lost in mid-body")), "0 head | 0 5 | 0 error -1005"),
    Told("stalls", body(10).suffering(.named("stalls in mid-body")), timeout: 100, "0 head | 0 5 | 100 error -1001"),
    Told(
      "stalls after pieces", body(10).chunked(by: 2, every: ms(60)).suffering(.named("stalls in mid-body")),
      timeout: 100,
      "0 head | 0 2 | 60 4 | 120 5 | 220 error -1001"),
    Told("one byte is lost", body(1).suffering(.named("lost in mid-body")), "0 head | 0 error -1005"),
    Told("a HEAD doesn't stall", body(9).suffering(.named("stalls in mid-body")), method: "HEAD", "0 head | 0 end"),
    Told("a slow head", body(2).delay(ms(7)).suffering(.named("a slow head")), "3007 head | 3007 2 | 3007 end"),
    Told(
      "slow pieces", body(4).suffering(.named("a slow body in small pieces")),
      "0 head | 0 1 | 100 2 | 200 3 | 300 4 | 300 end"),
    Told("just in time", body(2).suffering(below), timeout: 2_000, "1900 head | 1900 2 | 1900 end"),
    Told("just in a short time", body(2).suffering(below), timeout: 500, "450 head | 450 2 | 450 end"),
    Told(
      "just in the whole time", body(2).suffering(below), timeout: 2_000, wholeTimeout: 1_000,
      "900 head | 900 2 | 900 end"),
    Told(
      "just in time over a network", body(2).delay(ms(5)).suffering(below), upload: 10, timeout: 2_000,
      network: link(300, up: 10), sent(10, by: 1, every: 100) + " | 2900 head | 2900 2 | 2900 end"),
    Told("just too late", body(2).suffering(above), timeout: 2_000, "2000 error -1001"),
    Told("just too late for the whole time", body(2).suffering(above), wholeTimeout: 1_000, "1000 error -1001"),
  ]
  private static let below = NetworkFault.named("just below the request's timeout")
  private static let above = NetworkFault.named("just above the request's timeout")

  /// What a delegate is told of an upload, in steps of so many bytes and milliseconds.
  private static func sent(_ length: Int, by step: Int, every time: Int) -> String {
    (1...length / step).map { "\(time * $0) sent \(step * $0)" }.joined(separator: " | ")
  }

  static let uploads: [Told] = [
    Told("sent", body(2).delay(ms(7)), upload: 5, sent(5, by: 1, every: 0) + " | 7 head | 7 2 | 7 end"),
    Told(
      "sent in steps of which the last is shorter", body(2), upload: 103,
      sent(100, by: 5, every: 0) + " | 0 sent 103 | 0 head | 0 2 | 0 end"),
    Told(
      "over an uplink", .ok.delay(ms(7)), upload: 1_310_720, network: link(up: 524_288),
      sent(1_310_720, by: 65_536, every: 125) + " | 2507 head | 2507 end"),
    Told(
      "before a gate", .ok.delay(ms(5)), upload: 100, network: link(up: 40), isHeld: true,
      script: [2507: .open], sent(100, by: 5, every: 125) + " | 2507 head | 2507 end"),
    Told("before a failure", .failure(.timedOut), upload: 5, sent(5, by: 1, every: 0) + " | 0 error -1001"),
    Told("to no host", .failure(.cannotConnectToHost), upload: 5, "0 error -1004"),
    Told("to no flaky host", body(2).flaky(rate: 1, with: .cannotFindHost), upload: 5, "0 error -1003"),
    Told(
      "before it breaks off", body(2).failing(afterBytes: 0, with: .cannotFindHost), upload: 5,
      sent(5, by: 1, every: 0) + " | 0 head | 0 error -1003"),
  ]

  static let networks: [Told] = [
    Told("latency", body(2).delay(ms(7)), network: link(30), "37 head | 37 2 | 37 end"),
    Told("its own network", body(2).network(link(1)), network: link(30), "1 head | 1 2 | 1 end"),
    Told("a perfect network", body(2).network(NetworkConditions()), network: .offline, "0 head | 0 2 | 0 end"),
    Told("offline takes no time", .noAnswer.delay(.seconds(5)), network: .offline, isHeld: true, "0 error -1009"),
    Told("a downlink", body(1_000).network(link(down: 20_000)), "0 head | 25 500 | 50 1000 | 50 end"),
    Told(
      "a faster downlink", body(10).bodyDuration(ms(1_000)).chunked(by: 5).network(link(down: 100)),
      "0 head | 500 5 | 1000 10 | 1000 end"),
    Told(
      "a downlink slower than intervals", body(10).chunked(by: 4, every: ms(5)).network(link(down: 100)),
      "0 head | 40 4 | 80 8 | 100 10 | 100 end"),
    Told("a downlink of chunks", chunks([1, 3, 6]).network(link(down: 1_000)), "0 head | 1 1 | 4 4 | 10 10 | 10 end"),
  ]

  static let waits: [Told] = [
    Told(
      "held", body(4).delay(ms(10)).chunked(by: 2, every: ms(20)), isHeld: true, script: [510: .open],
      "510 head | 510 2 | 530 4 | 530 end"),
    Told("opened before", body(4).delay(ms(10)), isHeld: true, script: [2: .open], "10 head | 10 4 | 10 end"),
    Told("a held failure", .failure(.badURL).delay(ms(10)), isHeld: true, script: [510: .open], "510 error -1000"),
    Told(
      "opened while suspended", body(1), isHeld: true, script: [5: .suspend, 9: .open, 20: .resume],
      "20 head | 20 1 | 20 end"),
    Told("a stream", .stream([(3, 5), (2, 9)], end: 12), "0 head | 5 3 | 9 5 | 12 end"),
    Told("an empty stream", .stream([], end: 12).delay(ms(3)), "3 head | 12 end"),
  ]

  static let streams: [Told] = [
    Told(
      "a stream over no time of its own", .stream([(3, 5)], end: 6).bodyDuration(.seconds(5)), "0 head | 5 3 | 6 end"),
    Told(
      "a stream over a downlink", .stream([(40, 5), (15, 20)], end: 20).network(link(down: 1_000)),
      "0 head | 25 20 | 45 40 | 60 55 | 60 end"),
    Told(
      "a stream in pieces", .stream([(40, 5), (15, 20)], end: 20).chunked(by: 25),
      "0 head | 5 25 | 5 40 | 20 55 | 20 end"),
    Told(
      "a stream at intervals", .stream([(40, 5), (15, 20)], end: 20).chunked(by: 20, every: ms(10)),
      "0 head | 5 20 | 15 40 | 25 55 | 25 end"),
    Told(
      "a stream that breaks off", .stream([(3, 5), (3, 6)], end: 8).failing(afterBytes: 4),
      "0 head | 5 3 | 6 4 | 6 error -1005"),
    Told(
      "a stream that breaks off between chunks", .stream([(3, 5), (3, 6)], end: 8).failing(afterBytes: 3),
      "0 head | 5 3 | 5 error -1005"),
  ]

  static let timeouts: [Told] = [
    Told("just in time", .ok.delay(ms(100)), timeout: 100, "100 head | 100 end"),
    Told("too late", .ok.delay(ms(101)), timeout: 100, "100 error -1001"),
    Told(
      "no answer to an upload", .noAnswer, upload: 4, timeout: 100, network: link(up: 1_000),
      sent(4, by: 1, every: 1) + " | 104 error -1001"),
    Told("the shorter of two", .noAnswer, timeout: 250, wholeTimeout: 125, "125 error -1001"),
    Told("a piece too late", body(2).chunked(by: 1, every: ms(101)), timeout: 100, "0 head | 0 1 | 100 error -1001"),
    Told("a piece in time", body(2).chunked(by: 1, every: ms(100)), timeout: 100, "0 head | 0 1 | 100 2 | 100 end"),
    Told(
      "within a body", body(5).bodyDuration(ms(100)), timeout: 100, wholeTimeout: 50,
      "0 head | 20 1 | 40 2 | 50 error -1001"),
    Told(
      "each piece that is sent is news", .ok.delay(ms(100)), upload: 1_310_720, timeout: 125,
      network: link(up: 524_288), sent(1_310_720, by: 65_536, every: 125) + " | 2600 head | 2600 end"),
    Told(
      "sent in smaller steps", .ok, upload: 1_200_000, timeout: 250, network: link(up: 200_000),
      sent(1_200_000, by: 25_000, every: 125) + " | 6000 head | 6000 end"),
    Told("in bytes", .ok, upload: 2, timeout: 75, network: link(up: 20), "50 sent 1 | 100 sent 2 | 100 head | 100 end"),
    Told("sent too late", .ok, upload: 2, timeout: 100, network: link(up: 5), "100 error -1001"),
    Told("an end too late", .ok.bodyDuration(ms(101)), timeout: 100, "0 head | 100 error -1001"),
    Told("held for too long", .ok.delay(ms(10)), timeout: 100, isHeld: true, script: [101: .open], "100 error -1001"),
    Told("a chunk too late", .stream([(1, 60), (1, 170)], end: 170), timeout: 100, "0 head | 60 1 | 160 error -1001"),
    Told(
      "an empty chunk is asked for anew", .stream([(0, 60), (1, 120)], end: 120), timeout: 100,
      "0 head | 120 1 | 120 end"),
    Told("a handler", body(3).bodyDuration(ms(300)).chunked(by: 1), by: .handler, timeout: 100, "300 end 3"),
    Told(
      "a handler too late", body(3).bodyDuration(ms(300)).chunked(by: 1), by: .handler, timeout: 99, "99 error -1001"),
    Told("a handler of very many pieces", body(25_000).chunked(by: 1), by: .handler, "0 end 25000"),
  ]

  @Test("tells a delegate each event at its millisecond, and nothing else")
  func isTold() async throws {
    for row in Self.rows {
      let told = try await row.played()
      #expect(told == row.told, "\(row.name)")
    }
  }
  private static let rows: [Told] = [times, failures, faults, uploads, networks, waits, streams, timeouts].flatMap(
    \.self)

  /// A row, a moment between what is told of it, before the first or after the last, and what is told before and after.
  private struct Moment {
    let row: Told
    let time: Int
    var before: [String] = []
    var after: [String] = []
  }

  private static let moments: [Moment] = {
    var moments: [Moment] = []
    for row in rows where row.script.isEmpty {
      let events: [(time: Double, text: String)] = row.told.split(separator: "|").map { event in
        let text = event.trimmingCharacters(in: .whitespaces)
        return (Double(text.prefix { $0 != " " }) ?? 0, text)
      }
      for time in Set(events.map { Int($0.time) + 1 }).sorted() {
        var moment = Moment(row: row, time: time)
        for event in events {
          if event.time <= Double(time) { moment.before.append(event.text) } else { moment.after.append(event.text) }
        }
        moments.append(moment)
      }
    }
    // Each moment where all tests run, and each fifth elsewhere.
    return moments.enumerated().filter { $0.offset.isMultiple(of: TestSize.of(1, inPart: 5)) }.map(\.element)
  }()

  @Test("tells nothing after a cancellation but its error, and not even that if it is over")
  func cancelled() async throws {
    for moment in Self.moments {
      let told = try await moment.row.played(script: [moment.time: .cancel])
      let end = moment.after.isEmpty ? [] : ["\(moment.time) error -999"]
      #expect(told == (moment.before + end).joined(separator: " | "), "\(moment.row.name), cancelled at \(moment.time)")
    }
  }

  @Test("tells the rest later by as long as its task was suspended, unless it is a stream")
  func suspended() async throws {
    // A stream goes on by itself while its task is suspended.
    for moment in Self.moments where !moment.row.response.description.contains("a stream") {
      let told = try await moment.row.played(script: [moment.time: .suspend, moment.time + 100_000: .resume])
      let later = moment.after.map { event in
        let time = event.prefix { $0 != " " }
        let shifted = "\((Double(time) ?? 0) + 100_000) \(event.dropFirst(time.count + 1))"
        return shifted.replacing(".0 ", with: " ")
      }
      #expect(
        told == (moment.before + later).joined(separator: " | "), "\(moment.row.name), suspended at \(moment.time)")
    }
  }

  @Test("is immediate where its times are negative", arguments: [Duration.microseconds(-1), .seconds(-1)])
  func negativeTimes(time: Duration) async throws {
    let responses: [StubResponse] = [
      Self.body(3).delay(time), Self.body(3).bodyDuration(time), Self.body(3).chunked(by: 3, every: time),
      Self.body(3).network(NetworkConditions(latency: time, jitter: time)),
      .pieces([Data(count: 3)], every: time, first: time), .events([.init("a", retry: time)], every: time),
    ]
    for (number, response) in responses.enumerated() {
      let told = try await Told("", response, "").played()
      #expect(told.hasPrefix("0 head | 0 ") && told.hasSuffix(" | 0 end"), "response \(number): \(told)")
    }
  }

  /// Returns how so many requests to one stub end, each with the milliseconds that it took.
  private func fates(of response: StubResponse, count: Int) async throws -> [(error: NSError?, time: Double)] {
    let clock = ManualClock()
    return await withStubs(in: StubRegistry(clock: clock)) {
      stub(condition: .anything, response: response)
      var fates: [(error: NSError?, time: Double)] = []
      for _ in 0..<count {
        let began = clock.elapsed
        let error = await clock.run { await URLSession.shared.failure(of: "http://a.example/") }
        fates.append((error as NSError?, (clock.elapsed - began) / Self.ms(1)))
      }
      return fates
    }
  }

  @Test("is late by the latency, give or take the jitter, each time by another time")
  func jitter() async throws {
    let conditions = NetworkConditions(latency: Self.ms(100), jitter: Self.ms(40), seed: 7)
    let times = try await fates(of: Self.body(1).network(conditions), count: 80).map(\.time)
    #expect(times.allSatisfy { (60..<140).contains($0) }, "\(times)")
    #expect(times.min()! < 70 && times.max()! > 130, "\(times)")
    #expect(Set(times).count == 80)
  }

  @Test(
    "with a jitter greater than the latency is never early, and as often late by less as by more", arguments: [0, 1])
  func greatJitter(latency: Int) async throws {
    let conditions = NetworkConditions(latency: Self.ms(latency), jitter: .seconds(1), seed: 7)
    let times = try await fates(of: Self.body(1).network(conditions), count: 40).map(\.time)
    #expect(times.allSatisfy { (0..<1_001).contains($0) }, "\(times)")
    #expect((12...28).contains(times.count { $0 < 500 }), "\(times)")
    #expect(Set(times).count == 40)
  }

  /// Nine bytes over a network that loses requests, or from a stub that is flaky.
  enum Chance: CaseIterable, Sendable {
    case lost, flaky

    func response(rate: Double, seed: UInt64?) -> StubResponse {
      let response = DeliveryTests.body(9)
      return switch self {
      case .lost: response.network(NetworkConditions(lossRate: rate, seed: seed))
      case .flaky: response.flaky(rate: rate, seed: seed)
      }
    }
  }

  /// Which of a hundred calls fail.
  private func failing(_ chance: Chance, rate: Double, seed: UInt64?) async throws -> [Bool] {
    try await fates(of: chance.response(rate: rate, seed: seed), count: 100).map { $0.error != nil }
  }

  /// What the error of a call says.
  private func sentence(_ response: StubResponse) async throws -> String {
    try await fates(of: response, count: 1)[0].error?.localizedDescription ?? ""
  }

  @Test("fails about as often as its rate says", arguments: Chance.allCases)
  func rate(chance: Chance) async throws {
    let failures = try await failing(chance, rate: 0.3, seed: 7).count { $0 }
    #expect((15...45).contains(failures), "\(failures) of 100")
    #expect(try await !failing(chance, rate: 0, seed: 7).contains(true))
  }

  @Test("fails in the same calls with the same seed, and in others with another", arguments: Chance.allCases)
  func seeds(chance: Chance) async throws {
    let first = try await failing(chance, rate: 0.3, seed: 7)
    #expect(try await failing(chance, rate: 0.3, seed: 7) == first)
    #expect(try await failing(chance, rate: 0.3, seed: 8) != first)
  }

  @Test("without a seed has one that its error names, to repeat the run", arguments: Chance.allCases)
  func namedSeed(chance: Chance) async throws {
    let text = try await sentence(chance.response(rate: 1, seed: nil))
    let seed = try #require(text.firstMatch(of: /write seed: (\d+) in/).flatMap { UInt64($0.1) }, "\(text)")
    let unseeded = try await failing(chance, rate: 0.5, seed: nil)
    #expect(try await failing(chance, rate: 0.5, seed: seed) == unseeded)
  }

  @Test("that fails at random says by what rate, in which call, and where the seed is written")
  func randomSentences() async throws {
    let loss = try await sentence(Chance.lost.response(rate: 1, seed: 7))
    #expect(loss.hasPrefix("The connection was lost at random: 100.0% of the requests to the stub "), "\(loss)")
    #expect(loss.hasSuffix("fail (call 1). To repeat this run, write seed: 7 in NetworkConditions."), "\(loss)")
    let flaky = try await sentence(Self.body(9).flaky(rate: 1, with: .timedOut, seed: 7))
    #expect(flaky.hasSuffix("fail (call 1). To repeat this run, write seed: 7 in .flaky(…)."), "\(flaky)")
  }

  @Test("that has less bytes than its Content-Length says how many came")
  func tooShort() async throws {
    let short = try await sentence(Self.body(5).header("Content-Length", 9))
    #expect(short.contains("5 of 9 bytes"), "\(short)")
  }
}
