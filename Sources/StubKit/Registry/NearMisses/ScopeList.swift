/// The open scopes in a report: every one with a matching stub, and some of the others.
struct ScopeList {
  /// The lines of the matching stubs. Cases of a parameterised test share a line.
  private var matches: [(line: String, count: Int)] = []
  private var others: [String] = []

  var count: Int { matchCount + others.count }

  private(set) var matchCount = 0

  mutating func add(_ registry: StubRegistry, matching stub: Stub?) {
    if let line = stub?.line {
      matchCount += 1
      if let position = matches.firstIndex(where: { $0.line == line }) {
        matches[position].count += 1
      } else {
        matches.append((line, 1))
      }
    } else {
      let stubs = registry.stubs
      let count = stubs.count == 1 ? "1 stub" : "\(stubs.count) stubs, the first"
      others.append(stubs.first.map { "  one with \(count) at \($0.location)" } ?? "  one without stubs")
    }
  }

  /// Returns at most so many lines, unless more stubs match.
  func lines(_ limit: Int) -> [String] {
    let lines = matches.map { "  \($0.count == 1 ? "one" : "\($0.count)") with a matching stub: \($0.line)" }
    let room = max(0, limit - lines.count)
    guard others.count > room else { return lines + others }
    let listed = others.prefix(max(0, room - 1))
    return lines + listed + ["  and \(others.count - listed.count) more"]
  }
}
