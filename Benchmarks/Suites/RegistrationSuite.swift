import Foundation
import StubKit

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Adding and removing stubs, per stub and amortised: a time that grows with their number shows that it is not linear.
struct RegistrationSuite {
  let effort: Effort
  let report: Report

  func run() {
    for stubs in effort.stubCounts {
      Terminal.progress("registration: \(stubs.grouped) stubs")
      let conditions = (0..<stubs).map(Style.path.condition)
      var times: [String: [Double]] = [:]
      for _ in 0..<repetitions(stubs) {
        for (work, time) in measure(conditions) { times[work, default: []].append(time / 1_000) }
      }
      for work in Self.works {
        let samples = times[work] ?? []
        report.add(Suite.registration.rawValue, work, "StubKit", stubs: stubs, unit: "µs", samples)
        if stubs == effort.stubCounts.last, Self.promised.contains(work) {
          report.measured("registration-us", Statistics.median(samples))
        }
      }
    }
  }

  private static let works = [
    "add", "write and add", "remove oldest first", "remove newest first", "remove in any order", "add while matching",
  ]
  /// Writing the condition is another matter, and so is sharing a lock with a thread that does nothing but match.
  private static let promised = ["add", "remove oldest first", "remove newest first", "remove in any order"]

  private func repetitions(_ stubs: Int) -> Int { max(3, min(effort.samples, 200_000 / stubs)) }

  private func measure(_ conditions: [RequestMatcher]) -> [(String, Double)] {
    var generator = SplitMix64(seed: UInt64(conditions.count))
    let (registry, stubs, adding) = add(conditions)
    defer { withExtendedLifetime(registry) {} }
    return [
      ("add", adding),
      ("remove oldest first", each(stubs) { precondition($0.remove()) }),
      ("remove newest first", removing { $0.reversed() }),
      ("remove in any order", removing { $0.shuffled(using: &generator) }),
      ("write and add", writing(conditions.count)),
      ("add while matching", addingWhileMatching(conditions)),
    ]

    func removing(_ order: ([Stub]) -> [Stub]) -> Double {
      let (registry, stubs, _) = add(conditions)
      defer { withExtendedLifetime(registry) {} }
      return each(order(stubs)) { precondition($0.remove()) }
    }
  }

  private func add(_ conditions: [RequestMatcher]) -> (StubRegistry, [Stub], time: Double) {
    let registry = StubRegistry()
    var stubs: [Stub] = []
    stubs.reserveCapacity(conditions.count)
    let time = each(conditions) { stubs.append(stub(condition: $0, response: Self.response, in: registry)) }
    return (registry, stubs, time)
  }

  private func writing(_ count: Int) -> Double {
    let registry = StubRegistry()
    return each(0..<count) { stub(condition: Style.path.condition($0), response: Self.response, in: registry) }
  }

  private func addingWhileMatching(_ conditions: [RequestMatcher]) -> Double {
    let registry = StubRegistry()
    let matching = MatchingThread(registry, Style.path.request(0))
    defer { matching.stop() }
    return each(conditions) { stub(condition: $0, response: Self.response, in: registry) }
  }

  private static let response = StubResponse.data(Requester.stubKitBody)

  /// Nanoseconds for each element; what is too slow is not done to the end.
  private func each<Elements: Collection>(_ elements: Elements, _ work: (Elements.Element) -> Void) -> Double {
    let start = Nanoseconds.now()
    var done = 0
    for element in elements {
      work(element)
      done += 1
      if done.isMultiple(of: 64), Nanoseconds.since(start) > effort.patience { break }
    }
    return Nanoseconds.since(start) / Double(done)
  }
}
