import Foundation
import StubKit
import StubKitArchive
import StubKitFormats

/// The condition of each entry of an archive, and the entries that follow one another.
struct ReplayPlan {
  /// The conditions of the entries, in the archive's order.
  let conditions: [RequestMatcher]
  /// The positions of entries with the same condition, in the archive's order.
  let sequences: [[Int]]

  init(_ entries: [HTTPArchive.Entry], matching: ReplayMatching) {
    var images = entries.map { RequestImage(headOf: $0.request, matching: matching) }
    Self.addBodies(to: &images, of: entries, matching.comparesBodies)
    let positions = Self.positions(of: images)
    sequences = positions
    var conditions = [RequestMatcher](repeating: .nothing, count: entries.count)
    for sequence in positions {
      let condition = images[sequence[0]].condition(of: entries[sequence[0]].request, matching)
      for position in sequence { conditions[position] = condition }
    }
    self.conditions = conditions
  }

  private static func addBodies(
    to images: inout [RequestImage], of entries: [HTTPArchive.Entry], _ comparison: ReplayMatching.BodyComparison
  ) {
    guard comparison != .never else { return }
    for group in positions(of: images) where group.count > 1 || comparison == .always {
      let bodies = group.map { RecordedBody(of: entries[$0]) }.countingVariables
      guard comparison == .always || Set(bodies).count > 1 else { continue }
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
  /// The same bodies. GraphQL variables remain only for operations that occur with different ones.
  fileprivate var countingVariables: [RecordedBody] {
    let variants = Dictionary(grouping: Set(self)) { $0.withoutVariables }
    return map { body in
      let operation = body.withoutVariables
      return variants[operation]?.count == 1 ? operation : body
    }
  }
}

extension RequestImage {
  /// - Parameter request: A request with this image.
  fileprivate func condition(of request: URLRequest, _ matching: ReplayMatching) -> RequestMatcher {
    var conditions: [RequestMatcher] = []
    if let method, !method.isEmpty { conditions.append(.isMethod(ofRequest: method)) }
    conditions += placeConditions(of: request)
    conditions += headers.map { header in
      guard let value = header.value else { return lacksHeader(header.name) }
      return header.isRedacted ? hasHeaderNamed(header.name) : hasHeaderNamed(header.name, value: value)
    }
    if let body, body != .unknown { conditions.append(body.condition) }
    return conditions.isEmpty ? .anything : conditions.dropFirst().reduce(conditions[0], &&)
  }

  private func placeConditions(of request: URLRequest) -> [RequestMatcher] {
    if let scheme, !scheme.isEmpty, let host, !host.isEmpty, !host.isRedactedHost, port != nil, let path,
      !path.isRedacted,
      let url = request.url?.withoutUserAndQuery
    {
      return [isURL(url)] + queryConditions
    }
    var conditions: [RequestMatcher] = []
    if let scheme { conditions.append(.recordedScheme(scheme)) }
    if let host { conditions += host.isRedactedHost ? host.hostAfterMark : [.recordedHost(host)] }
    if let port, port != 0 { conditions.append(isPort(port)) }
    if let path { conditions.append(path.isRedacted ? .recordedPath(.redactedPath(path)) : .recordedPath(path)) }
    return conditions + queryConditions
  }

  private var queryConditions: [RequestMatcher] {
    query.map { [.recordedItems(.query, NamedItems($0))] } ?? []
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
  /// The mark as it appears in a host, in lower case.
  private static let hostMark = Redacted.mark.lowercased()

  fileprivate var isRedactedHost: Bool { utf8.contains(Self.hostMark.utf8) }

  /// The condition for the part of a host that can be compared, which is its end.
  fileprivate var hostAfterMark: [RequestMatcher] {
    guard let mark = range(of: Self.hostMark, options: .backwards), mark.upperBound < endIndex else { return [] }
    return [.recordedHost(endingWith: String(self[mark.upperBound...]))]
  }
}

extension Pattern {
  /// Returns a pattern for the whole path that accepts any text within a segment in place of each mark.
  fileprivate static func redactedPath(_ path: String) -> Pattern {
    let literal = NSRegularExpression.escapedPattern(for: path)
    return Pattern("^\(literal.replacing(Redacted.mark, with: "[^/]+"))$", options: [], in: "pathMatches")
  }
}
