import StubKit

/// Pairs requests of a transcript with those that were made, without a search.
///
/// Requests with the same literal texts, and with placeholders at the same places, are a class. A request that was made
/// is looked up by the sum of the hashes of its texts outside of these places. Within a class, names are found by where
/// else they occur.
struct RequestPairing {
  private(set) var pairs: [(expected: RequestLeaves, actual: RequestLeaves)] = []
  /// Those that have no partner.
  private(set) var expected: [RequestLeaves] = []
  private(set) var actual: [RequestLeaves] = []
  private(set) var values: PlaceholderValues

  private struct Group {
    var expected: [RequestLeaves] = []
    var actual: [(leaves: RequestLeaves, values: [String])] = []
  }

  init(_ expected: [RequestLeaves], _ actual: [RequestLeaves], _ values: PlaceholderValues, _ machine: Machine) {
    self.values = values
    var groups = Self.groups(expected)
    sort(actual, into: &groups, machine)
    bind(groups)
  }

  // MARK: Classes

  /// The places of placeholders, and the classes that have them, by their sums.
  private struct Candidates {
    let places: [Place]
    var groups: [Int: [Int]] = [:]
  }
  private struct Groups {
    var all: [Group] = []
    /// The places of placeholders in requests of one shape, the fewest first.
    var candidates: [Int: [Candidates]] = [:]
  }

  private static func groups(_ expected: [RequestLeaves]) -> Groups {
    struct Key: Hashable {
      let shape: Int
      let places: [Place]
      let sum: Int
      let skeleton: [TranscribedText]
    }
    struct Places: Hashable {
      let shape: Int
      let places: [Place]
    }
    var (result, known, numbers) = (Groups(), [Key: Int](), [Places: Int]())
    for leaves in expected {
      let places = leaves.places
      let key = Key(shape: leaves.shape, places: places, sum: leaves.sum, skeleton: leaves.skeleton)
      if let group = known[key] {
        result.all[group].expected.append(leaves)
        continue
      }
      known[key] = result.all.count
      let number = numbers[Places(shape: key.shape, places: places)] ?? result.candidates[key.shape, default: []].count
      if numbers.updateValue(number, forKey: Places(shape: key.shape, places: places)) == nil {
        result.candidates[key.shape, default: []].append(Candidates(places: places))
      }
      result.candidates[key.shape]![number].groups[key.sum, default: []].append(result.all.count)
      result.all.append(Group(expected: [leaves]))
    }
    for shape in result.candidates.keys { result.candidates[shape]!.sort { $0.places.count < $1.places.count } }
    return result
  }

  private mutating func sort(_ actual: [RequestLeaves], into groups: inout Groups, _ machine: Machine) {
    for leaves in actual where !sort(leaves, into: &groups, machine) { self.actual.append(leaves) }
  }

  private func sort(_ leaves: RequestLeaves, into groups: inout Groups, _ machine: Machine) -> Bool {
    for candidates in groups.candidates[leaves.shape] ?? [] {
      guard let sum = leaves.sum(without: candidates.places) else { continue }
      for number in candidates.groups[sum] ?? [] {
        guard groups.all[number].actual.count < groups.all[number].expected.count,
          let values = groups.all[number].expected[0].values(in: leaves, machine)
        else { continue }
        groups.all[number].actual.append((leaves, values))
        return true
      }
    }
    return false
  }

  // MARK: Names

