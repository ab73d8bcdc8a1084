import Foundation

extension String {
  /// The host name as it is compared: in lower case, with international labels in Punycode (RFC 5891), and an IPv6
  /// address without brackets.
  var canonicalHost: String {
    var host = lowercased()
    if host.utf8.first == UInt8(ascii: "["), host.utf8.last == .closingBracket {
      host = String(host.unicodeScalars.dropFirst().dropLast())
    }
    if host.has(":") { return host.replacing("%25", with: "%") }
    if host.isASCII { return host }
    // Label by label, because one that is no label leaves the others as they are, and because a suffix begins with a
    // dot. Before macOS 14, URL(string:) is nil for an international host, also for that of a request.
    let labels = host.pieces(at: ".").map(String.init).map { label in
      label.isASCII ? label : URL(string: "http://\(label)/")?.host ?? label
    }
    return labels.joined(separator: ".")
  }

  /// A Boolean value that indicates whether a host in canonical form is this machine.
  var isLoopbackHost: Bool { namesLoopback && !Self.foreignHostsForTests.withLock { $0.contains(self) } }

  /// Hosts of this machine that stand for other machines, for tests.
  static let foreignHostsForTests = Protected<Set<String>>([])

  private var namesLoopback: Bool {
    if ["localhost", "localhost."].contains(self) || hasSuffix(".localhost") { return true }
    let groups = split(separator: ":").map { UInt16($0, radix: 16) }
    if has(":") { return groups.last == 1 && hasSuffix("1") && groups.dropLast().allSatisfy { $0 == 0 } }
    let bytes = split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
    return bytes.count == 4 && bytes[0] == 127 && !bytes.contains(nil)
  }
}

extension String {
  /// The decoded path as it is compared: without trailing slashes, and "/" for the empty one.
  var canonicalPath: String {
    let trimmed = withoutTrailingSlashes
    return trimmed.isEmpty ? "/" : String(trimmed)
  }

  /// A percent-encoded path, decoded segment by segment. One that is not UTF-8 after decoding stays encoded.
  var decodedPath: String {
    has("%") ? pieces(at: "/").map { String($0).percentDecoded }.joined(separator: "/") : self
  }

  /// The segments of a percent-encoded path without its trailing slashes, each decoded by itself.
  var segmentsOfPath: [String] { withoutTrailingSlashes.pieces(at: "/").map { String($0).percentDecoded } }

  /// Returns whether a path equals another one or is below it.
  ///
  /// - Parameter ancestor: A path without trailing slashes, or empty for the root.
  func isPath(under ancestor: String) -> Bool {
    isSame(as: ancestor) || starts(withBytesOf: ancestor + "/")
  }

  /// The same as `URL.pathExtension`: none for "name", ".name", "..name" and "name.", and none with a space
  /// in it.
  var extensionOfPath: String {
    let pieces = pieces(at: "/").last?.pieces(at: ".") ?? []
    guard let text = pieces.last, pieces.dropLast().contains(where: { !$0.isEmpty }), !text.has(" ") else { return "" }
    return String(text)
  }

  var withoutTrailingSlashes: Substring {
    var path = self[...]
    while path.utf8.last == .slash { path = path[..<path.utf8.index(before: path.endIndex)] }
    return path
  }
}

extension [String] {
  /// The decoded path of these segments, in which a slash in a segment is `%2F`, as in a template.
  var pathTemplate: String { map { $0.replacing("/", with: "%2F") }.joined(separator: "/") }
}

extension URL {
  /// The percent-encoded path of the URL as it is sent.
  ///
  /// URLSession on Linux sends no segments `.` and `..`. That is all that it changes of a path or a query (measured
  /// with Swift 6.3.1).
  var sentPath: String { absoluteURL.path(percentEncoded: true).withoutDotSegments }
}
