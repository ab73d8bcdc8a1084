import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("Responses one after another, under many requests at once", .inTurn, .serialized)
struct SequenceContentionTests {
  private static let requestCount = 64
  private static let rounds = TestSize.of(20, inPart: 4)

  /// What each of so many requests got that were made at once, by its text; nil for one that no stub matched.
  private static func ask(count: Int = requestCount) async -> [String?] {
    await withTaskGroup(of: String?.self) { group in
      for _ in 0..<count {
        group.addTask { try? await URLSession.shared.fetch(request("http://sequence.example/job")).text }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
  }

  private static func texts(_ range: Range<Int>, _ name: String = "") -> [String] { range.map { "\(name)\($0)" } }

  private static func responses(_ count: Int, _ name: String = "") -> [StubResponse] {
    texts(0..<count, name).map { .text($0) }
  }

  private static func counts(_ answers: [String?]) -> [String?: Int] {
    answers.reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }

  @Test("are each given exactly once, then the older stub's, then none")
  func stopMatching() async {
    for _ in 0..<Self.rounds {
      await withStubs {
        let old = stub(condition: .anything, response: .text("old"), times: 10)
        let middle = stub(
          condition: isHost("sequence.example"), responses: Self.responses(20, "m"), afterLast: .stopMatching)
        let new = stub(condition: isPath("/job"), responses: Self.responses(24, "n"), afterLast: .stopMatching)
        let counts = Self.counts(await Self.ask())
        for text in Self.texts(0..<20, "m") + Self.texts(0..<24, "n") { #expect(counts[text] == 1) }
        #expect(counts["old"] == 10 && counts[nil] == 10)
        #expect(
          [old, middle, new].map(\.callCount) == [10, 20, 24] && ![old, middle, new].contains(where: \.isActive))
      }
    }
  }

  @Test("are cut short by times:")
  func times() async {
    for _ in 0..<Self.rounds {
      await withStubs {
        stub(condition: isPath("/job"), responses: Self.responses(2, "o"), afterLast: .startOver, times: 31)
        stub(condition: isPath("/job"), responses: Self.responses(3, "n"), times: 33)
        let counts = Self.counts(await Self.ask())
        #expect(counts == ["n0": 1, "n1": 1, "n2": 31, "o0": 16, "o1": 15])
      }
    }
  }

  @Test("leave no gap when their stub is removed in between")
  func removal() async {
    for round in 0..<Self.rounds {
      await withStubs {
        stub(condition: isPath("/job"), responses: Self.responses(64, "old"), afterLast: .stopMatching)
        let new = stub(condition: isPath("/job"), responses: Self.responses(64, "new"), afterLast: .stopMatching)
        async let removed = Task {
          for _ in 0..<round { await Task.yield() }
          return new.remove()
        }.value
        let answers = await Self.ask()
        #expect(await removed)
        let byNew = new.callCount
        let expected = Self.texts(0..<byNew, "new") + Self.texts(0..<(64 - byNew), "old")
        #expect(Set(answers) == Set(expected) && answers.count == 64)
      }
    }
  }

  @Test("come in order where the requests do")
  func order() async {
    await withStubs {
      stub(condition: isPath("/job"), responses: Self.responses(3), afterLast: .stopMatching)
      stub(condition: isPath("/job"), responses: Self.responses(2, "n"), afterLast: .stopMatching)
      var answers: [String?] = []
      for _ in 0..<6 { answers += await Self.ask(count: 1) }
      #expect(answers == ["n0", "n1", "0", "1", "2", nil])
    }
  }
}
