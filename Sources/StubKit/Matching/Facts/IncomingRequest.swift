import Foundation

/// A request as a server would receive it: with the headers that its session adds, and with its body wherever that
/// is.
///
/// The headers of the session are looked up on first use. Only `read()` reads the body.
struct IncomingRequest {
  /// The request as URLSession shows it.
  let original: URLRequest
  /// What is known beside it, or `nil` for a request that is as it is sent.
  private let additions: Additions?

  // They are one optional, because a search that ends releases each reference that it has, also one to nothing.
  private struct Additions {
    let origin: (any RequestOrigin)?
    let boxedBody: BoxedBody?
    /// The body if it is not in the request itself. Asked once, because the body of an upload is found by reflection.
    let separateBox: BoxedBody?
  }

  /// - Parameters:
  ///   - original: The request as URLSession shows it.
  ///   - origin: The origin of the request. If it is `nil`, the request is as it is sent.
  ///   - body: The body if it is known otherwise, for example after a redirect. By default, the origin knows it.
  init(_ original: URLRequest, of origin: (any RequestOrigin)? = nil, body: RequestBody? = nil) {
    self.original = original
    guard origin != nil || body != nil else {
      additions = nil
      return
    }
    let boxedBody = body.map { BoxedBody($0) }
    additions = Additions(
      origin: origin, boxedBody: boxedBody, separateBox: boxedBody ?? origin?.separateBody.map { BoxedBody($0) })
  }

  private var origin: (any RequestOrigin)? { additions?.origin }

  /// The body, if it is known otherwise than from the request and its origin.
  private var givenBody: RequestBody? { additions?.boxedBody?.body }

  /// The headers that are added to the request's own when it is sent. Usually empty.
  var addedHeaders: [String: String] {
    guard let origin else { return [:] }
    var headers = origin.addedHeaders(to: original)
    if isSentAsForm, !headers.keys.contains(where: { $0.isHeaderName("Content-Type") }) {
      headers["Content-Type"] = ContentType.form
    }
    return headers
  }

  /// A Boolean value that indicates whether URLSession sends the body as a form, because nothing says what it is.
  ///
  /// Measured on Linux, and the same on Apple platforms: a POST whose body is in the request, also after a redirect,
  /// for which the body isn't sent again, and an upload of a stream. On Linux, an upload of data or a file has no type.
  private var isSentAsForm: Bool {
    guard original.httpMethod == "POST", original.url.map(\.isSentByHTTP) == true,
      original.value(forHTTPHeaderField: "Content-Type") == nil
    else { return false }
    if original.httpBody?.isEmpty == false || original.httpBodyStream != nil { return true }
    if case .some(.none) = givenBody { return false }
    return if case .unread(_, file: nil) = origin?.separateBody { true } else { false }
  }

  /// A Boolean value that indicates whether the request is as it was received, so that nothing is added to it any more.
  var isReceived: Bool { origin == nil }

  /// The body as far as it is known without reading anything.
  var body: RequestBody { separateBody ?? original.ownBody }

  /// A Boolean value that indicates whether the request has a body that nobody has read.
  var isUnread: Bool { if case .unread = body { true } else { false } }

  /// The queue on which the client's delegate is asked for the body, or `nil` if it isn't asked.
  var delegateQueue: OperationQueue? { givenBody == nil ? origin?.delegateQueue : nil }

  /// The file that the body is in, if nobody has read it.
  var file: URL? { if case .unread(_, let file) = body { file } else { nil } }

