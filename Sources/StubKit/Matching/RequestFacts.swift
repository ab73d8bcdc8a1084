import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A request's body, as far as it is known.
enum RequestBody: Sendable {
  case none
  case data(Data)
  /// A stream that nobody has read.
  case unread
}

/// A request parsed once: every fact that criteria ask for, canonical, worked out when first asked for.
///
/// A plain URL (ASCII, nothing percent-encoded) is compared byte by byte where it stands; any other goes through
/// Foundation. Both ways agree with Foundation's `URL`.
struct RequestFacts {
  let request: URLRequest
  let url: URL?
  /// The empty string if there is no URL.
  let absoluteString: String
  private let layout: URLLayout

  private var knownBody: RequestBody?
  private var cachedMethod: String?
  private var cachedScheme: String??
  private var cachedHost: String??
  private var cachedUnicodeHost: String??
  private var cachedPath: String?
  private var cachedEncodedPath: String?
  private var cachedQueryItems: [NamedValue]?
  private var cachedCookies: [NamedValue]?
  private var cachedJSON: JSONValue??
  private var cachedForm: [NamedValue]?
  private var cachedMultipart: MultipartBody??
  private var cachedOperations: [String]?

  /// The body is `httpBody`; a stream counts as unread.
  init(_ request: URLRequest) {
    self.init(request, knownBody: nil)
  }

  init(_ request: URLRequest, body: RequestBody) {
    self.init(request, knownBody: body)
  }

  private init(_ request: URLRequest, knownBody: RequestBody?) {
    self.request = request
    self.knownBody = knownBody
    url = request.url
    var text = url?.absoluteString ?? ""
    layout = text.withUTF8 { URLLayout($0) }
    absoluteString = text
  }
}

// MARK: - Line

extension RequestFacts {
  /// The method; GET if the request names none.
  var method: String {
    mutating get {
      if let cachedMethod { return cachedMethod }
      let method = Criterion.canonicalMethod(request.httpMethod ?? "GET")
      cachedMethod = method
      return method
    }
  }

  /// The scheme in lower case.
  var scheme: String? {
    mutating get {
      if let cachedScheme { return cachedScheme }
      let scheme = layout.scheme.map { text($0).lowercased() }
      cachedScheme = .some(scheme)
      return scheme
    }
  }

  /// The host in lower case, international names in punycode, an IPv6 address without brackets; never empty.
  var host: String? {
    mutating get {
      if let cachedHost { return cachedHost }
      var host: String?
      if layout.authorityIsPlain {
        host = layout.host.map { layout.hostIsPlain ? text($0) : text($0).lowercased() }
      } else {
        host = url?.host.map(HostName.canonical)
      }
      if host?.isEmpty == true { host = nil }
      cachedHost = .some(host)
      return host
    }
  }

  /// The host with its punycode labels in Unicode.
  var unicodeHost: String? {
    mutating get {
      if let cachedUnicodeHost { return cachedUnicodeHost }
      let unicode = host.map(HostName.unicode)
      cachedUnicodeHost = .some(unicode)
      return unicode
    }
  }

  /// The URL's own port, else its scheme's: 80 for http, 443 for https.
  var port: Int? {
    mutating get {
      let written = layout.authorityIsPlain ? layout.port.flatMap { Int(text($0)) } : url?.port
      if let written { return written }
      return switch scheme {
      case "http": 80
      case "https": 443
      default: nil
      }
    }
  }

  /// The percent-decoded path without trailing slashes, as `URL.path` gives it; "/" for an empty one.
  var path: String {
    mutating get {
      if let cachedPath { return cachedPath }
      let path =
        layout.pathIsPlain
        ? text(plainPath) : HTTPPath.canonical(url?.path ?? "")
      let nonEmpty = path.isEmpty ? "/" : path
      cachedPath = nonEmpty
      return nonEmpty
    }
  }

  /// The path as the URL has it, percent-encoded.
  var encodedPath: String {
    mutating get {
      if let cachedEncodedPath { return cachedEncodedPath }
      let path = text(layout.path)
      cachedEncodedPath = path
      return path
    }
  }

  /// What follows the last dot of the path's last segment, or the empty string.
  var pathExtension: Substring {
    mutating get { HTTPPath.pathExtension(of: path) }
  }

  /// The query's items in order, percent-decoded; a + is a plus. Empty ones, as in `a&&b`, are left out.
  var queryItems: [NamedValue] {
    mutating get {
      if let cachedQueryItems { return cachedQueryItems }
      let items = layout.query.map { NamedValue.query(text($0)) } ?? []
      cachedQueryItems = items
      return items
    }
  }

