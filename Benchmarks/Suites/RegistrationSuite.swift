import Foundation
import StubKit

/// Adding and removing stubs. Times are per stub and amortised, so a time that grows with the number of stubs is not
/// linear.
struct RegistrationSuite {
  let effort: Effort
  let report: Report

  func run() {
    for stubs in effort.stubCounts {
      Terminal.progress("registration: \(stubs.grouped) stubs")
      let conditions = (0..<stubs).map(Style.path.condition)
      let requests = (0..<stubs).map(Style.path.request)
      var times: [String: [Double]] = [:]
      for _ in 0..<repetitions(stubs) {
        for (work, time) in measure(conditions, requests) { times[work, default: []].append(time / 1_000) }
      }
      for work in Self.works {
        let samples = times[work] ?? []
        report.add(Suite.registration.rawValue, work, "StubKit", stubs: stubs, unit: "µs", samples)
        // With fewer stubs, the clock itself is most of the measurement.
        if stubs >= 100, Self.promised.contains(work) {
          report.measured("registration-us", Statistics.median(samples))
        }
      }
    }
  }

  /// Some of these match after each step, so that work that is put off until the next match counts too.
  private static let promised = [
    "add", "add, match, add, …", "remove oldest first", "remove newest first", "remove in any order",
    "remove, match, remove, …",
  ]
  /// Writing the condition is measured separately, and so is sharing a lock with a thread that only matches.
  private static let works = promised + ["write and add", "add while matching"]

  private func repetitions(_ stubs: Int) -> Int { max(3, min(effort.samples, 200_000 / stubs)) }

  private func measure(_ conditions: [RequestMatcher], _ requests: [URLRequest]) -> [(String, Double)] {
    var generator = SplitMix64(seed: UInt64(conditions.count))
    let (registry, stubs, adding) = add(conditions)
    defer { withExtendedLifetime(registry) {} }
    return [
      ("add", adding),
      ("remove oldest first", each(stubs) { precondition($0.remove()) }),
      ("remove newest first", removing { $0.reversed() }),
      ("remove in any order", removing { $0.shuffled(using: &generator) }),
      ("add, match, add, …", addingAndMatching(conditions, requests)),
      ("remove, match, remove, …", removingAndMatching(conditions, requests, &generator)),
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

  private func addingAndMatching(_ conditions: [RequestMatcher], _ requests: [URLRequest]) -> Double {
    let registry = StubRegistry()
    return each(conditions.indices) { number in
      let stub = stub(condition: conditions[number], response: Self.response, in: registry)
      precondition(registry.stub(matching: requests[number]) === stub)
    }
  }

  private func removingAndMatching(
    _ conditions: [RequestMatcher], _ requests: [URLRequest], _ generator: inout SplitMix64
  ) -> Double {
    let (registry, stubs, _) = add(conditions)
    return each(stubs.indices.shuffled(using: &generator)) { number in
      precondition(stubs[number].remove())
      precondition(registry.stub(matching: requests[number]) == nil)
    }
  }

  private func addingWhileMatching(_ conditions: [RequestMatcher]) -> Double {
    let registry = StubRegistry()
    let matching = MatchingThread(registry, Style.path.request(0))
    defer { matching.stop() }
    return each(conditions) { stub(condition: $0, response: Self.response, in: registry) }
  }

  private static let response = StubResponse.data(Requester.stubKitBody)

  /// Returns the nanoseconds for each element. Work that takes too long stops before the end.
  private func each<Elements: Collection>(_ elements: Elements, _ work: (Elements.Element) -> Void) -> Double {
    let start = Nanoseconds.now()
    var done = 0
    for element in elements {
      work(element)
      done += 1
      if done.isMultiple(of: 64), Nanoseconds.since(start) > 5 * effort.patience { break }
    }
    return Nanoseconds.since(start) / Double(done)
  }
}
