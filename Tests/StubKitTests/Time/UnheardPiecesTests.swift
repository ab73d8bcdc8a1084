import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A slow body on a manual clock that nobody hears piece by piece", .inTurn)
struct UnheardPiecesTests {
  private let clock = ManualClock.patient
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
}
