import Foundation
import StubKitFormats

/// A request that is parsed once: every fact that criteria need, in canonical form, computed when it is first needed.
///
/// A plain URL (ASCII, without percent-encoding) is compared byte by byte in place. Any other URL goes through
/// Foundation. Both ways agree with Foundation's `URL`, except for a path that is not UTF-8 after decoding: it is
/// empty for `URL`, and stays encoded here.
package struct RequestFacts {
  private(set) var incoming: IncomingRequest
  package let url: URL?
  /// The text of the URL, or empty if there is none.
  let text: URLText

  private var cachedMethod: String?
  private var cachedScheme = Memo<String>.unknown
  private var cachedHost = Memo<String>.unknown
  private var cachedPath: String?
  private var cachedAddedHeaders: [String: String]?
  private var cachedRequest: URLRequest?
  // None or one. The box makes a request cheap to create, move and drop as long as nobody needs its query or body.
  private var box: [RareFacts] = []
  private var closures = ClosureResults()
  /// The states of scenarios, as this search sees them.
  var scenarios = ScenarioReadings()
  /// A Boolean value that indicates whether the results of closures are valid, because the search has begun again.
  private var remembersClosures = false

  /// Facts that few conditions need.
  private struct RareFacts: Sendable {
    var body: BodyFacts?
    var unicodeHost = Memo<String>.unknown
    var encodedPath: String?
    var queryItems: NamedItems?
    var cookies: NamedItems?
    var operations: [String]?
  }

  /// The body is `httpBody`. A stream counts as unread.
  package init(_ request: URLRequest) {
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

  /// Continues with what is known about the same request after its body was read.
  mutating func proceed(with incoming: IncomingRequest) {
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
  /// The URL as text, or the empty string if there is none.
  var absoluteString: String { text.string }

  private var layout: URLLayout { text.layout }

  /// The method, or GET if the request names none.
  package var method: String {
    mutating get {
      if let cachedMethod { return cachedMethod }
      let method = HTTPMethod.canonical(incoming.bare.httpMethod ?? "GET")
      cachedMethod = method
      return method
    }
  }

  /// The scheme in lower case.
  package var scheme: String? {
    mutating get {
      if case .known(let scheme) = cachedScheme { return scheme }
      let scheme = layout.scheme.map { text.text($0).lowercased() }
      cachedScheme = .known(scheme)
      return scheme
    }
  }

  /// The host in lower case, with international names in Punycode and IPv6 addresses without brackets. Never empty.
  package var host: String? {
    mutating get {
      if case .known(let host) = cachedHost { return host }
      var host: String?
      if layout.authorityIsPlain {
        host = layout.host.map { layout.hostIsPlain ? text.text($0) : text.text($0).lowercased() }
      } else {
        host = url?.host.map(HostName.canonical)
      }
      if host?.isEmpty == true { host = nil }
      cachedHost = .known(host)
      return host
    }
  }

  /// The host with its Punycode labels in Unicode.
  var unicodeHost: String? {
    mutating get {
      if case .known(let unicode) = rare.unicodeHost { return unicode }
      let unicode = host.map(HostName.unicode)
      rare.unicodeHost = .known(unicode)
      return unicode
    }
  }

  /// The URL's own port, or that of its scheme: 80 for http, 443 for https.
  package var port: Int? {
    mutating get {
      let written = layout.authorityIsPlain ? layout.port.flatMap { Int(text.text($0)) } : url?.port
      if let written { return written }
      return scheme.flatMap(Self.defaultPort)
    }
  }

  /// - Parameter scheme: The scheme in lower case.
  static func defaultPort(ofScheme scheme: String) -> Int? {
    switch scheme {
    case "http": 80
    case "https": 443
    default: nil
    }
  }

  /// The percent-decoded path without trailing slashes, as `URL.path` returns it, and "/" for an empty one. A path
  /// that is not UTF-8 after decoding stays encoded, so that it isn't confused with the empty one.
  package var path: String {
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

  /// The percent-encoded path of the URL.
  var encodedPath: String {
    mutating get {
      if let known = rare.encodedPath { return known }
      let path = text.text(layout.path)
      rare.encodedPath = path
      return path
    }
  }

  /// The part after the last dot of the path's last segment, or the empty string.
  var pathExtension: Substring {
    mutating get { HTTPPath.pathExtension(of: path) }
  }

  /// The query items in order, percent-decoded, with `+` as a plus sign. Empty ones, as in `a&&b`, are omitted.
  package var queryItems: NamedItems {
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
        // An upper-case letter of the URL. The canonical scheme is in lower case.
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
  /// The request that the user's closures receive: with all headers, and with its body if that is known.
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

  /// Returns a header of the request, or one that is added when it is sent.
  package mutating func header(_ name: String) -> String? {
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
  /// The facts of the body, created when the first of them is needed, because reading `httpBody` isn't free.
  private var content: BodyFacts {
    mutating get { rare.body ?? BodyFacts(incoming.body) }
    set { rare.body = newValue }
  }

  var bodyIsUnread: Bool {
    mutating get { if case .unread = content.body { true } else { false } }
  }

  /// A Boolean value that indicates whether reading the content of the body can take longer than others should wait.
  var bodyIsLong: Bool {
    mutating get { content.data.map { $0.count > Self.longestQuickBody } ?? false }
  }

  /// About a millisecond of work.
  private static var longestQuickBody: Int { 1 << 16 }

  /// The bytes of the body, or `nil` if there is none or nobody has read it.
  package var bodyData: Data? {
    mutating get { content.data }
  }

  /// The body as JSON, or `nil` if it is not JSON.
  package var json: JSONValue? {
    mutating get { content.json }
  }

  /// The fields of the body as a form (`application/x-www-form-urlencoded`).
  package var formFields: NamedItems {
    mutating get { content.formFields }
  }

  /// The parts of the body, or `nil` if the Content-Type names no multipart boundary.
  var multipart: MultipartBody? {
    mutating get {
      let contentType = header("Content-Type")
      return contentType.flatMap(MultipartBody.boundary(ofContentType:)).flatMap { content.multipart(boundary: $0) }
    }
  }

  /// The names of the GraphQL operations that the request asks for.
  package var graphQLOperations: [String] {
    mutating get {
      if let known = rare.operations { return known }
      let operations = GraphQLOperation.names(in: &self)
      rare.operations = operations
      return operations
    }
  }
}

extension RequestFacts {
  /// Runs one of the user's closures and remembers its result.
  mutating func ask(_ closure: ClosureCriterion) -> Bool {
    if remembersClosures, let known = closures[closure] { return known }
    let result = closure.test(request)
    closures.append(closure, result)
    return result
  }

  /// Runs the closures of stubs that are nothing but a closure, and remembers their results. There can be thousands,
  /// and only a report needs the results.
  ///
  /// - Parameters:
  ///   - stubs: The stubs, oldest first. They are asked from the newest one on, up to one that isn't just a closure.
  ///   - end: The number of stubs that have not been asked.
  ///   - ordinal: The rank of a stub that is as new as those that count.
  /// - Returns: The number of stubs that are left, and whether the closure of the last of them matches.
  mutating func ask(_ stubs: [Stub?], before end: Int, newerThan ordinal: UInt64) -> (left: Int, matches: Bool) {
    if remembersClosures { return (end, false) }
    let (left, matches) = stubs.ask(request, before: end, newerThan: ordinal)
    if left < end { closures.append(refusalsOf: stubs[left..<end]) }
    if matches, let closure = stubs[left - 1]?.onlyClosure { closures.append(closure, true) }
    return (left, matches)
  }

  /// Reads the scenarios again. No closure runs twice.
  mutating func beginAgain() {
    scenarios = ScenarioReadings()
    remembersClosures = true
  }

  /// Returns the last result of a closure, or `nil` if it has not run.
  func result(of closure: ClosureCriterion) -> Bool? { closures[closure] }

  /// Call this before you look up many closures.
  mutating func indexWhatClosuresSaid() { closures.index() }
}
