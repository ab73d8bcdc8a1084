/// The nearest stubs of a request.
///
/// Every stub is first measured roughly. The rough measure compares only what is quick to compare, and never
/// overestimates the distance. Stubs that can be among the nearest are then measured exactly, in that order, so the
/// result is the same as if all of them had been measured. The exception is a limit of `mostMeasured` stubs, which
/// keeps the newest of equally near ones.
struct NearestStubs {
  /// The stubs, nearest first.
  let stubs: [Stub]

  private static let mostMeasured = 200

  init(_ count: Int, to facts: inout RequestFacts, among all: [Stub]) {
    var rough: [(distance: Int, age: Int)] = []
    rough.reserveCapacity(all.count)
    for (age, stub) in all.reversed().enumerated() {
      rough.append((stub.distance(&facts, roughly: true), age))
    }
    rough.sort { $0 < $1 }
    var nearest: [(distance: Int, age: Int)] = []
    for candidate in rough.prefix(Self.mostMeasured) {
      if nearest.count == count, let last = nearest.last, candidate.distance > last.distance { break }
      let stub = all[all.count - 1 - candidate.age]
      let measured = (distance: stub.distance(&facts, roughly: false), age: candidate.age)
      nearest.insert(measured, at: nearest.firstIndex { measured < $0 } ?? nearest.endIndex)
      if nearest.count > count { nearest.removeLast() }
    }
    stubs = nearest.map { all[all.count - 1 - $0.age] }
  }
}

extension Stub {
  fileprivate func distance(_ facts: inout RequestFacts, roughly: Bool) -> Int {
    // What is wrong with the test comes first.
    if isMistaken { return 0 }
    return condition.distance(&facts, roughly: roughly) + (isUsedUp ? Points.usedUp : 0)
  }
}
