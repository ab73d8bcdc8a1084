import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A request as a server would get it: with the headers that its session adds, and with its body wherever that is.
///
/// Nothing is looked up before somebody asks, and nothing is read before `read()`.
struct IncomingRequest: Sendable {
  /// The request as URLSession shows it.
  let bare: URLRequest
  private let origin: (any RequestOrigin)?
  private let givenBody: RequestBody?
  /// What says that it belongs to the registry that is asked.
  let evidence: Evidence

  /// - Parameters:
  ///   - bare: The request as URLSession shows it.
  ///   - origin: Where it comes from; nil for a request of nobody's, which is seen as it stands.
  ///   - body: Its body, where that is known otherwise, as after a redirect; by default the origin knows.
  ///   - evidence: What says that it belongs to the registry that is asked.
  init(
    _ bare: URLRequest, of origin: (any RequestOrigin)? = nil, body: RequestBody? = nil, evidence: Evidence = .certain
  ) {
    self.bare = bare
    self.evidence = evidence
    self.origin = origin
    givenBody = body
  }

  /// What is added to the request's own headers when it is sent; empty as a rule.
  var addedHeaders: [String: String] { origin?.addedHeaders(to: bare) ?? [:] }

  /// The body as far as it is known without reading anything.
  var body: RequestBody { separateBody ?? bare.ownBody }

  /// The body where it is not to be found in the request itself.
  private var separateBody: RequestBody? { givenBody ?? origin?.separateBody }

  /// Why the request can't be sent, so that no server would get it.
  var problem: (any Error)? { givenBody == nil ? origin?.problem(of: bare) : nil }

  /// What closures and the journal get: all that is known in one request, and its body. A request to which nothing is
  /// to be added is not copied.
  var seen: (request: URLRequest, body: Data?) {
    var request = bare
    for (name, value) in addedHeaders where bare.value(forHTTPHeaderField: name) == nil {
      request.setValue(value, forHTTPHeaderField: name)
    }
    switch separateBody {
    case nil: return (request, bare.httpBody)
    case .data(let data):
      request.httpBody = data
      return (request, data)
    case .unread: return (request, nil)
    case .some(.none):
      if bare.httpBody != nil { request.httpBody = nil }
      return (request, nil)
    }
  }

  /// The request with its body read, if it had one that nobody has read. Not for a queue of URLSession's: it may take as
  /// long as whoever fills the stream likes.
  func read() async throws -> IncomingRequest {
    guard case .unread = body else { return self }
    let data = if let origin { try await origin.readBody(of: bare) } else { try await bare.readOwnBody() }
    return IncomingRequest(bare, of: origin, body: data.map { .data($0) } ?? RequestBody.none, evidence: evidence)
  }

  /// Whether this is what `read()` made of that one.
  func isRead(since earlier: IncomingRequest) -> Bool { earlier.givenBody == nil && givenBody != nil }

  /// Gives back to URLSession what `read()` took from it, so that it can still send the request; false where it can't.
  func giveBack() async -> Bool {
    guard let givenBody, let origin else { return true }
    return await origin.giveBack(givenBody)
  }
}

/// Where a request comes from, as far as the request itself does not say: its session and its task.
protocol RequestOrigin: AnyObject, Sendable {
  /// The headers that say something of the request, and are added to its own when it is sent: its session's, and what its URL
  /// says. A header of the request's own wins.
  func addedHeaders(to request: URLRequest) -> [String: String]

  /// The request's body as far as it is known without reading anything; nil where it is the request's own.
  var separateBody: RequestBody? { get }

  /// Why the request can't be sent, if that is known without reading anything.
  func problem(of request: URLRequest) -> (any Error)?

  /// Reads the body of a request to its end; nil for none. To be called once.
  func readBody(of request: URLRequest) async throws -> Data?

  /// Lets the request be sent with the body that was read; false where it can't be.
  func giveBack(_ body: RequestBody) async -> Bool
}

extension URLRequest {
  /// The body that the request itself holds.
  var ownBody: RequestBody { httpBody.map { .data($0) } ?? (httpBodyStream == nil ? .none : .unread) }

  func readOwnBody() async throws -> Data? {
    if let httpBody { return httpBody }
    guard let stream = httpBodyStream else { return nil }
    return try await BodyReader.read(stream)
  }
}
