import StubKitFormats

/// The parts of a plain condition, collected from criteria.
///
/// Every text is in ASCII, because a text beyond ASCII also equals bytes that differ from its own.
struct PlainConditionParts {
  private(set) var method: PlainMethod?
  private(set) var scheme: PlainScheme?
  private(set) var host: String?
  private(set) var path: String?
  private(set) var steps: [PlainStep] = []
  private var texts: [UInt8] = []

  /// More items than this are compared in the general way, which has a table for them.
  private static let mostItems = 8

  /// The host, the path and the texts of the steps.
  var bytes: [UInt8] {
    let (host, path) = (host ?? "", path ?? "")
    var bytes: [UInt8] = []
    bytes.reserveCapacity(host.utf8.count + path.utf8.count + texts.count)
    bytes += host.utf8
    bytes += path.utf8
    bytes += texts
    return bytes
  }

  /// Returns `false` for a criterion that bytes can't verify.
  mutating func add(_ criterion: Criterion) -> Bool {
    switch criterion {
    case .method(let text): Self.set(&method, PlainMethod(text.value))
    case .scheme(let text): Self.set(&scheme, PlainScheme(text.value))
    case .host(let text): Self.set(&host, text.value)
    case .path(let text): Self.set(&path, text.value)
    case .url(let url), .under(let url): url.criteria.allSatisfy { add($0) }
    default: addSteps(of: criterion)
    }
  }

  private mutating func addSteps(of criterion: Criterion) -> Bool {
    switch criterion {
    case .port(let port): add(UInt32(exactly: port).map { .port($0) })
    case .hostSuffix(let suffix): add(text(suffix.value).map { .hostSuffix($0) })
    case .pathPrefix(let prefix): add(text(prefix.value).map { .pathPrefix($0) })
    case .pathUnder(let path): add(text(path.value).map { .pathUnder($0) })
    case .pathSuffix(let suffix): add(text(suffix.value).map { .pathSuffix($0) })
    case .pathTemplate(let template): add(template)
    case .queryName(let name): add(queryName(name).map { .queryName($0) })
    case .lacksQuery(let name): add(queryName(name).map { .noQueryName($0) })
    case .queryValue(let name, let value): add([NamedValue(name: name, value: value)]) != nil
    case .query(let items): add(items) != nil
    case .exactQuery(let items): add(add(items).map { .noOtherQueryItems(count: $0) })
    case .queryItems(let items): add(add(items).map { .queryItemCount($0) })
    default: false
    }
  }

  /// Returns `false` for a second value. It can differ from the first, and is seldom written.
  private static func set<Part>(_ part: inout Part?, _ value: Part?) -> Bool {
    guard part == nil, let value else { return false }
    part = value
    return true
  }

  private mutating func add(_ step: PlainStep?) -> Bool {
    guard let step else { return false }
    steps.append(step)
    return true
  }

  /// Returns `nil` for a text that can equal bytes that differ from its own.
  private mutating func text(_ text: String) -> PlainText? {
    let text = text.canonical
    return text.isASCII ? bytes(of: text) : nil
  }

  private mutating func bytes(of text: String) -> PlainText? {
    guard let count = UInt32(exactly: text.utf8.count), let offset = UInt32(exactly: texts.count) else { return nil }
    texts += text.utf8
    return PlainText(offset: offset, count: count)
  }
}

extension PlainConditionParts {
  /// Returns `nil` for a name that only an escaped one equals, as for the names of items.
  private mutating func queryName(_ name: String) -> PlainText? { name.has("=") ? nil : text(name) }

  /// Adds a step for each of a few items, which are different ones. Returns their number.
  private mutating func add(_ items: NamedItems) -> UInt32? {
    guard items.count <= Self.mostItems, Set(items).count == items.count else { return nil }
    for item in items {
      let item = item.name.has("=") ? nil : item.value.map { item.name + "=" + $0 } ?? item.name
      guard let text = item.flatMap({ text($0) }) else { return nil }
      steps.append(.queryItem(text))
    }
    return UInt32(items.count)
  }
}

extension PlainConditionParts {
  /// Adds the steps of a template. Regular expressions need the general way.
  private mutating func add(_ template: PathTemplate) -> Bool {
    steps.append(.beginTemplate)
    var segments = template.segments[...]
    while let segment = segments.first {
      let literals = segments.prefix { $0.literal != nil }
      segments = segments.dropFirst(max(1, literals.count))
      switch segment {
      case .literal:
        guard add(text(literals.compactMap(\.literal).joined(separator: "/")).map { .segments($0) }) else {
          return false
        }
      case .capturing("", let places) where places.count == 1 && places[0].suffix.isEmpty:
        guard add(bytes(of: places[0].name).map { .placeholderSegment(name: $0) }) else { return false }
      case .capturing(let prefix, let places):
        guard add(text(prefix).map { .segmentPrefix($0) }), add(places) else { return false }
      case .rest(let name): return add(bytes(of: name).map { .rest(name: $0) })
      case .expression: return false
      }
    }
    steps.append(.endTemplate)
    return true
  }

  private mutating func add(_ places: [PathTemplate.Place]) -> Bool {
    for (position, place) in places.enumerated() {
      guard let name = bytes(of: place.name), let suffix = text(place.suffix) else { return false }
      let isLast = position == places.count - 1
      steps.append(isLast ? .lastPlaceholder(name: name, before: suffix) : .placeholder(name: name, upTo: suffix))
    }
    return true
  }
}

extension PathTemplate.Segment {
  fileprivate var literal: String? { if case .literal(let text) = self { text } else { nil } }
}
