import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A delivery", .inTurn)
struct DeliveryTests {
  private let client = ToldClient()
  private let queue = VirtualQueue()

  private func delivery(
    _ text: String, delay: Time = .zero, over duration: Time? = nil, failure: (any Error)? = nil,
    onMilestone: @escaping (Delivery.Milestone) -> Delivery.Reply = { _ in .proceed }
  ) -> Delivery {
    let body = Data(text.utf8)
    let plan = DeliveryPlan(
      delay: delay, body: .bytes(body.count), pace: duration.map { .over($0) } ?? .atOnce,
      ending: failure != nil ? .failure : .finish)
    let url = URL(string: "http://a.example/")!
    return Delivery(
      plan: plan, response: URLResponse(url: url, mimeType: nil, expectedContentLength: 0, textEncodingName: nil),
      body: .data(body), failure: failure, client: client, queue: queue, onMilestone: onMilestone,
      willEnd: { _ in })
  }

  @Test("without delay has told everything when play returns")
  func immediate() {
    delivery("abc").play()
    #expect(client.told == ["head", "\"abc\"", "finish(abc)"])
    #expect(queue.pendingCount == 0)
  }

  @Test("waits while its client does not listen, and goes on when it is played again")
  func deafToldClient() {
    let delivery = delivery("abcd", delay: .milliseconds(20))
    delivery.play()
    client.isListening = false
    queue.advance(by: .milliseconds(20))
    #expect(client.told.isEmpty)
    client.isListening = true
    delivery.play()
    #expect(client.told == ["head", "\"abcd\"", "finish(abcd)"])
  }

  @Test("tells a client that takes lengths how long each piece is")
  func lengths() {
    client.takesPieces = false
    let delivery = delivery("abcd", over: .milliseconds(40))
    delivery.play()
    queue.advance(by: .milliseconds(40))
    #expect(client.told == ["head", "length 2", "length 2", "finish(abcd)"])
  }

  @Test("tells a piece only when the one before has arrived, also across a pause, and the end without asking")
  func arrival() {
    client.arrives = false
    let delivery = delivery("abcd", over: .milliseconds(60))
    delivery.play()
    queue.advance(by: .seconds(1))
    #expect(client.told == ["head", "\"a\""])
    client.arrival?()
    #expect(client.told == ["head", "\"a\"", "\"b\""])
    delivery.pause()
    client.arrival?()
    #expect(client.told.count == 3)
    delivery.play()
    #expect(client.told == ["head", "\"a\"", "\"b\"", "\"cd\"", "finish(abcd)"])
  }

  @Test("holds the end back until its client is prepared, also across a pause")
  func preparation() {
    client.preparesToFinish = true
    let delivery = delivery("ab")
    delivery.play()
    #expect(client.told == ["head", "\"ab\""])
    delivery.pause()
    client.finishPreparation?(nil)
    #expect(client.told == ["head", "\"ab\""])
    delivery.play()
    #expect(client.told == ["head", "\"ab\"", "finish(ab)"])
  }

  @Test("tells its client, where that is still preparing, that the end is not wanted any more")
  func abandonedPreparation() throws {
    client.preparesToFinish = true
    let delivery = delivery("ab")
    delivery.play()
    delivery.pause()
    let preparing = try #require(client.preparing)
    #expect(!preparing.isCancelled)
    delivery.stop()
    #expect(preparing.isCancelled)
  }

  @Test("fails when its client can't be prepared")
  func failedPreparation() {
    client.preparesToFinish = true
    let delivery = delivery("ab")
    delivery.play()
    client.finishPreparation?(URLError(.cannotCreateFile))
    #expect(client.told == ["head", "\"ab\"", "fail(\(URLError.cannotCreateFile.rawValue))"])
  }

  @Test("with a delay longer than a clock can count never ends, and does not crash")
  func endlessDelay() {
    let delivery = delivery("a", delay: .seconds(Int64.max / 2))
    delivery.play()
    queue.advance(by: .seconds(1_000_000))
    #expect(client.told.isEmpty)
    #expect(queue.pendingCount == 1)
    delivery.pause()
    delivery.stop()
  }

  @Suite("that holds its head", .inTurn)
  struct HoldingTests {
    private let tests = DeliveryTests()
    private var told: [String] { tests.client.told }
    private let all = ["head", "\"a\"", "\"b\"", "finish(ab)"]

    private func delivery() -> Delivery {
      tests.delivery(
        "ab", delay: .milliseconds(10), over: .milliseconds(40),
        onMilestone: { if case .head = $0 { .wait } else { .proceed } })
    }

    @Test("tells nothing until it may, and then the rest as far apart as ever")
    func held() {
      let delivery = delivery()
      delivery.play()
      tests.queue.advance(by: .seconds(5))
      delivery.play()
      #expect(told.isEmpty && tests.queue.pendingCount == 0)
      delivery.release()
      #expect(told == ["head"])
      tests.queue.advance(by: .milliseconds(20))
      #expect(told == ["head", "\"a\""])
      tests.queue.advance(by: .milliseconds(20))
      delivery.release()
      #expect(told == all)
    }

    @Test("stays held over a pause, and goes on when it is both played and allowed", arguments: [false, true])
    func paused(playsFirst: Bool) {
      let delivery = delivery()
      delivery.play()
      tests.queue.advance(by: .milliseconds(10))
      delivery.pause()
      if playsFirst { delivery.play() } else { delivery.release() }
      tests.queue.advance(by: .seconds(5))
      #expect(told.isEmpty)
      if playsFirst { delivery.release() } else { delivery.play() }
      #expect(told == ["head"])
      tests.queue.advance(by: .milliseconds(40))
      #expect(told == all)
    }

    @Test("tells nothing more when it is stopped, also if it may afterwards")
    func stopped() {
      let delivery = delivery()
      delivery.play()
      tests.queue.advance(by: .milliseconds(10))
      delivery.stop()
      delivery.release()
      delivery.play()
      tests.queue.advance(by: .seconds(5))
      #expect(told.isEmpty)
    }

    @Test("asks once, when the head is due, and once for a failure")
    func asksOnce() {
      var asked = 0
      let delivery = tests.delivery(
        "a", delay: .seconds(1),
        onMilestone: {
          guard case .head = $0 else { return .proceed }
          asked += 1
          return .wait
        })
      delivery.play()
      delivery.release()
      #expect(asked == 0)
      tests.queue.advance(by: .seconds(1))
      #expect(asked == 1)
      tests.client.isListening = false
      delivery.release()
      #expect(told.isEmpty)
      tests.client.isListening = true
      delivery.play()
      #expect(told == ["head", "\"a\"", "finish(a)"])
      tests.delivery(
        "", failure: URLError(.timedOut),
        onMilestone: { _ in
          asked += 1
          return .wait
        }
      ).play()
      #expect(asked == 2)
    }
  }

  @Test("that holds its end prepares for it, and finishes, only when it may")
  func holdsEnd() {
    client.preparesToFinish = true
    let delivery = delivery("ab", onMilestone: { if case .end = $0 { .wait } else { .proceed } })
    delivery.play()
    #expect(client.told == ["head", "\"ab\""] && client.finishPreparation == nil)
    delivery.release()
    #expect(client.told == ["head", "\"ab\""])
    client.finishPreparation?(nil)
    #expect(client.told == ["head", "\"ab\"", "finish(ab)"])
  }
}
