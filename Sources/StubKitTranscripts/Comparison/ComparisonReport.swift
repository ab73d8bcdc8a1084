import StubKit

extension TranscriptComparison {
  /// The differences, the difference by value first, in at most about 60 lines. What many requests have in common is
  /// one line.
  ///
  /// - Parameters:
  ///   - place: The transcript, as the end of a sentence.
  ///   - secrets: The values that no report shows.
  func report(_ place: String, hiding secrets: Secrets = .none) -> [String] {
    if isOrderOnly { return orderReport(place, secrets) }
    let unequal = pairs.filter { !$0.isEqual }
    let different = unequal.count + missing.count + surplus.count
    let count = max(expected.count, actual.count, different)
    var lines = ["The requests differ from \(place) in \(different) of \(count):"]
    var differences = differences(secrets)
    let all = unequal.map { pair -> (pair: (expected: Int, actual: Int, isEqual: Bool), found: [Difference]) in
      (pair, differences.found(pair.expected, expected[pair.expected], actual[pair.actual]))
    }
    var groups: [[Difference]: Int] = [:]
    for (_, found) in all { groups[found, default: 0] += 1 }
    var said: Set<[Difference]> = []
    for (pair, found) in all where lines.count < 60 {
      let texts = found.flatMap(\.lines).cut(to: 20)
      if groups[found] == 1 {
        lines += ["  \(secrets.mask(actual[pair.actual].target))"] + texts
      } else if said.insert(found).inserted {
        let what = "  \(groups[found]!.requests) differ only by"
        lines += found.count == 1 ? ["\(what) \(texts.joined(separator: ", "))"] : ["\(what):"] + texts
      }
    }
    for index in missing where lines.count < 70 {
      lines.append("- \(secrets.mask(expected[index].target))   was not made")
    }
    for index in surplus where lines.count < 80 {
      let number = order == .any ? "" : ", the \(index + 1). of \(actual.count)"
      lines.append("+ \(secrets.mask(actual[index].target))   is a request too many\(number)")
    }
    let same = pairs.count - unequal.count
    if same > 0 { lines.append("  … \(same) as expected") }
    // A name can be a secret, too.
    return lines.map(secrets.mask)
  }

  private func differences(_ secrets: Secrets) -> RequestDifferences {
    RequestDifferences(values, machine, mask: secrets.mask) { [expected] in expected[$0].target }
  }

  private func orderReport(_ place: String, _ secrets: Secrets) -> [String] {
    var lines = ["Only the order of the requests differs from \(place):"]
    if let (index, other) = misplaced {
      let target = expected[index].target
      let number = order == .asMade ? other : actual[..<other].count { $0.target.isSame(as: actual[other].target) }
      let what =
        order == .asMade ? "request \(number + 1)" : "the \(number + 1). request of this method and URL"
      lines.append("  \(secrets.mask(actual[other].target))   is \(what)")
      var differences = differences(secrets)
      let found = differences.found(index, expected[index], actual[other]).flatMap(\.lines).cut(to: 12)
      lines += found.isEmpty ? ["- \(secrets.mask(target))"] : found
    }
    lines.append(
      order == .asMade
        ? "If their order is free but for those of one method and URL, leave out order: .asMade."
        : "If their order is free, because they are made at the same time, write order: .any.")
    return lines
  }
}

extension RequestDifferences {
  /// Returns the differences of one more pair.
  fileprivate mutating func found(
    _ index: Int, _ expected: TranscribedRequest, _ actual: TranscribedRequest
  ) -> [Difference] {
    let count = found.count
    compare(index, expected, actual)
    let new = Array(found[count...])
    let alike = Set(new.compactMap(\.expected)).intersection(new.compactMap(\.actual))
    // Lines that look alike can have other characters, or the same secret.
    func told(_ line: String?, _ other: String?) -> String? {
      guard let line, alike.contains(line) else { return line }
      let codes = line.unicodeScalars.filter { !$0.isASCII }.map { "U+\(String($0.value, radix: 16, uppercase: true))" }
      if !codes.isEmpty { return "\(line)   (\(codes.prefix(4).joined(separator: " ")))" }
      return other.map { $0.isSame(as: line) } == true ? "\(line)   (another value)" : line
    }
    return new.map { difference in
      Difference(
        expected: difference.expected.map { told($0, nil)! }, actual: told(difference.actual, difference.expected))
    }
  }
}

extension [String] {
  fileprivate func cut(to count: Int) -> [String] {
    self.count > count ? prefix(count - 1) + ["  … \(self.count - count + 1) more lines"] : self
  }
}
