import Foundation

/// The stubs of a registry, in the order in which they answer.
///
/// A stub is listed under one value that its requests must have: of all that its condition requires, the one that the
/// fewest stubs have. Each alternative of an `||` has a place of its own, and stubs whose conditions require no value
/// share a list. A request looks up its own values, so the number of stubs doesn't matter. The index finds candidates,
/// newest first, and its caller verifies their conditions.
///
/// The index lives under its registry's lock and runs none of the user's code.
struct StubIndex: ~Copyable {
  /// A limit that tests change to make a rare case frequent.
  struct Limits {
    /// The bits of a key that count. Few of them force collisions.
    var keyMask = UInt64.max
  }

  /// More parts than this are not read for each request.
  private static let mostParts = 64

  /// A stub with its places in `lists`.
  private struct Entry {
    let stub: Stub
    /// The place of its first alternative, or `nil` if it can't answer any more.
    var first: IndexPlace?
    var others: [IndexPlace] = []

    func isKnown(by part: KeyKind.Part) -> Bool {
      first?.kind.part == part || others.contains { $0.kind.part == part }
    }
  }

  private struct Kind {
    let kind: KeyKind
    var count = 0
    /// The rank of the newest stub of the kind since there was none.
    var newest: UInt64 = 0
  }

  /// All stubs, by their identifiers.
  private var roster = StubList<Entry>()
  /// The stubs of each key, by their ranks.
  private var lists = KeyTable()
  /// The kinds of keys that stubs have, in any order after the first.
  private var kinds: [Kind] = []
  /// How many stubs are known by each part that has to be read.
  private var partCounts: [ReadPart: Int] = [:]
  private var closureCount = 0
  /// The number of stubs with closures whose condition more than the method and the URL decides.
  private var otherClosureCount = 0
  private let limits: Limits

  /// The numbers of stubs that were ever added to searches, and removed from them.
  struct Changes {
    var added = 0
    var removed = 0
  }

  private(set) var changes = Changes()

  init(_ limits: Limits = Limits()) { self.limits = limits }

  /// Returns whether answering a request can run the user's code, as far as its method and its URL tell at once.
  ///
  /// - Parameter request: The request, or `nil` for any request.
  mutating func mayRunClosures(for request: URLRequest?) -> Bool {
    guard closureCount > 0, otherClosureCount == 0, let request else { return closureCount > 0 }
    var facts = RequestFacts(request)
    // The headers of the session are not known yet, and no header is read under the lock.
    var (keys, run) = (RequestKeys(), Run())
    guard findNewest(&keys, &facts, &run) else { return true }
    guard let candidate = run.popNewest() else { return false }
    return candidate.leadsToOthers || candidate.hasClosure || !candidate.compiled.decides
      || candidate.compiled.passes(facts.requestURL, method: facts.methodCode) != true
  }

  /// The stubs, oldest first.
  var stubs: [Stub] { mutating get { roster.sorted.compactMap { $0.element?.stub } } }

  /// The parts of requests by which some stub is known.
  var parts: [ReadPart] { Array(partCounts.keys) }

  mutating func contains(_ stub: Stub) -> Bool { roster[stub.id] != nil }

  mutating func insert(_ stub: Stub) {
    roster.insert(placed(stub), stub.id)
    count(stub, 1)
  }

  /// Lets searches find a stub again that has a use left after all. Does nothing for one that was removed.
  mutating func restore(_ stub: Stub) {
    guard let entry = roster[stub.id] else { return }
    leave(entry)
    roster[stub.id] = placed(stub)
  }

  /// Returns `false` if the stub is not in the index.
  mutating func remove(_ stub: Stub) -> Bool {
    guard let entry = roster.remove(stub.id) else { return false }
    leave(entry)
    count(stub, -1)
    return true
  }

  private mutating func count(_ stub: Stub, _ difference: Int) {
    guard stub.hasClosure else { return }
    closureCount += difference
    if !stub.compiled.decides { otherClosureCount += difference }
  }

  /// Removes a stub that can't answer any more from searches. It stays listed. Does nothing for one that was removed.
  mutating func withdraw(_ stub: Stub) {
    guard let entry = roster[stub.id] else { return }
    leave(entry)
    roster[stub.id] = Entry(stub: stub)
  }

  /// Leaves a stub only in the place of its first alternative. Returns `false` if it has no other one.
  mutating func narrow(_ stub: Stub) -> Bool {
    guard let entry = roster[stub.id], !entry.others.isEmpty else { return false }
    for place in entry.others { remove(stub, from: place) }
    roster[stub.id] = Entry(stub: stub, first: entry.first)
    return true
  }

  /// Returns the previous content, to be released outside the lock.
  mutating func removeAll() -> StubIndex { exchange(&self, with: StubIndex(limits)) }
}

// Placing stubs.
extension StubIndex {
  private mutating func placed(_ stub: Stub) -> Entry {
    changes.added += 1
    var entry = Entry(stub: stub)
    for values in stub.condition.requiredValues() ?? [[]] {
      let place = bestPlace(for: values)
      insert(stub, at: place)
      if entry.first == nil { entry.first = place } else { entry.others.append(place) }
    }
    return entry
  }

  private mutating func leave(_ entry: Entry) {
    changes.removed += 1
    if let place = entry.first { remove(entry.stub, from: place) }
    for place in entry.others { remove(entry.stub, from: place) }
  }

