import Foundation
import StubKit

/// Passes requests on to the network, and their responses back.
final class ReverseProxy: NSObject, Sendable {
  private let state = Protected(State())

  private struct State {
    var session: URLSession?
    var exchanges: [Int: Passing] = [:]
  }

  /// One request on its way to the network and back.
  struct Passing {
    fileprivate let task: URLSessionTask
    /// The connection that waits for the response. Its loop calls it.
    fileprivate let connection: Connection
    fileprivate let recording: (any NetworkRecorder)?
    fileprivate let progress = Protected(Progress())

    fileprivate let redirects = RedirectRefusal()

    func cancel() { redirects.cancel(task) }

    fileprivate func call(_ body: @escaping @Sendable (Connection) -> Void) {
      connection.core.loop.perform { [connection] in body(connection) }
    }
  }

  /// How much of a response has arrived.
  fileprivate struct Progress {
    /// The number of bytes that its body still lacks, or `nil` if that isn't known.
    var lackingLength: Int?
    /// Gives the client what makes its response complete. This waits for the end, so that a recording has the whole
    /// exchange before the client does.
    var last: (@Sendable (Connection) -> Void)?
  }

  /// Returns why a request can't be passed on, or `nil` if it can.
  func problem(of request: URLRequest, from core: ServerCore) -> String? {
    guard let origin = request.url.flatMap(Origin.init(of:)) else { return "The request has no http or https URL." }
    let isBack = request.value(forHTTPHeaderField: "Via")?.contains(Self.via(core.port)) == true
    guard isBack || origin.port == core.port && origin.isLoopback else { return nil }
    return "The request would be passed on to this server itself. Name the real server: "
      + "StubServer(for: \"https://api.example.com\")."
  }

  func pass(_ request: URLRequest, of connection: Connection, recording: (any NetworkRecorder)?) -> Passing {
    var request = request
    // What the client has said about its connection. The body has arrived, so nothing is expected either.
    let named = request.value(forHTTPHeaderField: "Connection")?.listElements ?? []
    for name in connectionFields + ["Expect"] + named.map(String.init) {
      request.setValue(nil, forHTTPHeaderField: name)
    }
    // A request that comes back has gone in a circle (RFC 9110, section 7.6.3).
    request.addValue(Self.via(connection.core.port), forHTTPHeaderField: "Via")
    // URLSession asks for what it can decode, and decodes it.
    request.setValue(nil, forHTTPHeaderField: "Accept-Encoding")
    #if os(Linux)
      // For libcurl, a blank value means that the field is not sent. URLSession would add one of its own.
      for name in addedFields where request.value(forHTTPHeaderField: name) == nil {
        request.setValue(" ", forHTTPHeaderField: name)
      }
    #endif
    if let body = request.httpBody { recording?.setRequestBody(body) }
    let exchange = state.withLock { state -> Passing in
      let session = state.session ?? makeSession()
      state.session = session
      let task = session.dataTask(with: request)
      let exchange = Passing(task: task, connection: connection, recording: recording)
      state.exchanges[task.taskIdentifier] = exchange
      return exchange
    }
    exchange.task.resume()
    return exchange
  }

  func close() {
    let (session, exchanges) = state.withLock { ($0.session.take(), $0.exchanges.values) }
    for exchange in exchanges { exchange.cancel() }
    session?.invalidateAndCancel()
  }

  private static func via(_ port: Int) -> String { "1.1 127.0.0.1:\(port) (StubKit)" }

  private func makeSession() -> URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    SessionInstallation.leaveAlone(configuration)
    configuration.urlCache = nil
    configuration.httpCookieStorage = nil
    configuration.urlCredentialStorage = nil
    configuration.httpMaximumConnectionsPerHost = 16
    // How long an answer may take is up to the client.
    configuration.timeoutIntervalForRequest = 86_400
    return URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
  }

  private func exchange(of task: URLSessionTask) -> Passing? { state.withLock { $0.exchanges[task.taskIdentifier] } }
}

extension ReverseProxy: URLSessionDataDelegate {
  /// The client answers challenges itself.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    let methods = [NSURLAuthenticationMethodHTTPBasic, NSURLAuthenticationMethodHTTPDigest]
    let isHTTP = methods.contains(challenge.protectionSpace.authenticationMethod)
    completionHandler(isHTTP ? .rejectProtectionSpace : .performDefaultHandling, nil)
  }

  /// The client follows redirects itself.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) { exchange(of: task)?.redirects.refuse(completionHandler) }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    // An interim response is followed by the real one (RFC 9110, section 15.2). URLSession on Linux delivers both.
    if let response = response as? HTTPURLResponse, response.statusCode >= 200, let exchange = exchange(of: dataTask) {
      exchange.recording?.headArrived(response)
      let (status, headers) = (response.statusCode, StubHeaders(passingOn: response))
      let hasBody = dataTask.originalRequest?.httpMethod != "HEAD" && status != 204 && status != 304
      let length = hasBody ? headers["Content-Length"].flatMap { Int($0) } : 0
      exchange.relay(count: 0, of: length) { $0.headArrived(status, nil, headers, hasBody: hasBody) }
    }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    guard let exchange = exchange(of: dataTask) else { return }
    exchange.recording?.pieceArrived(data, asPiece: true)
    exchange.relay(count: data.count) { $0.pieceArrived(data) }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    guard let exchange = state.withLock({ $0.exchanges.removeValue(forKey: task.taskIdentifier) }) else { return }
    exchange.recording?.end(error: error)
    let last = exchange.progress.withLock { $0.last.take() }
    exchange.call { connection in
      last?(connection)
      connection.finish(error)
    }
  }
}

extension ReverseProxy.Passing {
  /// Gives the client a part of the response, or keeps it back until the end if it is the last one.
  ///
  /// - Parameters:
  ///   - count: The number of its bytes that belong to the body.
  ///   - length: The number of bytes in the whole body, if the part is the head and tells it.
  fileprivate func relay(count: Int, of length: Int? = nil, _ part: @escaping @Sendable (Connection) -> Void) {
    let isLast = progress.withLock { progress in
      if let length { progress.lackingLength = length }
      progress.lackingLength? -= count
      guard let lacking = progress.lackingLength, lacking <= 0, progress.last == nil else { return false }
      progress.last = part
      return true
    }
    if !isLast { call(part) }
  }
}

/// The fields that describe a connection or the framing of a message, and go no further (RFC 9110, section 7.6.1).
private let connectionFields = [
  "Connection", "Keep-Alive", "Proxy-Connection", "TE", "Trailer", "Transfer-Encoding", "Upgrade",
]

/// The fields that URLSession on Linux adds to a request that lacks them.
private let addedFields = ["User-Agent", "Accept-Language", "Accept", "Content-Type"]

extension StubHeaders {
  /// Creates the fields for a client from those of a response that URLSession has decoded.
  fileprivate init(passingOn response: HTTPURLResponse) {
    self.init(of: response)
    if contains("Content-Encoding") { remove("Content-Length") }
    for name in connectionFields + ["Content-Encoding"] { remove(name) }
  }
}
