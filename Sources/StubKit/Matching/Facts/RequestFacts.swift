import Foundation

/// A request that is parsed once: every fact that criteria and the index need, in canonical form, computed when it is
/// first needed.
package struct RequestFacts {
  let incoming: IncomingRequest
  /// The URL in the form in which it is compared.
  let requestURL: RequestURL
  private var cachedMethodCode: UInt64?
  /// A Boolean value that indicates whether a verification asks what was sent. What the entry in the journal can't tell
  /// is unknown then. A stub is asked when the request arrives, with what there is then.
  var isVerified = false
  /// A Boolean value that indicates whether URLSession adds more to the request than the journal knows.
  var isSentByURLSession = false
  /// What most searches never need.
  private var rare: RareFacts?

  /// Facts that few conditions need.
  private struct RareFacts {
    var captures: Captures?
    /// The states of scenarios, as this search sees them.
    var scenarios: [ScenarioReading] = []
    /// The request as closures and the journal receive it.
    var request: URLRequest?
    var body: RequestBody?
    /// The inner value is `nil` for a body that is not JSON.
    var json: StubJSON??
    /// What is at some places in the JSON. Of arrays and objects, only the kind counts.
    var found: [(path: JSONPath, value: StubJSON?)] = []
    /// The inner value is `nil` for a body that is no form.
    var form: NamedItems??
    var multipart: MultipartBody??
    var operations: [String]?
    var addedHeaders: [String: String]?
    var queryItems: NamedItems?
    var cookies: NamedItems?
    /// The closures that ran, with their results, and those that are not in the table yet. There can be thousands, and
    /// only a report looks them up.
    var results: [ObjectIdentifier: Bool] = [:]
    var newResults: [(closure: ObjectIdentifier, result: Bool)] = []
  }

  /// The body is `httpBody`. A stream counts as unread.
  @inline(__always)
  package init(_ request: URLRequest) {
    requestURL = RequestURL(of: request)
    incoming = IncomingRequest(request)
  }

  init(_ incoming: IncomingRequest) {
    requestURL = RequestURL(of: incoming.original)
    self.incoming = incoming
  }

  /// The rare facts, to be changed.
  private var changedFacts: RareFacts {
    get { rare ?? RareFacts() }
    _modify {
      if rare == nil { rare = RareFacts() }
      yield &rare!
    }
  }

  /// Returns a fact, which is computed when it is first needed.
  @inline(__always)
  private mutating func known<Fact>(
    _ fact: WritableKeyPath<RareFacts, Fact?>, or compute: (inout RequestFacts) -> Fact
  ) -> Fact {
    if let known = rare?[keyPath: fact] { return known }
    let computed = compute(&self)
    changedFacts[keyPath: fact] = computed
    return computed
  }

  /// The captures of the conditions that are met, or `nil` if nobody wants them.
  var captures: Captures? {
    get { rare?.captures }
    _modify { yield &changedFacts.captures }
  }

  /// The states of scenarios, as this search sees them.
  var scenarios: [ScenarioReading] {
    get { rare?.scenarios ?? [] }
    _modify { yield &changedFacts.scenarios }
  }

  package var url: URL? { incoming.original.url }

  /// The URL as text, or the empty string if there is none.
  var absoluteString: String { requestURL.text }

  private var parts: RequestURL.Parts { requestURL.parts }

  /// A Boolean value that indicates whether the request has a URL at all.
  var hasURL: Bool { !parts.path.isEmpty }

  /// The method, or GET if the request names none.
  package var method: String { (incoming.original.httpMethod ?? "GET").canonicalMethod }

  /// The number of the method.
  var methodCode: UInt64 {
    @inline(__always) mutating get {
      if let cachedMethodCode { return cachedMethodCode }
      let code = incoming.original.methodCode
      cachedMethodCode = code
      return code
    }
  }

  /// The scheme in lower case.
  package var scheme: String? { parts.scheme.isEmpty ? nil : requestURL.text(parts.scheme) }

  /// The host in lower case, with international names in Punycode and IPv6 addresses without brackets. Never empty.
  package var host: String? { parts.host.isEmpty ? nil : requestURL.text(parts.host) }

  /// The URL's own port, or that of its scheme: 80 for http, 443 for https.
  package var port: Int? { parts.port < 0 ? nil : parts.port }

  /// The percent-decoded path without trailing slashes, as `URL.path` returns it, and "/" for an empty one. A segment
  /// that is not UTF-8 after decoding stays encoded, while `URL.path` is empty then.
  package var path: String { requestURL.text(parts.path) }

  /// The percent-encoded path of the URL, as it is sent.
  var encodedPath: String { url?.sentPath ?? "" }

  /// The segments of the path, each decoded by itself.
  var segments: [String] { encodedPath.segmentsOfPath }

  /// The part after the last dot of the path's last segment, or the empty string.
  var pathExtension: String { path.extensionOfPath }

  /// The query items in order, percent-decoded, with `+` as a plus sign. Empty ones, as in `a&&b`, are omitted.
  package var queryItems: NamedItems { mutating get { known(\.queryItems) { $0.requestURL.items } } }
}

extension RequestFacts {
  /// The request that the user's closures receive: with all headers, and with its body if that is known.
  var request: URLRequest { mutating get { known(\.request) { $0.incoming.asSent } } }

  private var addedHeaders: [String: String] {
    mutating get { incoming.isReceived ? [:] : known(\.addedHeaders) { $0.incoming.addedHeaders } }
  }

