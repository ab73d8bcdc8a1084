import Foundation
import StubKit
import StubKitArchive

/// The condition of each entry of an archive, and the entries that follow one another.
///
/// Each entry is a stub of its own, so that a report can name the unused ones. An entry answers once. Then the next one
/// answers, which is an older stub.
struct ReplayPlan {
  /// What an entry answers.
  struct Step {
    var condition: RequestMatcher = .nothing
    /// The condition of all entries of the same request.
    var commonCondition: RequestMatcher = .nothing
    /// The number of requests that the entry answers, or `nil` for any number.
    var times: Int?
    /// The number of requests after which only its own placeholders lead to it.
    var turns = Int.max
    /// The turn after that of the entry. Only entries that start over, or that their secrets tell apart, need to know
    /// whose turn it is.
    var next: (scenario: StubScenario<Int>, turn: Int)?
    /// The positions of the entries of the same request, in the archive's order.
    var sequence: [Int] = []
    fileprivate var redactedCount = 0
  }

  /// What the entries answer, in the archive's order.
  private(set) var steps: [Step]
  /// The positions of the entries, in the order in which they are asked: exact ones before redacted ones.
  let order: [Int]

  init(_ entries: [HTTPArchive.Entry], _ comparison: ReplayComparison, afterLast: SequenceEnd = .repeatLast) {
    self.init(ReplaySequences(entries, comparison), afterLast: afterLast)
  }

  /// Creates a plan with turns of its own, because each registry counts for itself.
  init(_ sequences: ReplaySequences, afterLast: SequenceEnd = .repeatLast) {
    steps = Array(repeating: Step(), count: sequences.entryCount)
    for sequence in sequences.all {
      let (condition, count) = (sequence.condition, sequence.positions.count)
      // Entries that start over, or stop, answer in turn whatever the secrets are.
      let secrets = afterLast == .repeatLast ? sequence.secrets : nil
      let startsOver = afterLast == .startOver && count > 1
      let scenario = secrets != nil || startsOver ? StubScenario(initial: 1, name: "turn") : nil
      for (turn, position) in zip(1..., sequence.positions) {
        let isRepeated =
          secrets?.isLast(turn - 1) ?? (startsOver || turn == count && afterLast != .stopMatching)
        var step = Step(
          condition: condition, commonCondition: condition, times: isRepeated ? nil : 1, sequence: sequence.positions,
          redactedCount: sequence.redactedCount)
        if let scenario {
          step.condition = condition && scenario.is(turn)
          if let secrets {
            let own = sequence.ownConditions[turn - 1]
            let isInTurn = turn < count && secrets.isLast(turn - 1)
            step.condition = own.secrets && (own.request || (isInTurn ? step.condition : condition))
            if turn < count { step.turns = 1 }
          }
          step.next = (scenario, startsOver ? turn % count + 1 : turn + 1)
        }
        steps[position] = step
      }
    }
    order = steps.indices.sorted { [steps] in (steps[$0].redactedCount, $0) < (steps[$1].redactedCount, $1) }
  }
}

/// The entries of an archive that answer the same requests, and what these must have in common with them.
final class ReplaySequences: Sendable {
  struct Sequence: Sendable {
    /// The positions of the entries, in the archive's order.
    let positions: [Int]
    let condition: RequestMatcher
    let redactedCount: Int
    /// The secrets that tell the entries apart, or `nil` if there are none.
    let secrets: RecordedSecrets?
    /// For each entry, the requests with its secrets, or with those of none, and its own request. Empty without
    /// secrets.
    let ownConditions: [(secrets: RequestMatcher, request: RequestMatcher)]
  }

  let all: [Sequence]
  let entryCount: Int

  init(_ entries: [HTTPArchive.Entry], _ comparison: ReplayComparison) {
    let placeholders = entries.map { Placeholders($0.redacted) }
    var images = entries.map { entry in
      var facts = RequestFacts(entry.request)
      return RequestImage(headOf: &facts, comparison)
    }
    var marked = zip(images, placeholders).map { $0.marked($1) }
    Self.addBodies(to: &images, &marked, of: entries, placeholders, comparison)
    all = Self.positions(of: marked.map(\.image)).map { positions in
      let first = positions[0]
      let hasSecrets = positions.count > 1 && positions.contains { !placeholders[$0].isEmpty }
      let secrets = hasSecrets ? RecordedSecrets(of: positions.map { entries[$0].request }, comparison) : nil
      let ownConditions = secrets.map { secrets in
        zip(positions, secrets.images).map { position, image in
          let request = entries[position].request
          return (
            secrets: RequestMatcher(RecordedSecretsCriterion(secrets, of: request)),
            request: image.condition(of: request, comparison.ignored, .none)
          )
        }
      }
      return Sequence(
        positions: positions,
        condition: images[first].condition(of: entries[first].request, comparison.ignored, placeholders[first]),
        redactedCount: marked[first].count, secrets: secrets, ownConditions: ownConditions ?? [])
    }
    entryCount = entries.count
  }

