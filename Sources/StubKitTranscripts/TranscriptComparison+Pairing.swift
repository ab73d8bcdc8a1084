extension TranscriptComparison {
  /// Pairs what is left: first within a method and URL, then among all.
  mutating func pairLikeOnes() {
    var signatures: (expected: [Int: Set<Int>], actual: [Int: Set<Int>]) = ([:], [:])
    func pair(_ ours: [Int], _ theirs: [Int], atLeast least: Int) -> [(expected: Int, actual: Int)] {
      // Of one there is no other, and beyond that, their order is the best guess.
      guard ours.count * theirs.count <= 10_000, least > 0 || ours.count * theirs.count > 1 else {
        return Array(zip(ours, theirs)).map { ($0, $1) }
      }
      for index in ours { signatures.expected[index] = expected[index].signature }
      for index in theirs { signatures.actual[index] = actual[index].signature }
      var likes: [(likeness: Int, expected: Int, actual: Int)] = []
      for index in ours {
        for other in theirs {
          guard let left = signatures.expected[index], let right = signatures.actual[other] else { continue }
          let likeness = 200 * left.intersection(right).count / max(1, left.count + right.count)
          if likeness >= least { likes.append((likeness, index, other)) }
        }
      }
      var (isPaired, isTaken): (Set<Int>, Set<Int>) = ([], [])
      var pairs: [(expected: Int, actual: Int)] = []
      for like in likes.sorted(by: { (-$0.likeness, $0.expected, $0.actual) < (-$1.likeness, $1.expected, $1.actual) })
      where !isPaired.contains(like.expected) && !isTaken.contains(like.actual) {
        isPaired.insert(like.expected)
        isTaken.insert(like.actual)
        pairs.append((like.expected, like.actual))
      }
      return pairs
    }
    func remove(_ pairs: [(expected: Int, actual: Int)]) {
      let (ours, theirs) = (Set(pairs.map(\.expected)), Set(pairs.map(\.actual)))
      missing.removeAll(where: ours.contains)
      surplus.removeAll(where: theirs.contains)
      unequal += pairs
    }
    let theirs = Dictionary(grouping: surplus) { actualLanes[$0] }
    var inLanes: [(expected: Int, actual: Int)] = []
    for (lane, ours) in Dictionary(grouping: missing, by: { expectedLanes[$0] }) {
      inLanes += pair(ours, theirs[lane] ?? [], atLeast: 0)
    }
    remove(inLanes)
    remove(pair(missing, surplus, atLeast: 50))
    unequal.sort { $0.actual < $1.actual }
    pairs += unequal
  }
}

extension TranscribedRequest {
  /// Hashes of what the request says, to find like ones.
  fileprivate var signature: Set<Int> {
    var texts = url.pieces(at: "/").map { "/\($0)" } + (items ?? []) + fields.map(\.line) + [method, url]
    texts += body.lines(boundary: nil)
    return Set(texts.map(\.hashValue))
  }
}