  /// Pairs the requests of each class, so that a name has one value everywhere.
  private mutating func bind(_ groups: Groups) {
    let groups = groups.all
    let colors = Colors(
      groups.map { $0.expected.map(\.placeholders) }, groups.map { $0.actual.map { $0.values.map(ExactString.init) } })
    var queues = groups.indices.map { ValueQueues(values: groups[$0].actual.map(\.values), colors: colors.actual[$0]) }
    // Where there is no choice first, and then in the order of the text.
    let order = groups.indices.flatMap { group in groups[group].expected.indices.map { (group, $0) } }.sorted {
      let (left, right) = (groups[$0.0].expected, groups[$1.0].expected)
      return (left.count > 1 ? 1 : 0, left[$0.1].requests[0]) < (right.count > 1 ? 1 : 0, right[$1.1].requests[0])
    }
    for (group, number) in order {
      let leaves = groups[group].expected[number]
      let placeholders = leaves.placeholders
      let known = placeholders.map { $0.boundName.flatMap { values.values[$0] } }
      let found = queues[group].first(known, color: colors.expected[group][number]) { found in
        values.take(placeholders, found, of: leaves.requests[0])
      }
      if let found { pairs.append((leaves, groups[group].actual[found].leaves)) } else { expected.append(leaves) }
    }
    for group in groups.indices {
      for index in groups[group].actual.indices where !queues[group].isTaken[index] {
        actual.append(groups[group].actual[index].leaves)
      }
    }
  }
}

/// The requests of a class that were made, by their values at the places whose values are known.
private struct ValueQueues {
  let values: [[String]]
  let colors: [Int]
  private(set) var isTaken: [Bool]
  private var queues: [Key: [Int]] = [:]
  private var heads: [Key: Int] = [:]
  private var shapes: Set<Shape> = []

  private struct Key: Hashable {
    let color: Int?
    let known: [ExactString?]
  }
  private struct Shape: Hashable {
    let hasColor: Bool
    let known: [Bool]
  }

  init(values: [[String]], colors: [Int]) {
    (self.values, self.colors) = (values, colors)
    isTaken = Array(repeating: false, count: values.count)
  }

  /// Takes the first request that has the known values and that a closure accepts: one with the same color, if there is
  /// any.
  mutating func first(_ known: [String?], color: Int, accepts: ([String]) -> Bool) -> Int? {
    for hasColor in [true, false] {
      if shapes.insert(Shape(hasColor: hasColor, known: known.map { $0 != nil })).inserted {
        for index in values.indices {
          let same = zip(values[index], known).map { $1 == nil ? nil : ExactString($0) }
          queues[Key(color: hasColor ? colors[index] : nil, known: same), default: []].append(index)
        }
      }
      let key = Key(color: hasColor ? color : nil, known: known.map { $0.map(ExactString.init) })
      guard let queue = queues[key] else { continue }
      var head = heads[key, default: 0]
      defer { heads[key] = head }
      while head < queue.count {
        let index = queue[head]
        head += 1
        // A value with another name belongs to a request that knows the name.
        guard !isTaken[index], accepts(values[index]) else { continue }
        isTaken[index] = true
        return index
      }
    }
    return nil
  }
}

/// Numbers of requests that say where their names occur elsewhere, where the names there occur, and so on. They are the
/// same for names and for the values that these stand for.
private struct Colors {
  let expected: [[Int]]
  let actual: [[Int]]

  init(_ placeholders: [[[Placeholder]]], _ values: [[[ExactString]]]) {
    // The places of names whose values no other name has.
    let links = placeholders.map { group in
      (group.first ?? []).indices.filter { group[0][$0].kind.isDistinct && group[0][$0].boundName != nil }
    }
    expected = Self.refine(placeholders.map { $0.map { $0.map { ExactString($0.name ?? "") } } }, links)
    actual = Self.refine(values, links)
  }

  private static func refine(_ words: [[[ExactString]]], _ links: [[Int]]) -> [[Int]] {
    var (colors, requests): ([ExactString: Int], [[Int]]) = ([:], [])
    // Four rounds see names that are linked by names that are linked by names.
    for round in 0..<4 {
      requests = words.indices.map { group in
        words[group].map { words in
          var hasher = Hasher()
          hasher.combine(group)
          for place in links[group] { hasher.combine(colors[words[place]] ?? 0) }
          return hasher.finalize()
        }
      }
      if round == 3 || links.allSatisfy(\.isEmpty) { break }
      var next: [ExactString: Int] = [:]
      for group in words.indices where !links[group].isEmpty {
        for (number, words) in words[group].enumerated() {
          for place in links[group] {
            var hasher = Hasher()
            hasher.combine(requests[group][number])
            hasher.combine(place)
            next[words[place], default: 0] &+= hasher.finalize()
          }
        }
      }
      colors = next
    }
    return requests
  }
}
