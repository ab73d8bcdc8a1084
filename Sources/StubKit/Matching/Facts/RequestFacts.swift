import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A request parsed once: every fact that criteria ask for, canonical, worked out when first asked for.
///
/// A plain URL (ASCII, nothing percent-encoded) is compared byte by byte where it stands; any other goes through
/// Foundation. Both ways agree with Foundation's `URL`, but for a path that is no UTF-8 when decoded: `URL` calls it
/// empty, here it stays encoded.
struct RequestFacts {
  private(set) var incoming: IncomingRequest
  let url: URL?
  /// Empty if there is no URL.
  let text: URLText

  private var cachedMethod: String?
  private var cachedScheme: String??
  private var cachedHost: String??
  private var cachedPath: String?
  private var cachedAddedHeaders: [String: String]?
  private var cachedRequest: URLRequest?
  // None or one: a box, so that a request nobody asks about its query or body is cheap to make, move and drop.
  private var box: [RareFacts] = []
  /// What the user's closures said, in the order in which they were asked.
  private var said: [(closure: ObjectIdentifier, result: Bool)] = []
  /// The same, to be looked up; made for a report.
  private var saidByClosure: [ObjectIdentifier: Bool] = [:]
  /// The states of scenarios, as this search sees them.
  var scenarios = ScenarioReadings()
  /// Whether what the closures said holds, since the search has begun again.
  private var remembersClosures = false

  /// What few conditions ask for.
  private struct RareFacts: Sendable {
    var body: BodyFacts?
    var unicodeHost: String??
    var encodedPath: String?
    var queryItems: NamedItems?
    var cookies: NamedItems?
    var operations: [String]?
  }

  /// The body is `httpBody`; a stream counts as unread.
  init(_ request: URLRequest) {
    self.init(IncomingRequest(request))
  }

  init(_ request: URLRequest, body: RequestBody) {
    self.init(IncomingRequest(request, body: body))
  }

  init(_ incoming: IncomingRequest) {
    self.incoming = incoming
    url = incoming.bare.url
    text = URLText(url?.absoluteString ?? "")
  }

  /// Goes on with what is known of the same request once its body was read.
  mutating func goOn(with incoming: IncomingRequest) {
    self.incoming = incoming
    cachedRequest = nil
    guard !box.isEmpty else { return }
    rare.body = nil
    rare.operations = nil
  }

  private var rare: RareFacts {
    get { box.first ?? RareFacts() }
    _modify {
      if box.isEmpty { box.append(RareFacts()) }
      yield &box[0]
    }
  }
}

extension RequestFacts {
  /// The empty string if there is no URL.
  var absoluteString: String { text.string }

  private var layout: URLLayout { text.layout }

  /// The method; GET if the request names none.
  var method: String {
    mutating get {
      if let cachedMethod { return cachedMethod }
      let method = Criterion.canonicalMethod(incoming.bare.httpMethod ?? "GET")
      cachedMethod = method
      return method
    }
  }

  /// The scheme in lower case.
  var scheme: String? {
    mutating get {
      if let cachedScheme { return cachedScheme }
      let scheme = layout.scheme.map { text.text($0).lowercased() }
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
        host = layout.host.map { layout.hostIsPlain ? text.text($0) : text.text($0).lowercased() }
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
      if let known = rare.unicodeHost { return known }
      let unicode = host.map(HostName.unicode)
      rare.unicodeHost = .some(unicode)
      return unicode
    }
  }

  /// The URL's own port, else its scheme's: 80 for http, 443 for https.
  var port: Int? {
    mutating get {
      let written = layout.authorityIsPlain ? layout.port.flatMap { Int(text.text($0)) } : url?.port
      if let written { return written }
      return scheme.flatMap(Self.defaultPort)
    }
  }

  /// - Parameter scheme: In lower case.
  static func defaultPort(ofScheme scheme: String) -> Int? {
    switch scheme {
    case "http": 80
    case "https": 443
    default: nil
    }
  }

  /// The percent-decoded path without trailing slashes, as `URL.path` gives it; "/" for an empty one. One that is no
  /// UTF-8 when decoded stays encoded, so that it isn't taken for the empty one.
  var path: String {
    mutating get {
      if let cachedPath { return cachedPath }
      let path =
        layout.pathIsPlain
        ? text.text(text.plainPath) : HTTPPath.canonical(text.text(layout.path).percentDecoded)
      let nonEmpty = path.isEmpty ? "/" : path
      cachedPath = nonEmpty
      return nonEmpty
    }
  }

  /// The path as the URL has it, percent-encoded.
  var encodedPath: String {
    mutating get {
      if let known = rare.encodedPath { return known }
      let path = text.text(layout.path)
      rare.encodedPath = path
      return path
    }
  }

  /// What follows the last dot of the path's last segment, or the empty string.
  var pathExtension: Substring {
    mutating get { HTTPPath.pathExtension(of: path) }
  }

  /// The query's items in order, percent-decoded; a + is a plus. Empty ones, as in `a&&b`, are left out.
  var queryItems: NamedItems {
    mutating get {
      if let known = rare.queryItems { return known }
      let items = layout.query.map { NamedValue.query(text.text($0)) } ?? []
      rare.queryItems = items
      return items
    }
  }

