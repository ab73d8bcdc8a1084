import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A download by a client with a delegate. It answers a challenge, and records the calls of its delegate.
final class Transfer: NSObject, URLSessionDownloadDelegate, @unchecked Sendable {
  // @unchecked holds because everything that changes is touched under the lock only.
  private let lock = NSLock()
  private var lines: [String] = []
  private var fileLength: Int?
  private let credential: URLCredential
  private let (completions, completion) = AsyncStream.makeStream(of: Void.self)

  private init(_ credential: URLCredential) { self.credential = credential }

  /// Downloads from a URL.
  ///
  /// - Returns: The calls of the delegate, line by line, and the length of the file, or `nil` if none arrived.
  static func download(_ url: String, as credential: URLCredential) async -> (told: [String], fileLength: Int?) {
    let transfer = Transfer(credential)
    let session = URLSession(configuration: .ephemeral, delegate: transfer, delegateQueue: nil)
    session.downloadTask(with: URL(string: url)!).resume()
    for await _ in transfer.completions { break }
    session.finishTasksAndInvalidate()
    return transfer.lock.withLock { (transfer.lines, transfer.fileLength) }
  }

  private func note(_ line: String) { lock.withLock { lines.append(line) } }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    note("challenge  \(challenge.protectionSpace.realm ?? "") asks who it is: \(credential.user ?? "")")
    completionHandler(.useCredential, credential)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    note("redirect   \(response.statusCode) to \(request.url?.absoluteString ?? "")")
    completionHandler(request)
  }

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
    totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
  ) {
    let tenths = Int(10 * totalBytesWritten / max(1, totalBytesExpectedToWrite))
    let bar = String(repeating: "█", count: tenths) + String(repeating: "░", count: 10 - tenths)
    note("progress   \(bar) \(totalBytesWritten) of \(totalBytesExpectedToWrite) bytes")
  }

  func urlSession(_ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL) {
    let length = try? Data(contentsOf: location).count
    lock.withLock { fileLength = length }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    note(error.map { "failed     \($0.localizedDescription)" } ?? "complete   \(task.countOfBytesReceived) bytes")
    completion.yield()
  }
}