  /// Returns a header of the request, or one that is added when it is sent.
  package mutating func header(_ name: String) -> String? {
    if let value = incoming.original.value(forHTTPHeaderField: name) { return value }
    return addedHeaders.first { $0.key.isHeaderName(name) }?.value
  }

  /// A Boolean value that indicates whether URLSession says what the body is, because the client doesn't.
  var isTypeAdded: Bool {
    mutating get {
      incoming.original.value(forHTTPHeaderField: "Content-Type") == nil && header("Content-Type") == ContentType.form
    }
  }

  /// The headers, in no order.
  var headers: NamedItems {
    mutating get {
      let own = incoming.original.allHTTPHeaderFields ?? [:]
      let added = addedHeaders.filter { incoming.original.value(forHTTPHeaderField: $0.key) == nil }
      return (Array(own) + added).map { NamedValue(name: $0.key, value: $0.value) }
    }
  }

  /// The pairs of the Cookie header (RFC 6265, section 4.2.1).
  var cookies: NamedItems { mutating get { known(\.cookies) { NamedValue.cookies($0.header("Cookie") ?? "") } } }

  var body: RequestBody {
    mutating get {
      learnBody()
      return rare?.body ?? .none
    }
  }

  var bodyIsUnread: Bool {
    mutating get {
      learnBody()
      return if case .unread? = rare?.body { true } else { false }
    }
  }

  /// Looks at the body once. What needs a part of it then looks at that in place.
  private mutating func learnBody() { if rare?.body == nil { changedFacts.body = incoming.body } }

  /// A Boolean value that indicates whether a queue of URLSession must not wait for the content of the body, because
  /// nobody has read it, or because it is more than about a millisecond of work.
  var bodyNeedsTask: Bool { mutating get { bodyIsUnread || (bodyData?.count ?? 0) > 1 << 16 } }

  /// The bytes of the body, or `nil` if there is none or nobody has read it.
  package var bodyData: Data? {
    mutating get {
      learnBody()
      return if case .data(let data)? = rare?.body { data } else { nil }
    }
  }

  /// The body as JSON, or `nil` if it is not JSON.
  package var json: StubJSON? {
    mutating get { known(\.json) { $0.bodyData.flatMap { try? StubJSON(parsing: $0) } } }
  }

  /// More places than these are found faster in a tree.
  private static let mostPlaces = 4

  /// Returns the scalar at a place in the JSON, or an empty array or object for any of its kind, or `nil` if there is
  /// nothing. Reading one place takes a fraction of the time that it takes to make a tree.
  mutating func scalar(at path: JSONPath) -> StubJSON? {
    if let found = rare?.found.first(where: { $0.path.steps == path.steps }) { return found.value }
    guard rare?.json == nil, (rare?.found.count ?? 0) < Self.mostPlaces, let body = bodyData,
      let value = try? JSONScanner.value(at: path, in: body)
    else { return json.flatMap { path.value(in: $0) } }
    changedFacts.found.append((path, value))
    return value
  }

  /// A note about a body that is compressed, or `nil` for any other.
  var codingNote: String? {
    mutating get {
      guard let coding = header("Content-Encoding"), !["", "identity"].contains(coding.lowercased()) else { return nil }
      return "its Content-Encoding is \(coding), and bodies are compared as sent"
    }
  }

  /// Why it is not known what a compressed body contains, or `nil` for any other body.
  var unknownContent: UnknownFact? {
    mutating get {
      guard let coding = codingNote, bodyData?.isEmpty == false else { return nil }
      return UnknownFact(
        subject: "body", reason: coding,
        cure: "Give its stub a condition that decompresses it, as a closure, and verify the stub, or let the client "
          + "send it plain.")
    }
  }

  /// The fields of the body as a form (`application/x-www-form-urlencoded`), or `nil` for bytes that are not UTF-8,
  /// such as those of a photo. No body is a form without fields.
  package var form: NamedItems? {
    mutating get {
      known(\.form) {
        let data = $0.bodyData ?? Data()
        guard data.withUnsafeBytes({ $0.bindMemory(to: UInt8.self).firstInvalidUTF8 }) == nil else { return nil }
        return NamedValue.form(String(utf8: data))
      }
    }
  }

  /// The fields of the body as a form. A body that is no form has none.
  package var formFields: NamedItems { mutating get { form ?? [] } }

  /// The parts of the body, or `nil` if the Content-Type names no multipart boundary.
  var multipart: MultipartBody? {
    mutating get {
      known(\.multipart) { facts in
        let boundary = facts.header("Content-Type").flatMap(MultipartBody.boundary(ofContentType:))
        guard let boundary, let data = facts.bodyData else { return nil }
        return MultipartBody(parsing: data, boundary: boundary)
      }
    }
  }

  /// The names of the GraphQL operations that the request asks for.
  package var graphQLOperations: [String] {
    mutating get {
      known(\.operations) { GraphQLOperation.isSent(by: $0.method) ? GraphQLOperation.names(in: &$0) : [] }
    }
  }
}

// The results of the user's closures.
extension RequestFacts {
  /// Runs one of the user's closures and remembers its result.
  mutating func ask(_ closure: ClosureTest) -> Bool {
    let result = closure.test(request)
    note([(ObjectIdentifier(closure), result)])
    return result
  }

  /// Remembers the results of closures.
  mutating func note(_ results: [(closure: ObjectIdentifier, result: Bool)]) { changedFacts.newResults += results }

  /// The last results of the closures that have run, by their identities.
  var closureResults: [ObjectIdentifier: Bool] {
    mutating get {
      for (closure, result) in rare?.newResults ?? [] { changedFacts.results[closure] = result }
      changedFacts.newResults = []
      return changedFacts.results
    }
  }
}
