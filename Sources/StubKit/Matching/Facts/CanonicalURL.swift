import Foundation
import StubKitFormats

/// Brings a URL into the form in which it is compared, from the parts that Foundation finds.
///
/// A path that is not UTF-8 after decoding is empty for `URL`. Here it stays encoded, so that it isn't confused with the
/// empty one.
enum CanonicalURL {
  static func parts(of url: URL?) -> (bytes: [UInt8], parts: RequestURL.Parts) {
    var bytes: [UInt8] = []
    func append(_ text: some StringProtocol) -> Range<Int> {
      let start = bytes.count
      bytes += text.utf8
      return start..<bytes.count
    }
    var parts = RequestURL.Parts()
    let url = url?.absoluteURL
    let scheme = url?.scheme?.lowercased() ?? ""
    parts.scheme = append(scheme)
    let host = HostName.canonical(url?.host ?? "")
    parts.host = append(host)
    parts.isInternational = host.contains("--")
    parts.port = url?.port ?? HTTPPath.defaultPort(ofScheme: scheme) ?? -1

    let path = url?.path(percentEncoded: true) ?? ""
    parts.path = append(HTTPPath.canonical(path.percentDecoded))
    let segments = path.withoutTrailingSlashes.pieces(at: "/").map { String($0).percentDecoded.canonical }
    let items = NamedValue.query(url?.query(percentEncoded: true) ?? "").map {
      NamedValue(name: $0.name.canonical, value: $0.value?.canonical)
    }
    // Otherwise, delimiters are bytes that are not in UTF-8.
    let isPlain =
      !segments.contains { $0.has("/") }
      && !items.contains { $0.name.has("=") || $0.name.has("&") || $0.value?.has("&") == true }
    if !isPlain { (parts.slash, parts.ampersand, parts.equals) = (0xFF, 0xFF, 0xFE) }
    parts.segments = bytes.count..<bytes.count
    for (position, segment) in segments.enumerated() {
      if position > 0 { bytes.append(parts.slash) }
      bytes += segment.utf8
    }
    parts.segments = parts.segments.lowerBound..<bytes.count

    parts.query = bytes.count..<bytes.count
    for item in items {
      bytes += item.name.utf8
      if let value = item.value { bytes += CollectionOfOne(parts.equals) + Array(value.utf8) }
      bytes.append(parts.ampersand)
    }
    parts.query = parts.query.lowerBound..<bytes.count
    parts.isASCII = bytes.allSatisfy { $0 < 0x80 || $0 >= 0xFE }
    parts.isExact = isPlain && parts.isASCII && !parts.isInternational && !scheme.isEmpty && !host.isEmpty
    return (bytes, parts)
  }
}

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

  /// Returns the port of a scheme in lower case.
  static func defaultPort(ofScheme scheme: String) -> Int? {
    switch scheme {
    case "http": 80
    case "https": 443
    default: nil
    }
  }

  /// Returns the same as `URL.pathExtension`: none for "name", ".name", "..name" and "name.", and none with a space
  /// in it.
  static func pathExtension(of path: String) -> String {
    let (slash, point) = (UInt8(ascii: "/"), UInt8(ascii: "."))
    let utf8 = path.utf8
    let name = utf8[(utf8.lastIndex(of: slash).map { utf8.index(after: $0) } ?? utf8.startIndex)...]
    guard let last = name.lastIndex(of: point), name[..<last].contains(where: { $0 != point }) else { return "" }
    let text = String(Substring(name[name.index(after: last)...]))
    return text.has(" ") ? "" : text
  }
}
