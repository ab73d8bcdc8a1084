import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Reads a body's stream or file to its end, on threads of its own: a stream may keep its reader waiting.
enum BodyReader {
  /// All that the stream has still to give, which it then has no more. One that can't be opened has nothing, as for
  /// URLSession.
  ///
  /// - Throws: `URLError.unknown`, as URLSession does, when the stream breaks off.
  static func read(_ stream: InputStream) async throws -> Data {
    // Holds: the stream is handed over. Nobody else touches it until it has been read.
    nonisolated(unsafe) let stream = stream
    return try await run { try bytes(of: stream) }
  }

  /// The file's bytes. They are not mapped: whoever gets them may keep them while the file is written anew, and would be
  /// killed for touching those that are gone.
  ///
  /// - Throws: What `problem(of:for:)` finds.
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

  /// Why a request with this file as its body is never sent; nil if it is.
  ///
  /// A file that is not there fails as in URLSession, with `URLError.fileDoesNotExist`. A directory keeps URLSession on
  /// Linux waiting for ever; here it fails with `URLError.fileIsDirectory`.
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
        // Without its reason: asking a stream without an error for it traps on Linux.
        throw URLError(.unknown, userInfo: [NSLocalizedDescriptionKey: "The request's body stream broke off."])
      }
      body.append(contentsOf: piece[..<count])
    }
    return body
  }
}