  /// Returns the place that the fewest stubs have, of those where a stub can be that requires some values.
  private func bestPlace(for values: [RequiredValue]) -> IndexPlace {
    var host: UInt64?
    for case .host(let text) in values { host = KeyHash.of { $0.add(text) } }
    // Most stubs are alone with their path, and nothing else of them is looked up then.
    for value in values {
      guard case .path = value, case let place = IndexPlace(value, host: host), count(at: place) == 0 else { continue }
      return place
    }
    var best: (place: IndexPlace, count: Int)?
    for value in values where isIndexed(value) {
      let place = IndexPlace(value, host: host)
      let count = count(at: place)
      // Of several segments, the last one is the most special.
      if let best, (best.count, best.place.kind.part.rawValue) < (count, place.kind.part.rawValue) { continue }
      best = (place, count)
    }
    return best?.place ?? IndexPlace(nil, host: host)
  }

  private func isIndexed(_ value: RequiredValue) -> Bool {
    if case .host = value { return false }
    return value.readPart.map { partCounts.count < Self.mostParts || partCounts[$0] != nil } ?? true
  }

  private func key(of place: IndexPlace) -> UInt64 { place.key & limits.keyMask }

  private func count(at place: IndexPlace) -> Int { lists.place(of: key(of: place)).map { lists[$0].count } ?? 0 }

  private mutating func insert(_ stub: Stub, at place: IndexPlace) {
    lists.insert(stub, key(of: place))
    let kind = place.kind
    let number = kinds.firstIndex { $0.kind == kind } ?? kinds.endIndex
    if number == kinds.endIndex { kinds.append(Kind(kind: kind)) }
    kinds[number].count += 1
    kinds[number].newest = max(kinds[number].newest, stub.rank)
    // The newest stub's kind comes first. If that stub is found, no other kind has to be looked up.
    if kinds[number].newest > kinds[0].newest { kinds.swapAt(0, number) }
    if let part = place.readPart { partCounts[part, default: 0] += 1 }
  }

  private mutating func remove(_ stub: Stub, from place: IndexPlace) {
    lists.remove(stub, key(of: place))
    let kind = place.kind
    if let number = kinds.firstIndex(where: { $0.kind == kind }) {
      kinds[number].count -= 1
      if kinds[number].count == 0 { kinds.remove(at: number) }
    }
    guard let part = place.readPart, let count = partCounts[part] else { return }
    partCounts[part] = count > 1 ? count - 1 : nil
  }
}

// Finding the candidates for a request.
extension StubIndex {
  /// Candidates of one list, with none of another list between them.
  struct Run {
    /// The list, oldest stub first. A stub with several alternatives can be in it more than once.
    let slots: [StubList<Stub>.Slot]
    /// The positions of the candidates that are left.
    var left: Range<Int>
    /// A Boolean value that indicates whether no other list has a candidate.
    let isLast: Bool

    init() { (slots, left, isLast) = ([], 0..<0, true) }

    fileprivate init(_ stubs: (slots: [StubList<Stub>.Slot], positions: Range<Int>), isLast: Bool) {
      (slots, left) = stubs
      self.isLast = isLast
    }

    var isEmpty: Bool { left.isEmpty }

    /// Removes the newest candidate that is left, and returns it, or `nil` if there is none.
    mutating func popNewest() -> Stub? {
      while let last = left.last {
        left = left.lowerBound..<last
        if let stub = slots[last].element { return stub }
      }
      return nil
    }
  }

  /// Finds the newest stubs that a request can match, of those with a lower rank. Returns `false` if a newer one can be
  /// known by a header or by the body, which have not been read.
  mutating func findNewest(
    below bound: UInt64 = .max, _ keys: inout RequestKeys, _ facts: inout RequestFacts, _ run: inout Run
  ) -> Bool {
    var found: Int?
    var (newest, second, unread) = (UInt64(0), UInt64(0), UInt64(0))
    for number in kinds.indices {
      let kind = kinds[number]
      if kind.newest <= max(newest, unread) {
        // None of the kind comes before the newest one. One can come before the rest of that one's list.
        second = max(second, kind.newest)
      } else if !keys.areRead(of: kind.kind) {
        unread = max(unread, kind.newest)
      } else {
        keys.forEach(kind.kind, &facts) { key in
          guard let place = lists.place(of: key & limits.keyMask), let rank = lists[place].greatest(below: bound)
          else { return }
          if rank > newest {
            (newest, second, found) = (rank, newest, place)
          } else {
            second = max(second, rank)
          }
        }
      }
    }
    if unread > newest { return false }
    // A stub with several alternatives can be the newest one of two lists.
    second = max(second, unread)
    if let found {
      run = Run(lists[found].slots(from: min(newest, second + 1), below: bound), isLast: second == 0)
    } else {
      run = Run()
    }
    return true
  }

  /// Returns all stubs that a request can match while its body is unread, and so every stub that is known by a body.
  mutating func candidates(below bound: UInt64 = .max, _ keys: RequestKeys, _ facts: RequestFacts) -> Run {
    var slots = roster.sorted.compactMap { slot -> StubList<Stub>.Slot? in
      guard let entry = slot.element, entry.stub.rank < bound, entry.isKnown(by: .body) else { return nil }
      return StubList<Stub>.Slot(number: entry.stub.rank, element: entry.stub)
    }
    var (bound, keys, facts, run) = (bound, keys.withoutBody, facts, Run())
    while findNewest(below: bound, &keys, &facts, &run), !run.isEmpty {
      while let stub = run.popNewest() {
        slots.append(StubList<Stub>.Slot(number: stub.rank, element: stub))
        bound = stub.rank
      }
    }
    slots.sort { $0.number < $1.number }
    return Run((slots, slots.indices), isLast: true)
  }
}

extension Stub {
  var hasClosure: Bool { condition.hasClosure || responder.runsClosures }

  /// A Boolean value that indicates whether another stub can answer in its place, or what follows its answer.
  fileprivate var leadsToOthers: Bool {
    limit < .max
      || responder.map { (300...399).contains($0.status) || $0.isPassedThrough || $0.options?.changes != nil }
        .contains(true)
  }
}