  private static func addBodies(
    to images: inout [RequestImage], _ marked: inout [(image: RequestImage, count: Int)],
    of entries: [HTTPArchive.Entry], _ placeholders: [Placeholders], _ comparison: ReplayComparison
  ) {
    guard comparison.matching.comparesBodies else { return }
    let isAlways = comparison.matching.contains(.body)
    for group in positions(of: marked.map(\.image)) where group.count > 1 || isAlways {
      let bodies = group.map { RecordedBody(of: entries[$0], comparison.ignored) }
      var counts = [Int](repeating: 0, count: group.count)
      let markedBodies = group.indices.map { bodies[$0].marked(placeholders[group[$0]], &counts[$0]) }
      // GraphQL variables count only for operations that occur with different ones.
      let variants = Dictionary(grouping: Set(markedBodies)) { $0.withoutVariables }
      let compared = markedBodies.map { variants[$0.withoutVariables]?.count == 1 ? $0.withoutVariables : $0 }
      guard isAlways || Set(compared).count > 1 else { continue }
      for (place, position) in group.enumerated() {
        let dropsVariables = compared[place] != markedBodies[place]
        images[position].body = dropsVariables ? bodies[place].withoutVariables : bodies[place]
        marked[position].image.body = compared[place]
        marked[position].count += dropsVariables ? 0 : counts[place]
      }
    }
  }

  /// Returns the positions of equal images, each list in order.
  private static func positions(of images: [RequestImage]) -> [[Int]] {
    Dictionary(grouping: images.indices) { images[$0] }.values.sorted { $0[0] < $1[0] }
  }
}

extension RequestImage {
  /// - Parameters:
  ///   - request: A request with this image.
  ///   - ignored: What the image is without.
  ///   - placeholders: What any value meets.
  fileprivate func condition(
    of request: URLRequest, _ ignored: IgnoredParts, _ placeholders: Placeholders
  ) -> RequestMatcher {
    var conditions: [RequestMatcher] = []
    if let method, !method.isEmpty { conditions.append(.isMethod(ofRequest: method)) }
    conditions += placeConditions(of: request, placeholders)
    if let query { conditions.append(.recordedItems(.query, query, ignoring: ignored.query, placeholders)) }
    conditions += headers.map { header in
      guard let value = header.value else { return !hasHeader(header.name) }
      let pieces = placeholders.pieces(of: value)
      return pieces.count > 1
        ? headerMatches(header.name, pieces.pattern(any: ".+"))
        : RequestMatcher(.header(header.name), .equals(MatchText(value)))
    }
    if let body, body != .unknown { conditions.append(body.condition(ignored, placeholders)) }
    return conditions.isEmpty ? .anything : conditions.dropFirst().reduce(conditions[0], &&)
  }

  private func placeConditions(of request: URLRequest, _ placeholders: Placeholders) -> [RequestMatcher] {
    let (hosts, paths) = (placeholders.pieces(ofHost: host ?? ""), placeholders.pieces(of: path ?? ""))
    if let scheme, !scheme.isEmpty, let host, !host.isEmpty, hosts.count == 1, port != nil, path != nil,
      paths.count == 1, let url = request.url?.withoutUserAndQuery
    {
      return [isURL(url)]
    }
    var conditions: [RequestMatcher] = []
    func add(_ part: RequestPart, _ comparison: ValueComparison) {
      conditions.append(RequestMatcher(part, comparison))
    }
    if let scheme { add(.scheme, .equals(MatchText(scheme))) }
    if let host, hosts.count == 1 {
      add(.host, .equals(MatchText(host)))
    } else if let end = hosts.last, !end.isEmpty {
      // Only the end of a redacted host can be compared.
      add(.host, .ends(with: MatchText(end)))
    }
    if let port, port != 0 { conditions.append(isPort(port)) }
    if paths.count > 1 { return conditions + [pathMatches(paths.pattern(any: "[^/]+"))] }
    if let path { add(.path, .equals(MatchText(path))) }
    return conditions
  }
}

extension URL {
  /// The URL of a request without its user, query and fragment, which a report can show.
  var withoutUserAndQuery: URL? {
    guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return nil }
    parts.user = nil
    parts.password = nil
    parts.query = nil
    parts.fragment = nil
    return parts.url
  }
}

extension [String] {
  /// The regular expression of a whole text with these pieces between its placeholders.
  ///
  /// - Parameter any: The expression for what stands in place of a placeholder.
  fileprivate func pattern(any: String) -> String {
    "^" + map(NSRegularExpression.escapedPattern(for:)).joined(separator: any) + "$"
  }
}
