import Foundation

extension StubResponse {
  /// Returns the response of the real server to a request, to be changed before a client receives it.
  ///
  /// ```swift
  /// stub(.get, "https://api.example.com/films") { request in
  ///   try await .real(request).header("X-Flag", "1").delay(.seconds(2))
  /// }
  /// ```
  ///
  /// The request goes out as it was sent, with the headers of its session, but without the session's delegate and
  /// cache, and without any stub. A redirect is not followed here: the client receives it, and what it asks for then is
  /// asked of the stubs. The whole body arrives before the closure goes on, and without a `Content-Encoding`, because
  /// the system has decoded it. To let a request through as it is, use ``passThrough``.
  ///
  /// - Parameter request: The request of the closure, or another one.
  /// - Throws: The error of the network, with which the client's request fails, too. With `STUBKIT_NETWORK=off`, an
  ///   error that says so.
  public static func real(_ request: URLRequest) async throws -> StubResponse {
    if NetworkAccess.blocks(request) { throw NetworkOffError(request, because: "A closure asks for its real response") }
    JournalEntry.answered?.goesToNetwork()
    let configuration = URLSessionConfiguration.ephemeral
    SessionInstallation.leaveAlone(configuration)
    configuration.urlCache = nil
    configuration.httpShouldSetCookies = false
    configuration.httpCookieAcceptPolicy = .never
    let refuser = RedirectRefuser()
    let session = URLSession(configuration: configuration, delegate: refuser, delegateQueue: nil)
    defer { session.finishTasksAndInvalidate() }
    try Task.checkCancellation()
    // In a task of its own, because the call would cancel its request also while a redirect is answered.
    let received = Protected<Result<(Data, URLResponse), any Error>?>(nil)
    let loading = Platform.task(on: nil) {
      let result: Result<(Data, URLResponse), any Error>
      do { result = .success(try await session.data(for: request)) } catch { result = .failure(error) }
      received.current = result
    }
    await withTaskCancellationHandler {
      await loading.value
    } onCancel: {
      session.getAllTasks { tasks in
        WorkerPool.background.run { for task in tasks { refuser.redirects.cancel(task) } }
      }
    }
    guard let (body, response) = try received.current?.get() else { throw URLError(.cancelled) }
    guard let response = response as? HTTPURLResponse else { return .data(body) }
    var real = StubResponse(response, body)
    if real.headers.contains("Content-Encoding") {
      real.headers.remove("Content-Encoding")
      real.headers.remove("Content-Length")
    }
    // The pieces of the body are this one now.
    real.headers.remove("Transfer-Encoding")
    return real
  }
}

/// Keeps a session from following redirects.
private final class RedirectRefuser: NSObject, URLSessionTaskDelegate {
  let redirects = RedirectRefusal()

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) { redirects.refuse(completionHandler) }
}
