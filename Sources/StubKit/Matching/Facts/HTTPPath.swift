import StubKitFormats

/// Paths as they are compared: decoded, without trailing slashes, and "/" for the empty one.
enum HTTPPath {
  static func canonical(_ decoded: String) -> String {
    let trimmed = decoded.withoutTrailingSlashes
    return trimmed.isEmpty ? "/" : String(trimmed).canonical
  }

  /// Returns whether a path equals another one or is below it.
  ///
  /// - Parameter ancestor: A path without trailing slashes, or empty for the root.
  static func isPath(_ path: String, under ancestor: String) -> Bool {
    guard let end = path[...].end(ofPrefix: ancestor) else { return false }
    return end == path.endIndex || path.utf8[end] == UInt8(ascii: "/")
  }

  /// Returns the same as `URL.pathExtension`: none for "name", ".name", "..name" and "name.", and none with a space
  /// in it.
  static func pathExtension(of path: String) -> Substring {
    let (slash, point) = (UInt8(ascii: "/"), UInt8(ascii: "."))
    let utf8 = path.utf8
    let name = utf8[(utf8.lastIndex(of: slash).map { utf8.index(after: $0) } ?? utf8.startIndex)...]
    guard let last = name.lastIndex(of: point), name[..<last].contains(where: { $0 != point }) else { return "" }
    let text = Substring(name[name.index(after: last)...])
    return text.has(" ") ? "" : text
  }
}
