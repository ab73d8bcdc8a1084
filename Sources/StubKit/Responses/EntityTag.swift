/// An entity tag (RFC 9110, 8.8.3).
struct EntityTag: Equatable {
  let isWeak: Bool
  /// With its quotation marks.
  private let opaque: Substring

  /// Reads a whole field; nil for what is no entity tag.
  init?(_ field: String) {
    var rest = field[...]
    guard let tag = Self.take(&rest), rest.isEmpty else { return nil }
    self = tag
  }

  private init(isWeak: Bool, opaque: Substring) {
    self.isWeak = isWeak
    self.opaque = opaque
  }

  /// The tags of a list, as `If-Match` has it. What is no tag, and what follows it, is left out.
  static func list(_ field: String) -> [EntityTag] {
    var rest = field[...]
    var tags: [EntityTag] = []
    while true {
      rest = rest.drop { $0 == " " || $0 == "\t" || $0 == "," }
      guard let tag = take(&rest) else { return tags }
      tags.append(tag)
    }
  }

  /// Whether both are the same, byte for byte (RFC 9110, 8.8.3.2): weak ones never are.
  func matchesStrongly(_ other: EntityTag) -> Bool { !isWeak && !other.isWeak && opaque == other.opaque }

  func matchesWeakly(_ other: EntityTag) -> Bool { opaque == other.opaque }

  /// The tag as a field has it, from one that may be written without its quotation marks; nil for what can't be one.
  static func field(_ tag: String) -> String? {
    let isWeak = tag.hasPrefix("W/")
    let opaque = isWeak ? tag.dropFirst(2) : tag[...]
    let field = (isWeak ? "W/" : "") + (opaque.hasPrefix("\"") ? opaque : "\"\(opaque)\"")
    return EntityTag(field) == nil ? nil : field
  }

  private static func take(_ text: inout Substring) -> EntityTag? {
    let isWeak = text.hasPrefix("W/")
    let start = isWeak ? text.dropFirst(2) : text
    guard start.utf8.first == UInt8(ascii: "\""),
      let end = start.utf8.dropFirst().firstIndex(of: UInt8(ascii: "\"")),
      start.utf8[..<end].dropFirst().allSatisfy({ $0 == 0x21 || $0 >= 0x23 && $0 != 0x7F })
    else { return nil }
    let behind = start.utf8.index(after: end)
    text = start[behind...]
    return EntityTag(isWeak: isWeak, opaque: start[..<behind])
  }
}
