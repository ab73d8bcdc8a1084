import StubKitFormats

extension PathTemplate: Criterion {
  var description: String { "isPath(template: \(text.debugDescription))" }
  var subject: String { "path" }
  var expectation: String { Excerpt.plain(text) }
  var traits: MatcherTraits { .capturing }

  func test(_ facts: inout RequestFacts, _ captures: inout Captures) -> Bool {
    facts.url != nil && test(facts.encodedPath, &captures)
  }

  func actual(_ facts: inout RequestFacts) -> String? { facts.url.map { _ in Excerpt.plain(facts.encodedPath) } }

  func compare(_ facts: inout RequestFacts, _ result: inout ScoredMismatches) {
    let path = facts.encodedPath
    result.add(
      Points.scaled(Points.path, difference(from: path)), mismatch(actual: actual(&facts), note: problem(with: path)))
  }

  func forEachEquality(_ body: (Equality) -> Void) { body(equality) }

  func addPlain(to parts: inout PlainConditionParts) -> Bool { parts.add(self) }
}

extension PathTemplate {
  /// Like ``TextDifference/pathShare``. A segment that can match a placeholder differs by nothing.
  private func difference(from encodedPath: String) -> Int {
    let parts = Self.split(encodedPath)
    // The first part is what precedes the leading slash.
    let surplus = parts.count - segments.count
    var sum = 100 * (isOpen && surplus > 0 ? 0 : abs(surplus))
    for (segment, part) in zip(segments, parts) {
      guard case .literal(let literal) = segment, literal != part else { continue }
      sum += TextDifference(literal, String(part).percentDecoded).share
    }
    return Swift.min(100, sum / max(1, max(parts.count, segments.count) - 1))
  }
}

extension PathTemplate {
  /// The equality of the number of segments and of the literal ones. The verification checks the placeholders.
  var equality: Equality {
    var literals: UInt64 = 0
    var hash = KeyHash(seed: UInt64(segments.count))
    for (position, segment) in segments.prefix(64).enumerated() {
      guard case .literal(let text) = segment else { continue }
      literals |= 1 << UInt64(position)
      hash.combine(KeyHash.of(text))
    }
    let shape = PathShape(segmentCount: segments.count, isOpen: isOpen, literals: literals)
    return Equality(dimension: .template, hash: hash.value, place: .shape(shape))
  }
}
