import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("Work that blocks its thread", .inTurn, .inOwnProcess)
struct BlockingWorkTests {
  @Test("in the conditions of 100 requests at once, and in their closures, keeps none waiting")
  func everywhere() async throws {
    try await withStubs {
      let (asked, answered) = (Rendezvous(100), Rendezvous(100))
      stub(condition: { _ in asked.arrive() }) { _ in .text(answered.arrive() ? "all came" : "some didn't come") }
      let texts = try await (0..<100).atOnce { _ in try await URLSession.shared.fetch("http://a.example/").text }
      #expect(texts == Array(repeating: "all came", count: 100))
    }
  }

  // On Linux, 255 threads are for closures: 300 occupy all of them.
  @Test("in 300 closures doesn't keep the requests that these closures make from their answers")
  func nested() async throws {
    try await withStubs {
      stub(condition: isPath("/inner"), response: .text("inner"))
      stub(condition: isPath("/outer")) { _ in
        let (done, text) = (Latch(), Protected("nothing"))
        URLSession.shared.dataTask(with: url("http://a.example/inner")) { data, _, error in
          text.withLock { $0 = error.map { "\($0)" } ?? String(decoding: data ?? Data(), as: UTF8.self) }
          done.open()
        }.resume()
        done.blockUntilOpened(within: 250)
        return .text(text.withLock { $0 })
      }
      let texts = try await (0..<300).atOnce { _ in try await URLSession.shared.fetch("http://a.example/outer").text }
      #expect(Set(texts) == ["inner"])
    }
  }

  @Test("in 300 closures keeps neither background work nor a manual clock waiting")
  func apart() async throws {
    let release = DispatchSemaphore(value: 0)
    defer { for _ in 0..<300 { release.signal() } }
    // A file and a stream are read in the background. Each of these waits would be in vain without a thread.
    for _ in 0..<300 { WorkerPool.closures.run { release.wait() } }
    try await untilResumed { continuation in WorkerPool.background.run { continuation.resume() } }
    let clock = ManualClock.patient
    let sleeper = Task { try await clock.sleep(for: .seconds(1)) }
    await clock.advance(by: .seconds(1))
    try await sleeper.value
  }
}

/// Where threads block until as many have come as are expected.
private final class Rendezvous: Sendable {
  private let absent = DispatchGroup()

  init(_ count: Int) { for _ in 0..<count { absent.enter() } }

  /// Returns `false` if the others have not come for so long that they have no thread to come on.
  func arrive() -> Bool {
    absent.leave()
    return absent.wait(timeout: .now() + 250) == .success
  }
}