  func hasScheme(_ canonical: String) -> Bool {
    guard let scheme = layout.scheme, scheme.count == canonical.utf8.count else { return false }
    return text.withBytes(scheme, canonical) { bytes, wanted in
      for (byte, wanted) in zip(bytes, wanted) where byte != wanted {
        // An upper-case letter of the URL; the canonical scheme is in lower case.
        guard byte | 0x20 == wanted, byte < 0x5B else { return false }
      }
      return true
    }
  }

  mutating func hasHost(_ canonical: String) -> Bool {
    guard layout.authorityIsPlain, layout.hostIsPlain else { return host == canonical }
    guard let range = layout.host, !range.isEmpty else { return false }
    return text.bytes(range, equal: canonical)
  }

  mutating func hostEnds(with suffix: String) -> Bool {
    guard let host else { return false }
    if host.ends(with: suffix) { return true }
    return host.contains("xn--") && unicodeHost?.ends(with: suffix) == true
  }

  mutating func hasPath(_ canonical: String) -> Bool {
    guard url != nil else { return false }
    guard layout.pathIsPlain else { return path == canonical }
    let range = text.plainPath
    return range.isEmpty ? canonical == "/" : text.bytes(range, equal: canonical)
  }
}

extension RequestFacts {
  /// The request as the user's closures get it: with all the headers, and with its body if that is known.
  var request: URLRequest {
    mutating get {
      if let cachedRequest { return cachedRequest }
      let request = incoming.seen.request
      cachedRequest = request
      return request
    }
  }

  private var addedHeaders: [String: String] {
    mutating get {
      if let cachedAddedHeaders { return cachedAddedHeaders }
      let headers = incoming.addedHeaders
      cachedAddedHeaders = headers
      return headers
    }
  }

  /// The request's own, else what is added when it is sent.
  mutating func header(_ name: String) -> String? {
    if let value = incoming.bare.value(forHTTPHeaderField: name) { return value }
    guard !addedHeaders.isEmpty else { return nil }
    return addedHeaders.first { $0.key.caseInsensitiveCompare(name) == .orderedSame }?.value
  }

  /// Calls `body` with the name and the value of each header, in no order.
  mutating func forEachHeader(_ body: (String, String) -> Void) {
    for (name, value) in incoming.bare.allHTTPHeaderFields ?? [:] { body(name, value) }
    for (name, value) in addedHeaders where incoming.bare.value(forHTTPHeaderField: name) == nil { body(name, value) }
  }

  /// The pairs of the Cookie header (RFC 6265, section 4.2.1).
  var cookies: NamedItems {
    mutating get {
      if let known = rare.cookies { return known }
      let cookies = NamedValue.cookies(header("Cookie") ?? "")
      rare.cookies = cookies
      return cookies
    }
  }

  var basicAuth: BasicAuth? {
    mutating get { header("Authorization").flatMap(BasicAuth.init(header:)) }
  }
}

extension RequestFacts {
  /// The body's own facts, made when the first of them is asked for: reading `httpBody` is not free.
  private var content: BodyFacts {
    mutating get { rare.body ?? BodyFacts(incoming.body) }
    set { rare.body = newValue }
  }

  var bodyIsUnread: Bool {
    mutating get { if case .unread = content.body { true } else { false } }
  }

  /// Whether reading what the body says may take longer than others should wait for.
  var bodyIsLong: Bool {
    mutating get { content.data.map { $0.count > Self.longestQuickBody } ?? false }
  }

  /// A millisecond's work or so.
  private static var longestQuickBody: Int { 1 << 16 }

  /// The body's bytes; nil if there is none or nobody has read it.
  var bodyData: Data? {
    mutating get { content.data }
  }

  /// The body as JSON, or nil if it is none.
  var json: JSONValue? {
    mutating get { content.json }
  }

  /// The body's fields as a form's (`application/x-www-form-urlencoded`).
  var formFields: NamedItems {
    mutating get { content.formFields }
  }

  /// The body's parts, or nil if the Content-Type names no multipart boundary.
  var multipart: MultipartBody? {
    mutating get {
      let contentType = header("Content-Type")
      return contentType.flatMap(MultipartBody.boundary(ofContentType:)).flatMap { content.multipart(boundary: $0) }
    }
  }

  /// The names of the GraphQL operations that the request asks for.
  var graphQLOperations: [String] {
    mutating get {
      if let known = rare.operations { return known }
      let operations = GraphQLOperation.names(in: &self)
      rare.operations = operations
      return operations
    }
  }
}

extension RequestFacts {
  /// Runs a closure of the user's, and remembers what it said: as cheaply as can be, since there may be thousands, and only a
  /// report wants to know.
  mutating func ask(_ closure: ClosureCriterion) -> Bool {
    if remembersClosures, let known = result(of: closure) { return known }
    let result = closure.test(request)
    said.append((ObjectIdentifier(closure), result))
    return result
  }

  /// Looks at the scenarios anew. No closure is asked twice.
  mutating func beginAgain() {
    scenarios = ScenarioReadings()
    remembersClosures = true
  }

  /// What a closure said when it was last asked; nil if it was not.
  func result(of closure: ClosureCriterion) -> Bool? {
    let identity = ObjectIdentifier(closure)
    return saidByClosure[identity] ?? said.last { $0.closure == identity }?.result
  }

  /// To be called before many closures are looked up.
  mutating func indexWhatClosuresSaid() {
    saidByClosure = Dictionary(said.map { ($0.closure, $0.result) }) { $1 }
    said = []
  }
}