  /// The body if it is not in the request itself.
  private var separateBody: RequestBody? { additions?.separateBox?.body }

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
    case nil:
      // Only a slice is worth a copy of the request.
      if let body = original.httpBody, body.startIndex != 0 { request.httpBody = body.fromZero }
    case .data(let data): request.httpBody = data
    case .unread, .some(.none): if original.httpBody != nil { request.httpBody = nil }
    }
    return request
  }

  /// Returns the request with its body read, if nobody has read it yet. Don't call this on a queue of URLSession,
  /// because whoever fills the stream can take any time.
  func read() async throws -> IncomingRequest {
    guard isUnread else { return self }
    let data = if let origin { try await origin.readBody(of: original) } else { try await original.readOwnBody() }
    return IncomingRequest(original, of: origin, body: data.map { .data($0) } ?? RequestBody.none)
  }

  /// Asks for the stream of the body without reading it, as a client that reaches no server does.
  func askForStream() async throws { if isUnread { try await origin?.askForStream() } }

  /// The body that was read, which is empty if there is none, or `nil` if nobody has read it.
  var readBody: Data? {
    switch givenBody {
    case .data(let body): body
    case .some(.none): Data()
    case .unread, nil: nil
    }
  }

  /// A Boolean value that indicates whether the body is that of a file, read or not.
  var isOfFile: Bool { if case .unread(_, file: _?) = origin?.separateBody { true } else { false } }
}

/// The origin of a request, as far as the request itself doesn't show it: its session and its task.
protocol RequestOrigin: AnyObject, Sendable {
  /// Returns the headers about the request that are added to its own when it is sent: those of its session and of its
  /// URL. The request's own headers take precedence.
  func addedHeaders(to request: URLRequest) -> [String: String]

  /// The body of the request as far as it is known without reading anything, or `nil` if it is the request's own.
  var separateBody: RequestBody? { get }

  /// The queue on which the client's delegate is asked for the body, or `nil` if it isn't asked.
  var delegateQueue: OperationQueue? { get }

  /// Returns why the request can't be sent, if that is known without reading anything.
  func problem(of request: URLRequest) -> (any Error)?

  /// Reads the body of a request to its end. Returns `nil` if there is none. Call this once.
  func readBody(of request: URLRequest) async throws -> Data?

  /// Asks for the stream that the body comes from, if it has to be asked for.
  func askForStream() async throws
}

extension URLRequest {
  /// The body in the request itself.
  var ownBody: RequestBody { httpBody.map { .data($0) } ?? (httpBodyStream == nil ? .none : .unread()) }

  func readOwnBody() async throws -> Data? {
    if let httpBody { return httpBody }
    guard let stream = httpBodyStream else { return nil }
    return try await BodyReader.read(stream)
  }
}

/// The body of a request, as far as it is known.
enum RequestBody {
  case none
  case data(Data)
  /// A stream or a file that nobody has read, or the body of an earlier request that nobody has any more.
  case unread(MissingBody? = nil, file: URL? = nil)
}

/// A body in one word, because requests are copied all the time, and few are given one.
private final class BoxedBody: Sendable {
  let body: RequestBody

  init(_ body: RequestBody) { self.body = body }
}

/// Reads the stream or file of a body to its end, on threads of its own, because a stream can make its reader wait.
enum BodyReader {
  /// Returns everything that the stream still contains, which empties it. A stream that can't be opened is empty, as
  /// for URLSession.
  ///
  /// - Throws: `URLError.unknown`, as URLSession does, if the stream breaks off. `CancellationError` if the task is
  ///   cancelled before the end.
  static func read(_ stream: InputStream) async throws -> Data {
    // Safe because the stream is handed over. Nobody else touches it until it has been read.
    nonisolated(unsafe) let stream = stream
    let isCancelled = Protected(false)
    return try await withTaskCancellationHandler {
      try await run { try bytes(of: stream) { isCancelled.current } }
    } onCancel: {
      isCancelled.current = true
    }
  }

  /// Returns the bytes of a file. They aren't mapped, because the receiver may keep them while the file is rewritten,
  /// and touching bytes that are gone would end the process.
  ///
  /// - Throws: The error that `problem(of:for:)` returns.
  static func read(_ file: URL, for request: URLRequest) async throws -> Data {
    try await run {
      if let problem = problem(of: file, for: request) { throw problem }
      do {
        return try Data(contentsOf: file)
      } catch let error as CocoaError where error.code == .fileReadNoPermission {
        throw failure(request, .noPermissionsToReadFile, file, "there is no permission to read it")
      } catch {
        throw failure(request, .cannotOpenFile, file, error.localizedDescription)
      }
    }
  }

