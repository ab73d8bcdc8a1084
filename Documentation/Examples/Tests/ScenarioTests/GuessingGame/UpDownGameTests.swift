import Foundation
import StubKit
import TestSupport
import Testing

@MainActor @Suite("An up-down guessing game", .inTurn)
struct UpDownGameTests {
  private let game = UpDownGame()
  private let draw =
    isPath("/api/v1.0/random") && hasExactQuery(["min": "1", "max": "30", "count": "1"])

  @Test("takes the number that the server draws")
  func reset() async throws {
    try await withStubs {
      stub(condition: isMethodGET() && draw, response: .json([3]))
      try await untilResumed { done in game.reset { done.resume() } }
    }
    #expect(game.randomValue == 3)
    #expect(game.guess(2) == .up)
    #expect(game.guess(4) == .down)
    #expect(game.guess(3) == .hit)
    #expect(game.tryCount == 3)
  }

  @Test("begins each round with another number")
  func rounds() async throws {
    try await withStubs {
      stub(condition: draw, responses: [.json([3]), .json([17])])
      try await untilResumed { done in game.reset { done.resume() } }
      #expect(game.guess(3) == .hit)
      try await untilResumed { done in game.reset { done.resume() } }
    }
    #expect(game.randomValue == 17)
    #expect(game.tryCount == 0)
  }

  @Test("keeps its number while there is no other to be had")
  func failure() async throws {
    try await withStubs {
      stub(
        condition: draw, responses: [.json([3]), .failure(.notConnectedToInternet), .json([5], status: 500), .json([])])
      for _ in 1...4 {
        try await untilResumed { done in game.reset { done.resume() } }
        #expect(game.randomValue == 3)
      }
    }
  }
}
