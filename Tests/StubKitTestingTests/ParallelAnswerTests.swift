import Foundation
import StubKitTesting
import TestSupport
import Testing

@Suite("Many tests at a time", .inTurn, .stubbed)
struct ParallelAnswerTests {
  private static let request = URLRequest(url: URL(string: "https://parallel.example/users/42")!)

  @Test("get their own answers to one request on one session", arguments: 0..<TestSize.of(200, inPart: 50))
  func answers(number: Int) async throws {
    let user = stub(condition: isPath("/users/42"), response: .text("\(number)").delay(.milliseconds(number % 7)))
    let texts = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<3 {
        group.addTask {
          String(decoding: try await URLSession.shared.data(for: Self.request).0, as: UTF8.self)
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(texts == Array(repeating: "\(number)", count: 3))
    #expect(user.callCount == 3)
    #expect(StubRegistry.current.journal.entries.map(\.outcome) == Array(repeating: .answered(status: 200), count: 3))
  }
}
