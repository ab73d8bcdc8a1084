import Foundation

/// The body of a request, as far as it is known.
enum RequestBody: Sendable {
  case none
  case data(Data)
  /// A stream or a file that nobody has read.
  case unread
}

/// Reads the stream or file of a body to its end, on threads of its own, because a stream can make its reader wait.
enum BodyReader {
  /// Returns everything that the stream still contains, which empties it. A stream that can't be opened is empty, as
  /// for URLSession.
  ///
  /// - Throws: `URLError.unknown`, as URLSession does, if the stream breaks off.
  static func read(_ stream: InputStream) async throws -> Data {
    // Safe because the stream is handed over. Nobody else touches it until it has been read.
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
