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
    /// The number of requests that the entry answers, or `nil` for any number.
    var times: Int?
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
    var images = entries.map { entry in
      var facts = RequestFacts(entry.request)
      return RequestImage(headOf: &facts, comparison)
    }
    Self.addBodies(to: &images, of: entries, comparison)
    steps = Array(repeating: Step(), count: entries.count)
    for sequence in Self.positions(of: images) {
      let image = images[sequence[0]]
      // Entries that start over, or stop, answer in turn whatever the secrets are.
      let secrets =
        afterLast == .repeatLast ? RecordedSecrets(of: sequence.map { entries[$0].request }, comparison) : nil
      let condition = image.condition(of: entries[sequence[0]].request, comparison.ignored)
      let startsOver = afterLast == .startOver && sequence.count > 1
      let scenario = secrets != nil || startsOver ? StubScenario(initial: 1, name: "turn") : nil
      for (turn, position) in zip(1..., sequence) {
        let isRepeated =
          secrets?.isLast(turn - 1) ?? (startsOver || turn == sequence.count && afterLast != .stopMatching)
        var step = Step(
          condition: condition, times: isRepeated ? nil : 1, sequence: sequence, redactedCount: image.redactedCount)
        if let scenario {
          let isNext = scenario.is(turn)
          step.condition = condition && (secrets?.condition(ofRequest: turn - 1, isNext) ?? isNext)
          step.next = (scenario, startsOver ? turn % sequence.count + 1 : turn + 1)
        }
        steps[position] = step
      }
    }
    order = steps.indices.sorted { [steps] in (steps[$0].redactedCount, $0) < (steps[$1].redactedCount, $1) }
  }

  private static func addBodies(
    to images: inout [RequestImage], of entries: [HTTPArchive.Entry], _ comparison: ReplayComparison
  ) {
    let isAlways = comparison.matching.comparesBodies == .always
    guard comparison.matching.comparesBodies != .never else { return }
    for group in positions(of: images) where group.count > 1 || isAlways {
      let bodies = group.map { RecordedBody(of: entries[$0], comparison.ignored) }.countingVariables
      guard isAlways || Set(bodies).count > 1 else { continue }
      for (position, body) in zip(group, bodies) { images[position].body = body }
    }
  }

  /// Returns the positions of equal images, each list in order.
  private static func positions(of images: [RequestImage]) -> [[Int]] {
    var lists: [[Int]] = []
    var places: [RequestImage: Int] = [:]
    for (position, image) in images.enumerated() {
      if let place = places[image] {
        lists[place].append(position)
      } else {
        places[image] = lists.count
        lists.append([position])
      }
    }
    return lists
  }
}

extension [RecordedBody] {
  /// The bodies, with GraphQL variables only for operations that occur with different ones.
  fileprivate var countingVariables: [RecordedBody] {
    let variants = Dictionary(grouping: Set(self)) { $0.withoutVariables }
    return map { body in
      let operation = body.withoutVariables
      return variants[operation]?.count == 1 ? operation : body
    }
  }
}

extension RequestImage {
  /// - Parameters:
  ///   - request: A request with this image.
  ///   - ignored: What the image is without.
  fileprivate func condition(of request: URLRequest, _ ignored: IgnoredParts) -> RequestMatcher {
    var conditions: [RequestMatcher] = []
    if let method, !method.isEmpty { conditions.append(.isMethod(ofRequest: method)) }
    conditions += placeConditions(of: request)
    if let query { conditions.append(.recordedItems(.query, query, ignoring: ignored.query)) }
    conditions += headers.map { header in
      guard let value = header.value else { return lacksHeader(header.name) }
      return header.isRedacted
        ? headerMatches(header.name, value.patternOfRedacted(any: ".+"))
        : RequestMatcher(ValueCriterion(.header(header.name), .equals(MatchText(value))))
    }
    if let body, body != .unknown { conditions.append(body.condition(ignored)) }
    return conditions.isEmpty ? .anything : conditions.dropFirst().reduce(conditions[0], &&)
  }

