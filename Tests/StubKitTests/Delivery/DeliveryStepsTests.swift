import Foundation
import TestSupport
import Testing

@testable import StubKit

/// Every kind of plan, disturbed at each of its moments. Time goes by in ticks of 10 ms.
@Suite("A delivery of any kind", .inTurn)
struct DeliveryStepsTests {
  /// A plan, and what the test's own code does at which tick: to the gate and to the stream.
  struct Kind: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var plan: DeliveryPlan
    var body = ""
    var script: [Int: @Sendable (Stage) -> Void] = [:]
    var arrives = true
    /// What is told in the end, the tick before each.
    let expected: [String]
  }

  static let idle = DeliveryPlan.Limits(idle: .milliseconds(40))

  static let kinds: [Kind] = [
    Kind(
      testDescription: "a paced body over a slow uplink",
      plan: DeliveryPlan(
        requestLength: 65_537, uplink: 65_536 * 25, delay: .milliseconds(20), body: .bytes(4),
        pace: .over(.milliseconds(80))),
      body: "abcd",
      expected: [
        "4 sent 65536", "5 sent 1", "7 head", "9 \"a\"", "11 \"b\"", "13 \"c\"", "15 \"d\"", "15 finish(abcd)",
      ]),
    Kind(
      testDescription: "a body at the downlink's speed that breaks off",
      plan: DeliveryPlan(
        delay: .milliseconds(10), body: .bytes(4), cut: .every(1), downlink: 50, ending: .interruption(afterBytes: 2)),
      body: "abcd", expected: ["1 head", "3 \"a\"", "5 \"b\"", "5 fail(-1005)"]),
    Kind(
      testDescription: "a response at a gate",
      plan: DeliveryPlan(delay: .milliseconds(20), isGated: true, body: .bytes(1)),
      body: "a", script: [6: { $0.gate.open() }], expected: ["6 head", "6 \"a\"", "6 finish(a)"]),
    Kind(
      testDescription: "a response at a gate that opens before it comes there",
      plan: DeliveryPlan(delay: .milliseconds(30), isGated: true, body: .bytes(1)),
      body: "a", script: [1: { $0.gate.open() }], expected: ["3 head", "3 \"a\"", "3 finish(a)"]),
    Kind(
      testDescription: "a failure at a gate that closes again",
      plan: DeliveryPlan(delay: .milliseconds(20), isGated: true, ending: .failure),
      script: [
        4: {
          $0.gate.open()
          $0.gate.close()
        }
      ], expected: ["4 fail(-1005)"]),
    Kind(
      testDescription: "a gate for which the client does not wait",
      plan: DeliveryPlan(delay: .milliseconds(20), isGated: true, body: .bytes(1), limits: idle),
      body: "a", script: [6: { $0.gate.open() }], expected: ["4 fail(-1001)"]),
    Kind(
      testDescription: "a paced body behind a gate",
      plan: DeliveryPlan(
        delay: .milliseconds(10), isGated: true, body: .bytes(2), pace: .over(.milliseconds(40)), limits: idle),
      body: "ab", script: [3: { $0.gate.open() }], expected: ["3 head", "5 \"a\"", "7 \"b\"", "7 finish(ab)"]),
    Kind(
      testDescription: "a body that is too slow for its client",
      plan: DeliveryPlan(body: .bytes(2), pace: .pieces(every: .milliseconds(50)), cut: .every(1), limits: idle),
      body: "ab", expected: ["0 head", "0 \"a\"", "4 fail(-1001)"]),
    Kind(
      testDescription: "silence", plan: DeliveryPlan(requestLength: 3, ending: .silence, limits: idle),
      expected: ["0 sent 3", "4 fail(-1001)"]),
    Kind(
      testDescription: "a stream", plan: DeliveryPlan(delay: .milliseconds(10), body: .stream, limits: idle),
      script: [
        0: { $0.chunks.send("ab") }, 4: { $0.chunks.send("c") }, 6: { $0.chunks.send("") }, 7: { $0.chunks.finish() },
      ], expected: ["1 head", "1 \"ab\"", "4 \"c\"", "7 finish()"]),
    Kind(
      testDescription: "a stream that is more than the downlink carries",
      plan: DeliveryPlan(body: .stream, downlink: 100),
      script: [
        1: {
          $0.chunks.send("abcd")
          $0.chunks.send("ef")
          $0.chunks.finish()
        }
      ],
      expected: ["0 head", "3 \"ab\"", "5 \"cd\"", "7 \"ef\"", "7 finish()"]),
    Kind(
      testDescription: "a stream that fails", plan: DeliveryPlan(body: .stream),
      script: [2: { $0.chunks.send("a") }, 3: { $0.chunks.send(.failure(URLError(.badServerResponse))) }],
      expected: ["0 head", "2 \"a\"", "3 fail(-1011)"]),
    Kind(
      testDescription: "a stream that breaks off",
      plan: DeliveryPlan(body: .stream, ending: .interruption(afterBytes: 3)),
      script: [2: { $0.chunks.send("ab") }, 3: { $0.chunks.send("cde") }],
      expected: ["0 head", "2 \"ab\"", "3 \"c\"", "3 fail(-1005)"]),
    Kind(
      testDescription: "a stream for which the client does not wait", plan: DeliveryPlan(body: .stream, limits: idle),
      script: [2: { $0.chunks.send("a") }, 7: { $0.chunks.send("b") }],
      expected: ["0 head", "2 \"a\"", "6 fail(-1001)"]),
    Kind(
      testDescription: "a stream for a busy delegate", plan: DeliveryPlan(body: .stream),
      script: [
        0: {
          $0.chunks.send("a")
          $0.chunks.send("b")
          $0.chunks.finish()
        }, 3: { $0.letArrive() }, 5: { $0.letArrive() },
      ], arrives: false, expected: ["0 head", "0 \"a\"", "3 \"b\"", "5 finish()"]),
  ]

  /// Where a kind is played.
  final class Stage: @unchecked Sendable {
    // @unchecked holds because a test uses it from its own thread only.
    let client = ToldClient()
    let queue = VirtualQueue()
    let gate = ResponseGate()
    let chunks = ScriptedChunks()
    let delivery: Delivery
    private let kind: Kind
    private(set) var tick = 0
    private(set) var told: [String] = []

    init(_ kind: Kind, timesOutWaits: Bool = true) {
      self.kind = kind
      client.arrives = kind.arrives
      queue.timesOutWaits = timesOutWaits
      let isStream = kind.plan.body == .stream
      delivery = Delivery(
        plan: kind.plan,
        response: URLResponse(
          url: URL(string: "http://a.example/")!, mimeType: nil, expectedContentLength: 0, textEncodingName: nil),
        body: isStream ? .collected(BodyCollection(.nothing)) : .data(Data(kind.body.utf8)),
        failure: URLError(.networkConnectionLost), gate: gate, stream: isStream ? chunks : nil, client: client,
        queue: queue, willEnd: { _ in })
    }

    /// A stage on which the kind has been played up to that tick, its script included.
    convenience init(_ kind: Kind, timesOutWaits: Bool = true, playedTo end: Int) {
      self.init(kind, timesOutWaits: timesOutWaits)
      begin()
      play(to: end)
    }

    func letArrive() {
      let arrival = client.arrival
      arrival?()
    }

    func performScript() {
      kind.script[tick]?(self)
      queue.runWorks()
      note()
    }

    func note() { for line in client.told.dropFirst(told.count) { told.append("\(tick) \(line)") } }

    /// Plays on to that tick, its own script included.
    func play(to end: Int) {
      while tick < end {
        playOneTickWithoutScript()
        performScript()
      }
    }

    func playOneTickWithoutScript() {
      tick += 1
      queue.advance(by: .milliseconds(10))
      queue.runWorks()
      note()
    }

    func begin() {
      delivery.play()
      queue.runWorks()
      note()
      performScript()
    }
  }

  private static let end = 20

  @Test("is told at its time, and nothing else", arguments: kinds)
  func undisturbed(kind: Kind) {
    let stage = Stage(kind, playedTo: Self.end)
    #expect(stage.told == kind.expected)
    #expect(stage.queue.pendingCount == 0 && stage.gate.waitingCount == 0)
  }

  @Test("does not count paused time, wherever the pause falls, and however often it is played", arguments: kinds)
  func paused(kind: Kind) {
    for tick in 0..<Self.end {
      let stage = Stage(kind, playedTo: tick)
      stage.delivery.pause()
      stage.delivery.pause()
      #expect(stage.queue.pendingCount == 0, "paused at \(tick)")
      stage.queue.advance(by: .seconds(100))
      stage.queue.runWorks()
      stage.note()
      stage.delivery.play()
      stage.delivery.play()
      stage.note()
      stage.play(to: Self.end)
      #expect(stage.told == kind.expected, "paused at \(tick)")
    }
  }

  @Test("goes on with what happened while it was paused, at the time at which it was paused", arguments: kinds)
  func happeningsWhilePaused(kind: Kind) {
    for tick in kind.script.keys {
      let stage = Stage(kind)
      if tick == 0 {
        stage.delivery.play()
        stage.note()
      } else {
        stage.begin()
        // To where the script is about to be performed.
        stage.play(to: tick - 1)
        stage.playOneTickWithoutScript()
      }
      stage.delivery.pause()
      let before = stage.told
      stage.queue.advance(by: .seconds(50))
      stage.performScript()
      stage.queue.advance(by: .seconds(50))
      stage.note()
      #expect(stage.told == before, "paused at \(tick)")
      stage.delivery.play()
      stage.queue.runWorks()
      stage.note()
      stage.play(to: Self.end)
      #expect(stage.told == kind.expected, "paused at \(tick)")
    }
  }

  @Test("on a clock that does not time out waits spends no time at a gate or for a stream", arguments: kinds)
  func patient(kind: Kind) {
    let stage = Stage(kind, timesOutWaits: false, playedTo: Self.end)
    let patiently = [
      "a gate for which the client does not wait": ["6 head", "6 \"a\"", "6 finish(a)"],
      "a stream for which the client does not wait": ["0 head", "2 \"a\"", "7 \"b\""],
    ]
    #expect(stage.told == patiently[kind.testDescription] ?? kind.expected)
  }

  @Test(
    "tells nothing more after a stop, wherever it falls, also in a pause, and leaves nothing behind",
    arguments: kinds, [false, true])
  func stopped(kind: Kind, isPaused: Bool) {
    for tick in 0..<Self.end {
      let stage = Stage(kind, playedTo: tick)
      let before = stage.told
      if isPaused { stage.delivery.pause() }
      stage.delivery.stop()
      stage.delivery.play()
      #expect(stage.queue.pendingCount == 0 && stage.gate.waitingCount == 0, "stopped at \(tick)")
      if kind.plan.body == .stream { #expect(stage.chunks.isStopped, "stopped at \(tick)") }
      stage.play(to: Self.end)
      #expect(stage.told == before, "stopped at \(tick)")
    }
  }
}