  /// Returns why a request with this file as its body is never sent, or `nil` if it is.
  ///
  /// A missing file fails as in URLSession, with `URLError.fileDoesNotExist`. A directory makes URLSession on Linux
  /// wait for ever. Here it fails with `URLError.fileIsDirectory`.
  static func problem(of file: URL, for request: URLRequest) -> URLError? {
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: file.path, isDirectory: &isDirectory) else {
      return failure(request, .fileDoesNotExist, file, "there is no such file")
    }
    return isDirectory.boolValue ? failure(request, .fileIsDirectory, file, "it is a directory") : nil
  }

  private static func failure(_ request: URLRequest, _ code: URLError.Code, _ file: URL, _ reason: String) -> URLError {
    var userInfo: [String: Any] = [
      NSLocalizedDescriptionKey: "The file to upload can't be read: \(file.path) (\(reason)).",
      NSFilePathErrorKey: file.path,
    ]
    userInfo[NSURLErrorFailingURLErrorKey] = request.url
    return URLError(code, userInfo: userInfo)
  }

  private static func run(_ work: @escaping @Sendable () throws -> Data) async throws -> Data {
    try await withCheckedThrowingContinuation { continuation in
      // A stream of the user's own class is as much a part of the search as a closure is.
      WorkerPool.background.run { [run = ClosureRun.current] in
        continuation.resume(with: Result { try ClosureRun.$current.withValue(run, operation: work) })
      }
    }
  }

  private static func bytes(of stream: InputStream, until isCancelled: () -> Bool) throws -> Data {
    if stream.streamStatus == .notOpen { stream.open() }
    defer { stream.close() }
    var body = Data()
    guard stream.streamStatus != .error else { return body }
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while !isCancelled(), case let count = stream.read(&piece, maxLength: piece.count), count != 0 {
      guard count > 0 else {
        // The error contains no reason, because asking a stream without an error for one traps on Linux.
        throw URLError(.unknown, "The request's body stream ended with an error.")
      }
      body.append(contentsOf: piece[..<count])
    }
    // What was read is only the beginning.
    if isCancelled() { throw CancellationError() }
    return body
  }
}

/// What is not known about an earlier request, so that it is not known either whether it met a condition.
package struct UnknownFact: Sendable {
  package let subject: String
  package let reason: String
  let cure: String

  /// What is not known, why, and what to do about it.
  var sentence: String { "\(subject): \(reason). \(cure)" }
}

/// Why nobody has the body of an earlier request. What hangs on it is not known.
package struct MissingBody: Sendable, Hashable {
  /// What happened to the body.
  package let reason: String
  let cure: String
  /// The length in bytes, or `nil` if it isn't known.
  private(set) var length: Int?

  /// What happened to the body, and what to do about it.
  var sentence: String { "\(reason). \(cure)" }

  /// It was longer than what the journal keeps.
  static func large(_ length: Int) -> MissingBody {
    MissingBody(
      reason: "only its length is kept, \(length) bytes",
      cure: "Set HTTPStubs.journal.keepsLargeBodies = true before the request.", length: length)
  }

  static let unread = MissingBody(
    reason: "no stub needed the stream, so it was not read",
    cure: "Give the request's stub a condition on the body, such as !hasBody(Data()), so that it is read.")

  /// The end of a stream or a file has not been read, because it is yet to come, or because the request ended before.
  static let pending = MissingBody(
    reason: "not read to its end", cure: "Wait until the request is over, and let its body end.")

  static let unreadable = MissingBody(
    reason: "its file could not be read", cure: "Leave the file in its place, unchanged, until the request is over.")
}