  func hasScheme(_ canonical: String) -> Bool {
    guard let scheme = layout.scheme, scheme.count == canonical.utf8.count else { return false }
    return withBytes(scheme, canonical) { bytes, wanted in
      for index in bytes.indices where bytes[index] != wanted[index - bytes.startIndex] {
        guard bytes[index] | 0x20 == wanted[index - bytes.startIndex], bytes[index] < 0x5B else { return false }
      }
      return true
    }
  }

  mutating func hasHost(_ canonical: String) -> Bool {
    guard layout.authorityIsPlain, layout.hostIsPlain else { return host == canonical }
    guard let range = layout.host, !range.isEmpty else { return false }
    return bytes(range, equal: canonical)
  }

  mutating func hostEnds(with suffix: String) -> Bool {
    guard let host else { return false }
    if host.hasSuffix(suffix) { return true }
    return host.contains("xn--") && unicodeHost?.hasSuffix(suffix) == true
  }

  mutating func hasPath(_ canonical: String) -> Bool {
    guard url != nil else { return false }
    guard layout.pathIsPlain else { return path == canonical }
    let range = plainPath
    return range.isEmpty ? canonical == "/" : bytes(range, equal: canonical)
  }

  /// The range of a plain path without its trailing slashes; of the root, empty.
  private var plainPath: Range<Int> {
    var end = layout.path.upperBound
    let utf8 = absoluteString.utf8
    while end > layout.path.lowerBound,
      utf8[utf8.index(utf8.startIndex, offsetBy: end - 1)] == UInt8(ascii: "/")
    { end -= 1 }
    return layout.path.lowerBound..<end
  }

  private func text(_ range: Range<Int>) -> String {
    let utf8 = absoluteString.utf8
    let start = utf8.index(utf8.startIndex, offsetBy: range.lowerBound)
    return String(absoluteString[start..<utf8.index(start, offsetBy: range.count)])
  }

  private func bytes(_ range: Range<Int>, equal text: String) -> Bool {
    range.count == text.utf8.count && withBytes(range, text) { $0.elementsEqual($1) }
  }

  private func withBytes(
    _ range: Range<Int>, _ text: String,
    _ body: (Slice<UnsafeBufferPointer<UInt8>>, UnsafeBufferPointer<UInt8>) -> Bool
  ) -> Bool {
    // Both strings are native and contiguous, so the copies that `var` makes share their buffers.
    var (left, right) = (absoluteString, text)
    return left.withUTF8 { left in right.withUTF8 { right in body(left[range], right) } }
  }
}

// MARK: - Headers

extension RequestFacts {
  func header(_ name: String) -> String? {
    request.value(forHTTPHeaderField: name)
  }

  /// The pairs of the Cookie header (RFC 6265, section 4.2.1).
  var cookies: [NamedValue] {
    mutating get {
      if let cachedCookies { return cachedCookies }
      let cookies = NamedValue.cookies(header("Cookie") ?? "")
      cachedCookies = cookies
      return cookies
    }
  }

  var basicAuth: BasicAuth? {
    header("Authorization").flatMap(BasicAuth.init(header:))
  }
}

// MARK: - Body

extension RequestFacts {
  var body: RequestBody {
    mutating get {
      if let knownBody { return knownBody }
      let body: RequestBody =
        if let data = request.httpBody { .data(data) } else { request.httpBodyStream == nil ? .none : .unread }
      knownBody = body
      return body
    }
  }

  var bodyIsUnread: Bool {
    mutating get { if case .unread = body { true } else { false } }
  }

  /// The body's bytes; nil if there is none or nobody has read it.
  var bodyData: Data? {
    mutating get { if case .data(let data) = body { data } else { nil } }
  }

  /// The body as JSON, or nil if it is none.
  var json: JSONValue? {
    mutating get {
      if let cachedJSON { return cachedJSON }
      let json = bodyData.flatMap { try? JSONValue(parsing: $0) }
      cachedJSON = .some(json)
      return json
    }
  }

  /// The body's fields as a form's (`application/x-www-form-urlencoded`).
  var formFields: [NamedValue] {
    mutating get {
      if let cachedForm { return cachedForm }
      let fields = bodyData.map { FormBody(parsing: $0).fields } ?? []
      cachedForm = fields
      return fields
    }
  }

  /// The body's parts, or nil if the Content-Type names no multipart boundary.
  var multipart: MultipartBody? {
    mutating get {
      if let cachedMultipart { return cachedMultipart }
      let boundary = header("Content-Type").flatMap(MultipartBody.boundary(ofContentType:))
      let body = boundary.flatMap { boundary in bodyData.map { MultipartBody(parsing: $0, boundary: boundary) } }
      cachedMultipart = .some(body)
      return body
    }
  }

  /// The names of the GraphQL operations that the request asks for.
  var graphQLOperations: [String] {
    mutating get {
      if let cachedOperations { return cachedOperations }
      let operations = GraphQLOperation.names(in: &self)
      cachedOperations = operations
      return operations
    }
  }
}
