import Foundation

extension String {
  /// The bytes of a method in one number, or 0 for one that is too long or not in ASCII.
  var methodCode: UInt64 {
    // Most methods are GET, and texts this short are compared as two words.
    if self == "GET" { return codeOfGET }
    var code: UInt64 = 0
    for byte in utf8 {
      guard byte != 0, byte < 0x80, code < 1 << 56 else { return 0 }
      code = code << 8 | UInt64(byte)
    }
    return code
  }

  /// The method as `URLRequest` stores it: these six methods, and no others, in upper case.
  var canonicalMethod: String {
    switch self {
    case "GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "PATCH", "OPTIONS": return self
    default:
      let upper = uppercased()
      return ["GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT"].contains(upper) ? upper : self
    }
  }
}

private let codeOfGET: UInt64 = 0x474554
private let codeOfPOST: UInt64 = 0x504F_5354

extension URLRequest {
  @inline(__always)
  var methodCode: UInt64 {
    guard let httpMethod, httpMethod != "GET" else { return codeOfGET }
    return httpMethod == "POST" ? codeOfPOST : httpMethod.canonicalMethod.methodCode
  }
}

extension URL {
  /// A Boolean value that indicates whether a request for the URL is sent by HTTP at all.
  var isSentByHTTP: Bool { ["http", "https"].contains(scheme?.lowercased()) }
}

/// What HTTP/1.1 takes from a URL, which is the same on every platform (RFC 9112).
enum HTTPMessageHead {
  /// Returns the fields that URLSession on Linux adds to a request after it was matched, by their names in lower case:
  /// each with its value, or `nil` if that depends on the connection.
  static func fieldsAddedLater(to request: URLRequest) -> [String: String?] {
    guard let url = request.url, url.isSentByHTTP else { return [:] }
    let length = request.httpBody?.count ?? 0
    let isUnsaid =
      // A message has one of the two fields (RFC 9112, section 6.2).
      request.value(forHTTPHeaderField: "Transfer-Encoding") != nil
      || length == 0 && (request.httpBodyStream != nil || ["GET", "HEAD"].contains(request.httpMethod ?? "GET"))
    return [
      "host": host(of: url), "content-length": isUnsaid ? nil : "\(length)", "user-agent": nil, "accept": nil,
      "accept-encoding": nil, "accept-language": nil, "connection": nil, "transfer-encoding": nil,
    ]
  }

  /// Returns the host and the port, without the scheme's default port (RFC 9110, section 7.2).
  static func host(of url: URL) -> String? {
    let parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
    guard let host = parts?.percentEncodedHost else { return nil }
    let usual = url.scheme?.lowercased() == "https" ? 443 : 80
    guard let port = parts?.port, port != usual, port != 0 else { return host }
    return "\(host):\(port)"
  }
}

/// The media types that the builders of responses know.
enum ContentType {
  static let json = "application/json"
  static let form = "application/x-www-form-urlencoded"
  static let events = "text/event-stream"
  static let text = "text/plain; charset=utf-8"

  /// Returns the media type for an extension in any case, or `nil` if it is unknown. Text types declare UTF-8.
  static func forExtension(_ fileExtension: String) -> String? { types[fileExtension.lowercased()] }

  private static let types = Dictionary(
    uniqueKeysWithValues: subtypes.flatMap { type, list in
      list.split(separator: " ").map { pair in
        let (fileExtension, subtype) = pair.cut(at: "=") ?? (pair, pair)
        return (String(fileExtension), "\(type)/\(subtype)\(type == "text" ? "; charset=utf-8" : "")")
      }
    })

  /// The extensions of each type. What follows an equals sign is the subtype, if it has another name.
  private static let subtypes = [
    "application": """
    atom=atom+xml bin=octet-stream geojson=geo+json gz=gzip json jsonl jsonld=ld+json m3u8=vnd.apple.mpegurl \
    ndjson=x-ndjson pb=x-protobuf pdf plist=x-plist rss=rss+xml tar=x-tar wasm xhtml=xhtml+xml xml yaml yml=yaml zip
    """,
    "audio": "aac m4a=mp4 mp3=mpeg oga=ogg ogg wav",
    "font": "otf ttf woff woff2",
    "image": "avif bmp gif heic ico=vnd.microsoft.icon jpeg jpg=jpeg png svg=svg+xml tif=tiff tiff webp",
    "text": "css csv htm=html html ics=calendar js=javascript md=markdown mjs=javascript txt=plain vtt",
    "video": "mov=quicktime mp4 mpeg ts=mp2t webm",
  ]
}

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
  var isLoopbackHost: Bool {
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
