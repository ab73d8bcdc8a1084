import Foundation
import StubKit
import Testing

/// What a delegate is told of a task.
package enum DelegateEvent {
  case redirect(HTTPURLResponse, URLRequest)
  case challenge(URLAuthenticationChallenge)
  case sent(count: Int64, total: Int64, expected: Int64)
  case head(URLResponse)
  case data(Data)
  case wrote(count: Int64, total: Int64, expected: Int64)
  case file(URL)
  case end((any Error)?)
}

/// A delegate that writes down what it is told, and says when its task is complete.
package class DelegateEvents: NSObject, URLSessionDataDelegate, URLSessionDownloadDelegate, @unchecked Sendable {
  // @unchecked holds because neither the class nor its subclasses have anything that changes but what is behind locks.
  private let events = Locked<[String]>([])
  private let (completions, completion) = AsyncStream.makeStream(of: Void.self)
  private let credential: URLCredential?
  private let describe: (@Sendable (DelegateEvent) -> String?)?

  /// - Parameters:
  ///   - credential: What every challenge is answered with.
  ///   - describe: Returns what is written down of an event, or `nil` for nothing.
  package init(credential: URLCredential? = nil, describe: (@Sendable (DelegateEvent) -> String?)? = nil) {
    self.credential = credential
    self.describe = describe
  }

  package var told: [String] { events.withLock { $0 } }

  /// What was told until the task was complete.
  package func untilCompletion() async throws -> [String] {
    try await next(of: completions, when: "the task is complete")
    return told
  }

  /// A session that tells it what happens. By default, the session never times out.
  package func session(
    _ configuration: URLSessionConfiguration = .patient, on queue: OperationQueue? = nil
  ) -> URLSession {
    URLSession(configuration: configuration, delegate: self, delegateQueue: queue)
  }

  /// What is told of a task of such a session until it is complete.
  package func told(of makeTask: (URLSession) -> URLSessionTask) async throws -> [String] {
    makeTask(session()).resume()
    return try await untilCompletion()
  }

  package func note(_ event: String) { events.withLock { $0.append(event) } }

  func text(of event: DelegateEvent) -> String? {
    switch event {
    case .head(let response): "head \((response as? HTTPURLResponse)?.statusCode ?? 0)"
    case .data(let data): "data \(String(decoding: data, as: UTF8.self))"
    case .file(let location): "file \((try? String(contentsOf: location, encoding: .utf8)) ?? "none")"
    case .end(let error): error.map { "error \(($0 as NSError).domain) \(($0 as NSError).code)" } ?? "complete"
    case .redirect, .challenge, .sent, .wrote: nil
    }
  }

  private func tell(_ event: DelegateEvent) {
    if let text = describe.map({ $0(event) }) ?? text(of: event) { note(text) }
  }

  func answer(to response: HTTPURLResponse, _ request: URLRequest) -> URLRequest? { request }

  func answer(to challenge: URLAuthenticationChallenge) -> (URLSession.AuthChallengeDisposition, URLCredential?)? {
    (credential == nil ? .performDefaultHandling : .useCredential, credential)
  }

  func bodyStream() -> InputStream? { nil }

  package func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
  ) {
    tell(.redirect(response, request))
    completionHandler(answer(to: response, request))
  }

  package func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    tell(.challenge(challenge))
    if let (disposition, credential) = answer(to: challenge) { completionHandler(disposition, credential) }
  }

  package func urlSession(
    _ session: URLSession, task: URLSessionTask,
    needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
  ) { completionHandler(bodyStream()) }

  package func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData count: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) { tell(.sent(count: count, total: totalBytesSent, expected: totalBytesExpectedToSend)) }

  package func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    tell(.head(response))
    completionHandler(.allow)
  }

  package func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    tell(.data(data))
  }

  package func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData count: Int64, totalBytesWritten: Int64,
    totalBytesExpectedToWrite: Int64
  ) { tell(.wrote(count: count, total: totalBytesWritten, expected: totalBytesExpectedToWrite)) }

  package func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
  ) {
    tell(.file(location))
    try? FileManager.default.removeItem(at: location)
  }

  package func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    tell(.end(error))
    completion.yield()
  }
}
