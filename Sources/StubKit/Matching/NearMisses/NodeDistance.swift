import StubKitFormats

extension RequestMatcher {
  /// Returns the distance of the request from meeting the condition: 0 if it meets it. ``NearMiss`` describes how the
  /// distance is measured.
  ///
  /// This runs no closure and reads no body.
  ///
  /// - Parameter roughly: Whether a lower bound of the distance, from what is quick to compare, is enough.
  func distance(_ facts: inout RequestFacts, roughly: Bool = false) -> Int {
    node.distance(&facts, negated: false, roughly: roughly)
  }
}

/// The points of a criterion that is not met, in hundredths.
enum Points {
  static let usedUp = 1_00
  static let unknown = 4_00
  static let method = 10_00
  static let scenario = 8_00
  static let closure = 10_00
  static let negation = 10_00
  static let path = (least: 5_00, most: 40_00)
  static let pathOfOtherForm = 25_00
  static let host = (least: 15_00, most: 60_00)
  static let url = (least: 5_00, most: 60_00)
  static let place = 15_00
  static let item = (least: 4_00, most: 10_00)
  static let missingItem = 12_00
  static let items = 24_00
  static let body = (least: 5_00, most: 25_00)
  static let otherBody = 28_00
  static let impossible = 60_00

  /// - Parameter share: 0 to 100.
  static func scaled(_ range: (least: Int, most: Int), _ share: Int) -> Int {
    range.least + (range.most - range.least) * share / 100
  }
}

extension RequestMatcher.Node {
  func distance(_ facts: inout RequestFacts, negated: Bool, roughly: Bool = false) -> Int {
    switch self {
    case .criterion(let criterion): return criterion.distance(&facts, negated: negated, roughly: roughly)
    case .closure(let closure):
      guard !roughly else { return 0 }
      guard let said = facts.result(of: closure) else { return Points.unknown }
      return said == !negated ? 0 : Points.closure
    case .not(let child): return child.distance(&facts, negated: !negated, roughly: roughly)
    case .all(let children, _) where children.isEmpty, .either(let children, _) where children.isEmpty:
      return matchesAll(negated) ? 0 : Points.impossible
    case .all(let children, _), .either(let children, _):
      guard isConjunction(negated) else {
        var nearest = Int.max
        for child in children where nearest > 0 {
          nearest = min(nearest, child.distance(&facts, negated: negated, roughly: roughly))
        }
        return nearest
      }
      var sum = 0
      for child in children { sum += child.distance(&facts, negated: negated, roughly: roughly) }
      return sum
    }
  }
}

extension Criterion {
  fileprivate func distance(_ facts: inout RequestFacts, negated: Bool, roughly: Bool) -> Int {
    if roughly && isSlow { return 0 }
    if stages.contains(.body) && facts.bodyIsUnread { return Points.unknown }
    var captures = Captures()
    if test(&facts, &captures) { return negated ? Points.negation : 0 }
    return negated ? 0 : distance(&facts, roughly: roughly)
  }

  private var isSlow: Bool {
    switch self {
    case .urlPattern, .pathPattern, .queryPattern, .headerPattern: true
    default: stages.contains(.body)
    }
  }

  /// Returns the distance of a criterion that is not met.
  private func distance(_ facts: inout RequestFacts, roughly: Bool) -> Int {
    func path(_ wanted: String, _ actual: String) -> Int {
      let difference = TextDifference(wanted, actual)
      return Points.scaled(Points.path, roughly ? difference.leastPathShare : difference.pathShare)
    }
    func text(_ range: (least: Int, most: Int), _ wanted: String, _ actual: String) -> Int {
      let difference = TextDifference(wanted, actual)
      return Points.scaled(range, roughly ? difference.leastShare : difference.share)
    }
    switch self {
    case .method: return Points.method
    case .scheme, .port: return Points.place
    case .host(let host): return facts.host.map { text(Points.host, host.value, $0) } ?? Points.host.most
    case .hostSuffix(let suffix):
      return facts.host.map { text(Points.host, suffix.value, String($0.suffix(suffix.value.count))) }
        ?? Points.host.most
    case .absoluteURL(let url):
      return facts.url == nil ? Points.url.most : text(Points.url, url.value, facts.absoluteString)
    case .path(let wanted): return facts.url == nil ? Points.path.most : path(wanted.value, facts.path)
    case .url(let url), .under(let url):
      return url.criteria.reduce(0) { $0 + $1.distance(&facts, negated: false, roughly: roughly) }
    case .pathUnder(let prefix): return path(prefix.value, String(facts.path.prefix(prefix.value.count)))
    case .pathPrefix(let prefix): return path(prefix.value, String(facts.path.prefix(prefix.value.count)))
    case .pathSuffix(let suffix): return path(suffix.value, String(facts.path.suffix(suffix.value.count)))
    case .pathTemplate(let template):
      return Points.scaled(Points.path, template.difference(from: facts.encodedPath, roughly: roughly))
    case .pathExtension: return Points.method
    case .scenario: return Points.scenario
    case .urlPattern, .pathPattern: return Points.pathOfOtherForm
    default: return itemDistance(&facts)
    }
  }

