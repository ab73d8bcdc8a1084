import Foundation
import StubKitFormats

/// The body of a request, as far as it is known.
enum RequestBody: Sendable {
  case none
  case data(Data)
  /// A stream or a file that nobody has read.
  case unread
}

/// A body and its content in the formats that criteria need. Each is parsed when it is first needed.
struct BodyFacts {
  let body: RequestBody

  /// The inner value is `nil` for a body that is not JSON.
  private var cachedJSON: JSONValue??
  private var cachedForm: NamedItems?
  private var cachedMultipart: MultipartBody?

  init(_ body: RequestBody) {
    self.body = body
  }

  /// The bytes, or `nil` if there is no body or nobody has read it.
  var data: Data? {
    if case .data(let data) = body { data } else { nil }
  }

  var json: JSONValue? {
    mutating get {
      if let cachedJSON { return cachedJSON }
      let json = data.flatMap { try? JSONValue(parsing: $0) }
      cachedJSON = .some(json)
      return json
    }
  }

  var formFields: NamedItems {
    mutating get {
      if let cachedForm { return cachedForm }
      let fields = data.map { FormBody(parsing: $0).fields } ?? []
      cachedForm = fields
      return fields
    }
  }

  /// A request has one boundary, so there is one result to keep.
  mutating func multipart(boundary: String) -> MultipartBody? {
    if let cachedMultipart { return cachedMultipart }
    cachedMultipart = data.map { MultipartBody(parsing: $0, boundary: boundary) }
    return cachedMultipart
  }
}

/// A form as browsers send it: `application/x-www-form-urlencoded`, as the WHATWG URL standard parses it.
struct FormBody: Sendable {
  /// The fields in the order of the body. A name without `=` has no value.
  let fields: NamedItems

  init(parsing data: Data) {
    fields = NamedValue.form(String(decoding: data, as: UTF8.self))
  }
}

/// Reads the stream or file of a body to its end, on threads of its own, because a stream can make its reader wait.
enum BodyReader {
  /// Returns everything that the stream still contains, which empties it. A stream that can't be opened is empty, as
  /// for URLSession.
  ///
  /// - Throws: `URLError.unknown`, as URLSession does, if the stream breaks off.
  static func read(_ stream: InputStream) async throws -> Data {
    // Holds: the stream is handed over. Nobody else touches it until it has been read.
    nonisolated(unsafe) let stream = stream
    return try await run { try bytes(of: stream) }
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

  private static func failure(
    _ request: URLRequest, _ code: URLError.Code, _ file: URL, _ reason: String
  ) -> URLError {
    var userInfo: [String: Any] = [
      NSLocalizedDescriptionKey: "The file to upload can't be read: \(file.path) (\(reason)).",
      NSFilePathErrorKey: file.path,
    ]
    userInfo[NSURLErrorFailingURLErrorKey] = request.url
    return URLError(code, userInfo: userInfo)
  }

  private static func run(_ work: @escaping @Sendable () throws -> Data) async throws -> Data {
    try await withCheckedThrowingContinuation { continuation in
      WorkerPool.bodies.run { continuation.resume(with: Result { try work() }) }
    }
  }

  private static func bytes(of stream: InputStream) throws -> Data {
    if stream.streamStatus == .notOpen { stream.open() }
    defer { stream.close() }
    var body = Data()
    guard stream.streamStatus != .error else { return body }
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = stream.read(&piece, maxLength: piece.count), count != 0 {
      guard count > 0 else {
        // The error contains no reason, because asking a stream without an error for one traps on Linux.
        throw URLError(
          .unknown, userInfo: [NSLocalizedDescriptionKey: "The request's body stream ended with an error."])
      }
      body.append(contentsOf: piece[..<count])
    }
    return body
  }
}
