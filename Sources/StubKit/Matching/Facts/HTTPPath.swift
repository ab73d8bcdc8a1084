import Foundation

/// Paths as they are compared: decoded, without trailing slashes, "/" for the empty one.
enum HTTPPath {
  static func canonical(_ decoded: String) -> String {
    let trimmed = withoutTrailingSlashes(decoded)
    return trimmed.isEmpty ? "/" : trimmed.composed
  }

  static func withoutTrailingSlashes(_ path: String) -> String {
    var path = Substring(path)
    while path.utf8.last == UInt8(ascii: "/") { path = path[..<path.utf8.index(before: path.endIndex)] }
    return String(path)
  }

  /// As `URL.pathExtension`: none for "name", ".name", "..name" and "name.", and none with a space in it.
  static func pathExtension(of path: String) -> Substring {
    let name = path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...]
    guard let dot = name.lastIndex(of: "."), name[..<dot].contains(where: { $0 != "." }) else { return "" }
    let text = name[name.index(after: dot)...]
    return text.contains(" ") ? "" : text
  }
}

extension String {
  var isASCII: Bool { utf8.allSatisfy { $0 < 0x80 } }

  /// In normalisation form C, so that strings equal in Swift are equal byte for byte.
  var composed: String { isASCII ? self : precomposedStringWithCanonicalMapping }
}
