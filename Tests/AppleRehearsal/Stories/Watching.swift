import Foundation
import StubKit

/// What the stories are played on.
enum Stage {
  /// StubKit is in use.
  static let isSet: Void = { _ = HTTPStubs.capabilities }()
}

extension Locked {
  var current: Value { withLock { $0 } }
}

/// A delegate that writes down what it is told, and may do something at each step.
final class Watcher: NSObject, URLSessionDataDelegate, URLSessionDownloadDelegate {
  private let state = Locked((events: [String](), bytes: Data(), error: (any Error)?.none, step: 0))
  private let (ends, end) = AsyncStream.makeStream(of: Void.self)
  /// Gets the number of the step and the task, before the step is answered.
  let atStep: @Sendable (Int, URLSessionTask) -> Void
  let redirect: @Sendable (URLRequest) -> URLRequest?
  let credential: URLCredential?
  let cancelsChallenges: Bool
  let body: Data?

  init(
    redirect: @escaping @Sendable (URLRequest) -> URLRequest? = { $0 }, credential: URLCredential? = nil,
    cancelsChallenges: Bool = false, body: Data? = nil,
    atStep: @escaping @Sendable (Int, URLSessionTask) -> Void = { _, _ in }
  ) {
    self.redirect = redirect
    self.credential = credential
    self.cancelsChallenges = cancelsChallenges
    self.body = body
    self.atStep = atStep
  }

  var events: [String] { state.current.events }
  var text: String { String(decoding: state.current.bytes, as: UTF8.self) }
  var error: (any Error)? { state.current.error }
  var code: URLError.Code? { (error as? URLError)?.code }

  /// Runs a task in a session whose delegate this is, and which ends with it.
  ///
  /// - Parameter onResume: Runs before the end of the task is awaited.
  @discardableResult
  func run(
    in configuration: URLSessionConfiguration = .staged, on queue: OperationQueue? = nil,
    onResume: (URLSessionTask) async -> Void = { _ in }, _ make: (URLSession) -> URLSessionTask
  ) async -> URLSessionTask {
    let session = URLSession(configuration: configuration, delegate: self, delegateQueue: queue)
    defer { session.finishTasksAndInvalidate() }
    let task = make(session)
    task.resume()
    await onResume(task)
    for await _ in ends { break }
    return task
  }

  private func note(_ event: String, _ task: URLSessionTask) {
    let step = state.withLock { state in
      state.events.append(event)
      state.step += 1
      return state.step
    }
    atStep(step, task)
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    note("head \((response as? HTTPURLResponse)?.statusCode ?? 0)", dataTask)
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    state.withLock { $0.bytes += data }
    note("data", dataTask)
  }

  func urlSession(_ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL) {
    let data = try? Data(contentsOf: location)
    state.withLock { $0.bytes = data ?? Data() }
    note("file", downloadTask)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    note("redirect \(request.url?.path ?? "")", task)
    completionHandler(redirect(request))
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    note("challenge \(challenge.protectionSpace.realm ?? "")", task)
    if cancelsChallenges { return completionHandler(.cancelAuthenticationChallenge, nil) }
    let isNew = challenge.previousFailureCount == 0
    completionHandler(isNew && credential != nil ? .useCredential : .performDefaultHandling, isNew ? credential : nil)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
  ) { completionHandler(body.map { InputStream(data: $0) }) }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    state.withLock { $0.error = error }
    note(error == nil ? "end" : "failure", task)
    end.yield()
  }
}

/// A delegate without a method for redirects.
final class QuietDelegate: NSObject, URLSessionDataDelegate {}

#if canImport(URLLoading)
  extension QuietDelegate: AnswersNoRedirects {}
#endif

/// A delegate that answers after it has returned, as an asynchronous method does.
final class SlowDelegate: NSObject, URLSessionDataDelegate {
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    Task {
      // Whatever is in the session's queues has run by then.
      for _ in 0..<5 { await withCheckedContinuation { done in session.getAllTasks { _ in done.resume() } } }
      completionHandler(request)
    }
  }
}

func request(_ method: String, _ url: URL, _ body: Data? = nil) -> URLRequest {
  var request = URLRequest(url: url)
  request.httpMethod = method
  request.httpBody = body
  return request
}

/// Asks with a completion handler, which gives the text of what came.
func ask(_ session: URLSession, _ url: String, _ done: @escaping @Sendable (String?) -> Void) {
  session.dataTask(with: URL(string: url)!) { data, _, _ in
    done(data.map { String(decoding: $0, as: UTF8.self) })
  }.resume()
}

func text(_ url: String) async throws -> String { try await text(.shared, url) }

func text(_ session: URLSession, _ url: String) async throws -> String {
  String(decoding: try await session.data(from: URL(string: url)!).0, as: UTF8.self)
}

/// Asks on a plain queue, where nothing says whose request it is.
func askOnAPlainQueue(_ session: URLSession, _ url: String) async -> String? {
  await withCheckedContinuation { continuation in
    DispatchQueue.global().async { ask(session, url) { continuation.resume(returning: $0) } }
  }
}
