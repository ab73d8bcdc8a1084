import Foundation
import StubKit
import StubKitArchive
import StubKitFormats

/// The condition of each entry of an archive, and the entries that follow one another.
struct ReplayPlan {
  /// The conditions of the entries, in the archive's order.
  let conditions: [RequestMatcher]
  /// The positions of entries of the same request, in the archive's order.
  let sequences: [[Int]]
  /// The turns of the entries, in the archive's order.
  let turns: [ReplayTurn]
  /// The positions of the entries, in the order in which they are asked: exact ones before redacted ones.
  let order: [Int]

  init(_ entries: [HTTPArchive.Entry], _ comparison: ReplayComparison, afterLast: SequenceEnd = .repeatLast) {
    var images = entries.map { entry in
      var facts = RequestFacts(entry.request)
      return RequestImage(headOf: &facts, comparison)
    }
    Self.addBodies(to: &images, of: entries, comparison)
    var conditions = [RequestMatcher](repeating: .nothing, count: entries.count)
    var turns = [ReplayTurn](repeating: ReplayTurn(), count: entries.count)
    var redactedCounts = [Int](repeating: 0, count: entries.count)
    sequences = Self.positions(of: images)
    for sequence in sequences {
      let image = images[sequence[0]]
      // Entries that start over, or stop, answer in turn whatever the secrets are.
      let secrets =
        afterLast == .repeatLast ? RecordedSecrets(of: sequence.map { entries[$0].request }, comparison) : nil
      let condition = image.condition(of: entries[sequence[0]].request, comparison.ignored)
      let count = image.redactedCount
      for (number, turn) in ReplayTurn.turns(of: sequence.count, afterLast, secrets).enumerated() {
        let position = sequence[number]
        conditions[position] = secrets?.condition(ofRequest: number, condition) ?? condition
        (turns[position], redactedCounts[position]) = (turn, count)
      }
    }
    (self.conditions, self.turns) = (conditions, turns)
    order = entries.indices.sorted { (redactedCounts[$0], $0) < (redactedCounts[$1], $1) }
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
    if let query { conditions.append(.recordedItems(.query, NamedItems(query), ignoring: ignored.query)) }
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
    if let scheme { conditions.append(.recordedScheme(scheme)) }
    if let host { conditions += host.isRedactedHost ? host.hostAfterMark : [.recordedHost(host)] }
    if let port, port != 0 { conditions.append(isPort(port)) }
    if let path { conditions.append(path.isRedacted ? .recordedPath(.redactedPath(path)) : .recordedPath(path)) }
    return conditions
  }
}

extension URL {
  /// The URL of a request without its user and query, which a report can show.
  fileprivate var withoutUserAndQuery: URL? {
    guard var components = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return nil }
    components.user = nil
    components.password = nil
    components.fragment = nil
    components.query = nil
    return components.url
  }
}

extension String {
  /// Hosts are in lower case, and placeholders aren't.
  fileprivate var isRedactedHost: Bool { uppercased().isRedacted }

  /// The condition for the part of a host that can be compared, which is its end.
  fileprivate var hostAfterMark: [RequestMatcher] {
    guard let rest = uppercased().betweenPlaceholders.last?.lowercased(), !rest.isEmpty else { return [] }
    return [.recordedHost(endingWith: rest)]
  }
}

extension Pattern {
  /// Returns a pattern for the whole path that accepts any text within a segment in place of each placeholder.
  fileprivate static func redactedPath(_ path: String) -> Pattern {
    Pattern(path.patternOfRedacted(any: "[^/]+"), options: [], in: "pathMatches")
  }
}

extension String {
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
  /// Takes entries in turn for requests with other secrets. The states are the numbers of the entries, from 1.
  let scenario = StubScenario(initial: 1, name: "turn")

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

  /// Returns the condition of a request, given that of all.
  func condition(ofRequest number: Int, _ condition: RequestMatcher) -> RequestMatcher {
    func secrets(_ wanted: RecordedSecretsCriterion.Wanted) -> RequestMatcher {
      RequestMatcher(RecordedSecretsCriterion(wanted, own: images[number], among: all, comparison))
    }
    guard number < images.count - 1, isLast(number) else { return condition && secrets(.ownOrNone) }
    return condition && (secrets(.own) || secrets(.none) && scenario.is(number + 1))
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
