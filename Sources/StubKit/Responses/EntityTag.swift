import StubKitFormats

/// An entity tag (RFC 9110, section 8.8.3).
struct EntityTag: Equatable {
  let isWeak: Bool
  /// The tag with its quotation marks.
  private let opaque: Substring

  /// Reads a whole field. Returns `nil` if it is not an entity tag.
  init?(_ field: String) {
    var rest = field[...]
    guard let tag = Self.take(&rest), rest.isEmpty else { return nil }
    self = tag
  }

  private init(isWeak: Bool, opaque: Substring) {
    self.isWeak = isWeak
    self.opaque = opaque
  }

  /// Returns the tags of a list, such as the value of `If-Match`. It ends before the first element that is not a tag.
  static func list(_ field: String) -> [EntityTag] {
    var rest = field[...]
    var tags: [EntityTag] = []
    while true {
      rest = rest.drop { $0 == " " || $0 == "\t" || $0 == "," }
      guard let tag = take(&rest) else { return tags }
      tags.append(tag)
    }
  }

  /// Returns whether both tags are equal byte for byte (RFC 9110, section 8.8.3.2). Weak tags never are.
  func matchesStrongly(_ other: EntityTag) -> Bool { !isWeak && !other.isWeak && opaque == other.opaque }

  func matchesWeakly(_ other: EntityTag) -> Bool { opaque == other.opaque }

  /// Returns the tag as a field contains it, from one that can lack its quotation marks, or `nil` if it can't be a
  /// tag.
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