  private func itemDistance(_ facts: inout RequestFacts) -> Int {
    switch self {
    case .queryName, .header, .cookie, .lacksQuery, .lacksHeader: return Points.missingItem
    case .queryValue(let name, let value): return NamedValue(name: name, value: value).distance(from: facts.queryItems)
    case .query(let items): return items.distance(from: facts.queryItems, exactly: false)
    case .exactQuery(let items), .queryItems(let items):
      return items.distance(from: facts.queryItems, exactly: true)
    case .recordedQuery(let recorded):
      return recorded.items.distance(from: facts.queryItems, exactly: true, isRecorded: true)
    case .queryPattern(let name, _):
      return facts.queryItems.contains(name: name) ? Points.item.most : Points.missingItem
    case .headerValue(let name, let value):
      return NamedValue(name: name, value: value).distance(from: facts.values(ofHeader: name))
    case .headerPattern(let name, _): return facts.header(name) == nil ? Points.missingItem : Points.item.most
    case .cookieValue(let name, let value): return NamedValue(name: name, value: value).distance(from: facts.cookies)
    case .basicAuth: return facts.header("Authorization") == nil ? Points.missingItem : Points.item.most
    default: return bodyDistance(&facts)
    }
  }

  private func bodyDistance(_ facts: inout RequestFacts) -> Int {
    switch self {
    case .body(let wanted):
      guard let data = facts.bodyData, !data.isEmpty, !wanted.isEmpty else { return Points.otherBody }
      return Points.scaled(Points.body, TextDifference(Array(wanted.prefix(256)), Array(data.prefix(256))).share)
    case .bodyText: return facts.bodyData == nil ? Points.otherBody : Points.body.most
    case .json(let wanted): return Self.distance(facts.json, wanted, exactly: true)
    case .jsonContaining(let wanted): return Self.distance(facts.json, wanted, exactly: false)
    case .jsonAt(let path, let wanted):
      return Self.distance(facts.json.map { path.value(in: $0) ?? .null }, wanted, exactly: true)
    case .recordedJSON(let path, let wanted):
      return Self.distance(
        facts.json.map { path.value(in: $0) ?? .null }, wanted, exactly: true, isRecorded: true)
    case .recordedText: return facts.bodyData == nil ? Points.otherBody : Points.body.most
    case .form(let items), .formItems(let items):
      return facts.formFields.isEmpty
        ? Points.otherBody : max(Points.body.least, items.distance(from: facts.formFields, exactly: true))
    case .recordedForm(let recorded):
      return facts.formFields.isEmpty
        ? Points.otherBody
        : max(Points.body.least, recorded.items.distance(from: facts.formFields, exactly: true, isRecorded: true))
    case .multipart: return facts.multipart == nil ? Points.otherBody : Points.missingItem
    case .graphQL(let operation):
      let shares = facts.graphQLOperations.prefix(64).map { TextDifference(operation, $0).share }
      return shares.min().map { Points.scaled(Points.body, $0) } ?? Points.otherBody
    default: return Points.negation
    }
  }

  /// Returns the distance by the share of the JSON's leaves that differ.
  private static func distance(
    _ actual: JSONValue?, _ wanted: JSONValue, exactly: Bool, isRecorded: Bool = false
  ) -> Int {
    guard let actual else { return Points.otherBody }
    let differences = JSONDifference.count(wanted, actual, exactly: exactly, isRecorded: isRecorded)
    return Points.scaled(Points.body, min(100, 100 * differences / max(1, wanted.leafCount)))
  }
}

extension NamedValue {
  /// Returns 0 if the item is in the list, and less for one with its name than for none. Among very many items with
  /// its name, the first ones count.
  fileprivate func distance(from items: NamedItems) -> Int {
    if items.contains(self) { return 0 }
    let shares = items.named(name).prefix(64).map { TextDifference(value ?? "", $0.value ?? "").share }
    return shares.min().map { Points.scaled(Points.item, $0) } ?? Points.missingItem
  }
}

extension NamedItems {
  fileprivate func distance(from items: NamedItems, exactly: Bool, isRecorded: Bool = false) -> Int {
    var sum = 0
    // More than the maximum counts no more.
    for item in self where sum < Points.items {
      if isRecorded, item.isRedacted, items.contains(name: item.name) { continue }
      sum += item.distance(from: items)
    }
    if exactly {
      for item in items where sum < Points.items && !contains(name: item.name) { sum += Points.missingItem }
    }
    // Never 0, because the criterion failed, if only by how often an item occurs.
    return Swift.min(Points.items, Swift.max(Points.item.least, sum))
  }
}

extension PathTemplate {
  /// Like ``TextDifference/pathShare``. A segment that can match a placeholder differs by nothing.
  fileprivate func difference(from encodedPath: String, roughly: Bool) -> Int {
    let parts = Self.split(encodedPath)
    // The first part is what precedes the leading slash.
    let surplus = parts.count - segments.count
    var sum = 100 * (isOpen && surplus > 0 ? 0 : abs(surplus))
    for (segment, part) in zip(segments, parts) {
      guard case .literal(let literal) = segment, literal != part else { continue }
      let difference = TextDifference(literal, String(part).percentDecoded)
      sum += roughly ? difference.leastShare : difference.share
    }
    return Swift.min(100, sum / max(1, max(parts.count, segments.count) - 1))
  }
}
