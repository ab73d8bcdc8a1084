import Foundation

/// A request as a server would receive it: with the headers that its session adds, and with its body wherever that
/// is.
///
/// The headers of the session are looked up on first use. Only `read()` reads the body.
struct IncomingRequest: Sendable {
  /// The request as URLSession shows it.
  let original: URLRequest
  private let origin: (any RequestOrigin)?
  private let givenBody: RequestBody?
  /// Why the request belongs to the registry.
  let confidence: AttributionConfidence

  /// - Parameters:
  ///   - original: The request as URLSession shows it.
  ///   - origin: The origin of the request. If it is `nil`, the request is as it is sent.
  ///   - body: The body if it is known otherwise, for example after a redirect. By default, the origin knows it.
  ///   - confidence: Why the request belongs to the registry.
  init(
    _ original: URLRequest, of origin: (any RequestOrigin)? = nil, body: RequestBody? = nil,
    confidence: AttributionConfidence = .certain
  ) {
    self.original = original
    self.confidence = confidence
    self.origin = origin
    givenBody = body
  }

  /// The headers that are added to the request's own when it is sent. Usually empty.
  var addedHeaders: [String: String] { origin?.addedHeaders(to: original) ?? [:] }

  /// The body as far as it is known without reading anything.
  var body: RequestBody { separateBody ?? original.ownBody }

  /// The body if it is not in the request itself.
  private var separateBody: RequestBody? { givenBody ?? origin?.separateBody }

  /// Why the request can't be sent, so that no server would receive it.
  var problem: (any Error)? { givenBody == nil ? origin?.problem(of: original) : nil }

  /// The request that closures and the journal receive, with everything that is known, and its body. If there is
  /// nothing to add, the request isn't copied.
  var asSent: URLRequest {
    var request = original
    for (name, value) in addedHeaders where original.value(forHTTPHeaderField: name) == nil {
      request.setValue(value, forHTTPHeaderField: name)
    }
    switch separateBody {
    case nil: break
    case .data(let data): request.httpBody = data
    case .unread, .some(.none): if original.httpBody != nil { request.httpBody = nil }
    }
    return request
  }

  /// Returns the request with its body read, if nobody has read it yet. Don't call this on a queue of URLSession,
  /// because whoever fills the stream can take any time.
  func read() async throws -> IncomingRequest {
    guard case .unread = body else { return self }
    let data = if let origin { try await origin.readBody(of: original) } else { try await original.readOwnBody() }
    return IncomingRequest(
      original, of: origin, body: data.map { .data($0) } ?? RequestBody.none, confidence: confidence)
  }

  /// Returns whether this is the result of `read()` for another request.
  func isRead(since earlier: IncomingRequest) -> Bool { earlier.givenBody == nil && givenBody != nil }
}

/// The origin of a request, as far as the request itself doesn't show it: its session and its task.
protocol RequestOrigin: AnyObject, Sendable {
  /// Returns the headers about the request that are added to its own when it is sent: those of its session and of its
  /// URL. The request's own headers take precedence.
  func addedHeaders(to request: URLRequest) -> [String: String]

  /// The body of the request as far as it is known without reading anything, or `nil` if it is the request's own.
  var separateBody: RequestBody? { get }

  /// Returns why the request can't be sent, if that is known without reading anything.
  func problem(of request: URLRequest) -> (any Error)?

  /// Reads the body of a request to its end. Returns `nil` if there is none. Call this once.
  func readBody(of request: URLRequest) async throws -> Data?
}

extension URLRequest {
  /// The body in the request itself.
  var ownBody: RequestBody { httpBody.map { .data($0) } ?? (httpBodyStream == nil ? .none : .unread) }

  func readOwnBody() async throws -> Data? {
    if let httpBody { return httpBody }
    guard let stream = httpBodyStream else { return nil }
    return try await BodyReader.read(stream)
  }
}
