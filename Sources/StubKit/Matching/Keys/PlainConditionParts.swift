import StubKitFormats

/// The parts of a plain condition, collected from criteria.
///
/// Every text is in ASCII, because a text beyond ASCII also equals bytes that differ from its own.
package struct PlainConditionParts {
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

  // Each of these returns `false` for what bytes can't verify.

  mutating func set(method: String) -> Bool { Self.set(&self.method, PlainMethod(method)) }
  mutating func set(scheme: String) -> Bool { Self.set(&self.scheme, PlainScheme(scheme)) }
  mutating func set(host: String) -> Bool { Self.set(&self.host, host) }
  mutating func set(path: String) -> Bool { Self.set(&self.path, path) }

  /// Returns `false` for a second value. It can differ from the first, and is seldom written.
  private static func set<Part>(_ part: inout Part?, _ value: Part?) -> Bool {
    guard part == nil, let value else { return false }
    part = value
    return true
  }

  mutating func add(_ step: PlainStep?) -> Bool {
    guard let step else { return false }
    steps.append(step)
    return true
  }

  /// Returns `nil` for a text that can equal bytes that differ from its own.
  mutating func text(_ text: String) -> PlainText? {
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
  mutating func queryName(_ name: String) -> PlainText? { name.has("=") ? nil : text(name) }

  /// Adds a step for each of a few items, which are different ones. Returns their number.
  mutating func add(_ items: NamedItems) -> UInt32? {
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
  mutating func add(_ template: PathTemplate) -> Bool {
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
