import Foundation
import FoundationNetworking

/// The system's own loading of HTTP, on a thread of its own: enough of RFC 9112 for a server on the loopback interface.
final class NativeLoad: @unchecked Sendable {
  // @unchecked holds because the request is touched on the load's thread only, and the rest under `lock`.
  private var request: URLRequest
  private var body: Connection.Body
  private let task: URLSessionTask
  private let tell: @Sendable (Connection.Event) -> Void
  private let renew: @Sendable (@escaping @Sendable (InputStream?) -> Void) -> Void
  private let live: URLSessionConfiguration?
  private let lock = NSLock()
  private var isCancelled = false

  init(
    _ request: URLRequest, _ body: Connection.Body, of task: URLSessionTask,
    _ tell: @escaping @Sendable (Connection.Event) -> Void,
    renew: @escaping @Sendable (@escaping @Sendable (InputStream?) -> Void) -> Void
  ) {
    self.renew = renew
    self.request = request
    self.body = body
    self.task = task
    self.tell = tell
    live = task.owner?.live
  }

  func start() { Thread.detachNewThread { [self] in run() } }

  func cancel() { lock.withLock { isCancelled = true } }

  private func run() {
    do {
      var body = try bytes()
      var failures = 0
      var isRetry = false
      while true {
        let exchange = try Exchange(request, body)
        let response: HTTPURLResponse
        do { response = try exchange.readHead() } catch let error as URLError where error.code == .networkConnectionLost
        {
          // As a connection that the server closes while it waits for its next request.
          guard !isRetry, lock.withLock({ !isCancelled }) else { throw error }
          isRetry = true
          body = try bytesAgain(body)
          continue
        }
        keepCookies(of: response)
        if let redirect = Self.redirect(response, request) { tell(.redirect(redirect, response)) }
        if let credential = demand(response, failures) {
          failures += 1
          let pair = Data("\(credential.user ?? ""):\(credential.password ?? "")".utf8).base64EncodedString()
          request.setValue("Basic \(pair)", forHTTPHeaderField: "Authorization")
          body = try bytesAgain(body)
          continue
        }
        tell(.response(response))
        try exchange.readBody(of: response) { tell(.data($0)) }
        return tell(.finish)
      }
    } catch {
      if lock.withLock({ !isCancelled }) { tell(.fail(error)) }
    }
  }

  private func bytes() throws -> Data {
    switch body {
    case .none: return Data()
    case .data(let data): return data
    case .file(let file):
      guard let data = try? Data(contentsOf: file) else { throw URLError(.fileDoesNotExist) }
      return data
    case .stream(let stream):
      stream.open()
      defer { stream.close() }
      var data = Data()
      var piece = [UInt8](repeating: 0, count: 4_096)
      while case let count = stream.read(&piece, maxLength: piece.count), count > 0 { data += piece[..<count] }
      return data
    }
  }

  /// What is sent a second time. A stream is used up, so another one is asked for.
  private func bytesAgain(_ sent: Data) throws -> Data {
    guard case .stream = body else { return sent }
    let answered = DispatchSemaphore(value: 0)
    // Holds: written before the signal and read after it.
    nonisolated(unsafe) var stream: InputStream?
    renew {
      stream = $0
      answered.signal()
    }
    answered.wait()
    guard let stream else { throw URLError(.requestBodyStreamExhausted) }
    body = .stream(stream)
    return try bytes()
  }

  private func keepCookies(of response: HTTPURLResponse) {
    guard let live, live.httpCookieAcceptPolicy != .never, let url = response.url,
      let headers = response.allHeaderFields as? [String: String]
    else { return }
    live.httpCookieStorage?.setCookies(
      HTTPCookie.cookies(withResponseHeaderFields: headers, for: url), for: url, mainDocumentURL: nil)
  }

  private static func redirect(_ response: HTTPURLResponse, _ request: URLRequest) -> URLRequest? {
    guard [301, 302, 303, 307, 308].contains(response.statusCode), let from = request.url,
      let location = response.value(forHTTPHeaderField: "Location"),
      let target = URL(string: location, relativeTo: from)?.absoluteURL
    else { return nil }
    var next = request
    next.url = target
    if response.statusCode == 303 || response.statusCode < 303 && request.httpMethod == "POST" {
      next.httpMethod = "GET"
      next.httpBody = nil
    }
    let dropped = [
      "Authorization", "Connection", "Host", "Proxy-Authenticate", "Proxy-Authorization", "WWW-Authenticate",
    ]
    for name in dropped where Fact.redirectsDropAuthorization.holds { next.setValue(nil, forHTTPHeaderField: name) }
    return next
  }

  /// Asks for a credential, and waits for it on the load's own thread.
  private func demand(_ response: HTTPURLResponse, _ failures: Int) -> URLCredential? {
    guard response.statusCode == 401, let url = response.url,
      let field = response.value(forHTTPHeaderField: "WWW-Authenticate"), field.hasPrefix("Basic realm=\"")
    else { return nil }
    let space = URLProtectionSpace(
      host: url.host ?? "", port: url.port ?? 80, protocol: "http", realm: String(field.dropFirst(13).dropLast()),
      authenticationMethod: NSURLAuthenticationMethodHTTPBasic)
    let sender = NativeSender(task)
    tell(
      .challenge(
        URLAuthenticationChallenge(
          protectionSpace: space, proposedCredential: nil, previousFailureCount: failures, failureResponse: response,
          error: nil, sender: sender)))
    return sender.wait()
  }
}

private final class NativeSender: NSObject, URLAuthenticationChallengeSender, @unchecked Sendable {
  // @unchecked holds because the credential is written before the signal and read after it.
  private let task: URLSessionTask
  private let answered = DispatchSemaphore(value: 0)
  private var credential: URLCredential?

  init(_ task: URLSessionTask) { self.task = task }

  func wait() -> URLCredential? {
    answered.wait()
    return credential
  }

  func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {
    self.credential = credential
    answered.signal()
  }
  func continueWithoutCredential(for challenge: URLAuthenticationChallenge) { answered.signal() }
  func cancel(_ challenge: URLAuthenticationChallenge) {
    task.cancel()
    answered.signal()
  }
  func performDefaultHandling(for challenge: URLAuthenticationChallenge) { answered.signal() }
  func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) { answered.signal() }
}
