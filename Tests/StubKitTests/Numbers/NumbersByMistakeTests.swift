import Foundation
import TestSupport
import Testing

@testable import StubKit

/// The others are in Tests/PackageFixture, with what each says.
@Suite("A number that makes no sense", .inTurn)
struct NumbersByMistakeTests {
  enum Mistake: String, CaseIterable, Codable, CustomTestStringConvertible {
    case limit, times, calls, completions, exactly, atLeast, atMost, port, kilobytes, nan, infinite, latency, jitter
    case lossRate, flaky, advance

    var testDescription: String { rawValue }

    /// A piece of the sentence.
    var said: String {
      switch self {
      case .limit: "Write 0 to keep no requests"
      case .times: "times: must be at least 1"
      case .calls, .completions: "is not a valid number of calls to wait for"
      case .exactly, .atLeast, .atMost: "is not a valid number of calls"
      case .port: "a port is a number from 0 to 65535"
      case .kilobytes, .nan, .infinite: "Write a number above zero"
      case .latency, .jitter: "Neither can be negative"
      case .lossRate, .flaky: "is not a valid share of the requests"
      case .advance: "would move a ManualClock back"
      }
    }

    func make() async throws {
      let stub = stub(condition: .anything, response: .empty(), in: StubRegistry())
      switch self {
      case .limit: StubRegistry().journal.limit = .min
      case .times: StubKit.stub(condition: .anything, response: .empty(), times: .min, in: StubRegistry())
      case .calls: try await stub.waitForCalls(.min)
      case .completions: try await stub.waitForCompletions(.min)
      case .exactly: _ = CallCount.exactly(.min)
      case .atLeast: _ = CallCount.atLeast(.min)
      case .atMost: _ = CallCount.atMost(.min)
      case .port: _ = isPort(.max)
      case .kilobytes: _ = Bandwidth.kilobytesPerSecond(.greatestFiniteMagnitude)
      case .nan: _ = Bandwidth.megabitsPerSecond(.nan)
      case .infinite: _ = Bandwidth.bytesPerSecond(.infinity)
      case .latency: _ = NetworkConditions(latency: .seconds(Int64.min))
      case .jitter: _ = NetworkConditions(jitter: .seconds(-1.7e20))
      case .lossRate: _ = NetworkConditions(lossRate: .infinity)
      case .flaky: _ = StubResponse.empty().flaky(.nan)
      case .advance: await ManualClock().advance(by: .seconds(-1.7e20))
      }
    }
  }

  @Test("traps with a sentence, however great it is", arguments: Mistake.allCases)
  func traps(mistake: Mistake) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [mistake] in
      try await mistake.make()
    }
    let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(said.contains(mistake.said), "\(said)")
  }
}
