import Foundation
import StubKit

/// Adding and removing stubs, beside a dictionary that gets an object for each URL. Times are per stub and amortised,
/// so a time that grows with the number of stubs is not linear.
extension Run {
  func measureRegistration() {
    for stubs in effort.stubCounts {
      let conditions = (0..<stubs).map(Style.path.condition)
      let requests = (0..<stubs).map(Style.path.request)
      var inserts: [Double] = []
      var times: [[Double]] = Array(repeating: [], count: Self.works.count)
      for _ in 0..<max(3, min(effort.samples, 200_000 / stubs)) {
        inserts.append(inserting(requests) / 1_000)
        for (index, time) in measure(conditions, requests).enumerated() { times[index].append(time / 1_000) }
      }
      report.add(.registration, "add", "dictionary", stubs: stubs, unit: "µs", inserts)
      for (work, samples) in zip(Self.works, times) {
        report.add(.registration, work, "StubKit", stubs: stubs, unit: "µs", samples)
        // With fewer stubs, the clock itself is most of the measurement.
        guard stubs >= 100 else { continue }
        report.measured("registration-over-dictionary", Statistics.median(zip(samples, inserts).map { $0 / $1 }))
      }
    }
  }

  /// One of these matches after each step, so that work that is put off until the next match counts too.
  private static let works = ["add", "add, match, add, …", "remove in any order"]

  private func measure(_ conditions: [RequestMatcher], _ requests: [URLRequest]) -> [Double] {
    let response = StubResponse.data(Requester.stubKitBody)
    let registry = StubRegistry()
    var stubs: [Stub] = []
    stubs.reserveCapacity(conditions.count)
    let adding = each(conditions) { stubs.append(stub(condition: $0, response: response, in: registry)) }
    let removing = each(stubs.shuffled()) { precondition($0.remove()) }
    let addingAndMatching = each(conditions.indices) { number in
      let stub = stub(condition: conditions[number], response: response, in: registry)
      precondition(registry.search(for: requests[number]) === stub)
    }
    return [adding, addingAndMatching, removing]
  }

  /// What a hand-written table of responses costs.
  private func inserting(_ requests: [URLRequest]) -> Double {
    final class Entry {
      let response: StubResponse
      init(_ response: StubResponse) { self.response = response }
    }
    let urls = requests.map { $0.url?.absoluteString ?? "" }
    let response = StubResponse.data(Requester.stubKitBody)
    var entries: [String: Entry] = [:]
    let time = each(urls) { entries[$0] = Entry(response) }
    precondition(entries.count == urls.count)
    return time
  }

  /// Returns the nanoseconds for each element.
  private func each<Elements: Collection>(_ elements: Elements, _ work: (Elements.Element) -> Void) -> Double {
    let start = Nanoseconds.now()
    for element in elements { work(element) }
    return Nanoseconds.since(start) / Double(elements.count)
  }
}
