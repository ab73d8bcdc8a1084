import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A slow body on a manual clock that nobody hears piece by piece", .inTurn)
struct UnheardPiecesTests {
  private let clock = ManualClock(patience: .seconds(60)) { Issue.record("\($0)") }
  /// Twenty seconds over EDGE.
  private let body = Data((0..<320_000).map { UInt8(truncatingIfNeeded: $0) })

  @Test("arrives whole, at its moment")
  func arrives() async throws {
    try await withStubs {
      HTTPStubs.clock = clock
      stub(condition: isPath("/film"), response: .data(body).network(.edge))
      let data = try await clock.run { try await URLSession.shared.data(from: url("http://a.example/film")).0 }
      #expect(data == body && clock.elapsed == .milliseconds(20_300))
    }
  }

  @Test("has arrived in part when it is cancelled, even after a pause")
  func cancelled() async throws {
    try await withStubs {
      HTTPStubs.clock = clock
      let film = stub(condition: isPath("/film"), response: .data(body).network(.edge))
      let (ended, continuation) = AsyncStream.makeStream(of: Void.self)
      let task = URLSession.shared.dataTask(with: url("http://a.example/film")) { _, _, _ in continuation.finish() }
      task.resume()
      await clock.waitForPending()
      await clock.advance(by: .milliseconds(10_300))
      task.suspend()
      await clock.advance(by: .seconds(60))
      task.resume()
      try await URLSession.shared.settle()
      await clock.advance(by: .seconds(5))
      task.cancel()
      try await next(of: ended, when: "the task is complete")
      await clock.advance(by: .zero)
      let byteCount = film.requests.last?.response?.bodyLength
      // Fifteen seconds, to the last piece of 20 ms.
      #expect(byteCount.map { (239_600...240_000).contains($0) } == true, "\(byteCount ?? -1)")
    }
  }
}