  private func placeConditions(of request: URLRequest) -> [RequestMatcher] {
    if let scheme, !scheme.isEmpty, let host, !host.isEmpty, !host.isRedactedHost, port != nil, let path,
      !path.isRedacted,
      let url = request.url?.withoutUserAndQuery
    {
      return [isURL(url)]
    }
    var conditions: [RequestMatcher] = []
    func add(_ part: ValueCriterion.Part, _ comparison: ValueCriterion.Comparison) {
      conditions.append(RequestMatcher(ValueCriterion(part, comparison)))
    }
    if let scheme { add(.scheme, .equals(MatchText(scheme))) }
    if let host, !host.isRedactedHost {
      add(.host, .equals(MatchText(host)))
    } else if let end = host?.uppercased().betweenPlaceholders.last?.lowercased(), !end.isEmpty {
      // Only the end of a redacted host can be compared.
      add(.host, .ends(with: MatchText(end)))
    }
    if let port, port != 0 { conditions.append(isPort(port)) }
    if let path, path.isRedacted {
      conditions.append(pathMatches(path.patternOfRedacted(any: "[^/]+")))
    } else if let path {
      add(.path, .equals(MatchText(path)))
    }
    return conditions
  }
}

extension URL {
  /// The URL of a request without its user, query and fragment, which a report can show.
  var withoutUserAndQuery: URL? {
    guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return nil }
    (parts.user, parts.password, parts.query, parts.fragment) = (nil, nil, nil, nil)
    return parts.url
  }
}

extension String {
  /// Hosts are in lower case, and placeholders aren't.
  fileprivate var isRedactedHost: Bool { uppercased().isRedacted }

  /// The regular expression of the whole text.
  ///
  /// - Parameter any: The expression for what stands in place of a placeholder.
  fileprivate func patternOfRedacted(any: String) -> String {
    "^" + betweenPlaceholders.map(NSRegularExpression.escapedPattern(for:)).joined(separator: any) + "$"
  }
}

/// The secrets that distinguish the requests of a sequence.
struct RecordedSecrets {
  private let images: [RequestImage]
  private let all: Set<RequestImage>
  /// The number of the last request with each image.
  private let last: [RequestImage: Int]
  private let comparison: ReplayComparison

  /// Returns `nil` if the requests have the same secrets.
  init?(of requests: [URLRequest], _ comparison: ReplayComparison) {
    guard requests.count > 1, requests.contains(where: \.hasPlaceholder) else { return nil }
    images = requests.map { request in
      var facts = RequestFacts(request)
      return RequestImage(literally: &facts, comparison)
    }
    all = Set(images)
    last = Dictionary(zip(images, images.indices)) { max($0, $1) }
    self.comparison = comparison
    guard all.count > 1 else { return nil }
  }

  /// Whether no later request has the secrets of the one with a number.
  func isLast(_ number: Int) -> Bool { last[images[number]] == number }

  /// Returns the condition for the secrets of a request.
  ///
  /// - Parameter isNext: The condition that it is the turn of the request, which counts for others with other secrets.
  func condition(ofRequest number: Int, _ isNext: RequestMatcher) -> RequestMatcher {
    func secrets(_ wanted: RecordedSecretsCriterion.Wanted) -> RequestMatcher {
      RequestMatcher(RecordedSecretsCriterion(wanted, own: images[number], among: all, comparison))
    }
    guard number < images.count - 1, isLast(number) else { return secrets(.ownOrNone) }
    return secrets(.own) || secrets(.none) && isNext
  }
}

extension URLRequest {
  fileprivate var hasPlaceholder: Bool {
    if url?.absoluteString.isRedacted == true || allHTTPHeaderFields?.values.contains(where: \.isRedacted) == true {
      return true
    }
    return httpBody?.withUnsafeBytes { !Redacted.ranges(in: $0.bindMemory(to: UInt8.self)).isEmpty } ?? false
  }
}
