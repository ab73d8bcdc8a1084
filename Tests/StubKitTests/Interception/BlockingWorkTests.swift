import Dispatch
import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("Work that blocks its thread", .inTurn, .inOwnProcess)
struct BlockingWorkTests {
  /// The texts of as many requests made at once.
  private func texts(_ count: Int) async throws -> Set<String> {
    Set(try await (0..<count).atOnce { try await URLSession.shared.fetch("http://a.example/outer/\($0)").text })
  }

  @Test("in 100 closures at once keeps none waiting")
  func closures() async throws {
    try await withStubs {
      let all = Rendezvous(100)
      stub(condition: .anything) { _ in .text("\(all.arrive())") }
      let texts = try await texts(100)
      #expect(texts == ["true"])
    }
  }

  @Test("in conditions and observers keeps none waiting")
  func conditions() async throws {
    try await withStubs {
      let (asked, told) = (Rendezvous(40), Rendezvous(40))
      stub(condition: { _ in asked.arrive() }, response: .text("met"))
      StubRegistry.current.onStubActivation { _, _, _ in _ = told.arrive() }
      let texts = try await texts(40)
      #expect(texts == ["met"])
    }
  }

  @Test("in 300 closures leaves their requests alone")
  func nested() async throws {
    try await withStubs {
      stub(condition: isPath("/inner"), response: .text("inner"))
      stub(condition: isPath(template: "/outer/{number}")) { _ in
        let (done, text) = (DispatchSemaphore(value: 0), Protected("nothing"))
        URLSession.shared.dataTask(with: url("http://a.example/inner")) { data, _, error in
          text.withLock { $0 = error.map { "\($0)" } ?? String(decoding: data ?? Data(), as: UTF8.self) }
          done.signal()
        }.resume()
        return .text(done.waitForSignal() ? text.withLock { $0 } : "no answer")
      }
      let texts = try await texts(300)
      #expect(texts == ["inner"])
    }
  }

  @Test("leaves streams, files and clocks alone")
  func apart() async throws {
    let release = DispatchSemaphore(value: 0)
    defer { for _ in 0..<300 { release.signal() } }
    for _ in 0..<300 { WorkerPool.closures.run { release.wait() } }
    try await untilResumed { continuation in WorkerPool.background.run { continuation.resume() } }
    let clock = ManualClock.patient
    let sleeper = Task { try await clock.sleep(for: .seconds(1)) }
    await clock.advance(by: .seconds(1))
    try await sleeper.value
  }
}

extension DispatchSemaphore {
  /// Returns `false` if none came for a long time. Blocks its thread, as code does that was written before `async`.
  fileprivate func waitForSignal() -> Bool { wait(timeout: .now() + 250) == .success }
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
