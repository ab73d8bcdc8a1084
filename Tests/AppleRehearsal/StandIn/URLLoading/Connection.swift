import Foundation
import FoundationNetworking

/// What a task is connected to: the loads that it goes through, one after the other, and what they say.
final class Connection: @unchecked Sendable {
  // @unchecked holds because everything in it is touched on the session's work queue only, but for what never changes.
  private weak var theTask: URLSessionTask?
  let session: URLSession

  /// Kept from the first resumption to the end.
  private var task: URLSessionTask?
  private var load: Load?
  private var pending: [Event] = []
  private var hasBegun = false
  private var isHeld = false
  /// Whether the delegate is thinking about the last event.
  private var isAsking = false
  /// The redirect that is to be decided, until it is.
  private var redirect: Redirect?
  private var isOver = false
  private var buffer = Data()

  /// One load of one request, by a class of the user's or by the system.
  final class Load: @unchecked Sendable {
    // @unchecked holds because the loader is touched where the system loads only, and the rest never changes.
    var custom: URLProtocol?
    var native: NativeLoad?
  }

  /// A redirect, and whether the delegate has been asked about it.
  private struct Redirect {
    let response: HTTPURLResponse
    var isAsked = false
  }

  enum Event {
    case redirect(URLRequest, HTTPURLResponse)
    case response(URLResponse)
    case data(Data)
    case challenge(URLAuthenticationChallenge)
    case finish
    case fail(any Error)
  }

  init(of task: URLSessionTask, _ session: URLSession) {
    theTask = task
    self.session = session
  }

  // MARK: What the task says

  func resume() {
    guard let task = theTask else { return }
    let begin: @Sendable () -> Void = { [self] in
      guard !isOver else { return }
      guard hasBegun else {
        hasBegun = true
        self.task = task
        return prepare(task)
      }
      isHeld = false
      if !Fact.suspensionIsUntold.holds { start(load) }
      drain()
    }
    // Here, where the classes are asked, no task-local of the caller can be seen.
    session.work.async(execute: begin)
  }

  func suspend() {
    session.work.async { [self] in
      isHeld = true
      if !Fact.suspensionIsUntold.holds { stop(load) }
    }
  }

  func cancel() {
    guard let task = theTask else { return }
    session.work.async { [self] in
      self.task = task
      complete(URLError(.cancelled, userInfo: [NSURLErrorFailingURLErrorKey: task.request?.url as Any]))
    }
  }

  // MARK: A load's beginning

  private func prepare(_ task: URLSessionTask) {
    guard case .fromDelegate = task.body, let delegate = delegate else { return ask(for: body(of: task)) }
    session.delegateQueue.addOperation { [self] in
      delegate.urlSession(session, task: task) { [self] stream in
        nonisolated(unsafe) let stream = stream
        session.work.async { [self] in ask(for: stream.map { .stream($0) } ?? .none) }
      }
    }
  }

  enum Body: @unchecked Sendable {
    // @unchecked holds because a stream is handed over, from whoever gave it to the one who reads it.
    case none, data(Data), stream(InputStream), file(URL)
  }

  private func body(of task: URLSessionTask) -> Body {
    switch task.body {
    case .data(let data): return .data(data)
    case .file(let file): return .file(file)
    case .fromDelegate: return .none
    case .ofRequest: return task.request.map { body(of: $0) } ?? .none
    }
  }

  private func body(of request: URLRequest) -> Body {
    request.httpBody.map { .data($0) } ?? request.httpBodyStream.map { .stream($0) } ?? .none
  }

  /// Asks the classes who loads the request.
  private func ask(for body: Body) {
    guard !isOver, let task, let request = task.request else { return }
    let type = session.askedClasses.first {
      Fact.classesAreAskedWithTheTask.holds ? $0.canInit(with: task) : $0.canInit(with: request)
    }
    let completed = completing(request)
    // What comes next comes later: a task may be cancelled in between.
    session.work.async { [self] in
      if isOver { return }
      let load = Load()
      self.load = load
      switch type {
      case nil: complete(URLError(.unsupportedURL, userInfo: [NSURLErrorFailingURLErrorKey: request.url as Any]))
      case is _NSURLHTTPProtocol.Type:
        load.native = NativeLoad(completed, body, of: task) { [weak self, weak load] event in
          guard let self, let load else { return }
          self.session.work.async { self.take(event, from: load) }
        } renew: { [weak self] answer in
          guard let self, let delegate = self.delegate else { return answer(nil) }
          self.session.delegateQueue.addOperation {
            delegate.urlSession(self.session, task: task, needNewBodyStream: answer)
          }
        }
        load.native?.start()
      case let type?:
        let shown = type.canonicalRequest(for: showing(body, in: completed))
        load.custom = type.init(
          request: shown, cachedResponse: nil, client: ConnectionClient(self, load, task, session.place))
        start(load)
      }
    }
  }

  /// The request as it is sent: with what its session adds.
  private func completing(_ request: URLRequest) -> URLRequest {
    var request = request
    let live = session.live
    if Fact.sessionHeadersAreShown.holds {
      for (name, value) in live.httpAdditionalHeaders ?? [:] {
        guard let name = name as? String, let value = value as? String else { continue }
        if request.value(forHTTPHeaderField: name) == nil { request.setValue(value, forHTTPHeaderField: name) }
      }
    }
    if request.httpShouldHandleCookies, live.httpShouldSetCookies, let url = request.url,
      let cookies = live.httpCookieStorage?.cookies(for: url), !cookies.isEmpty
    {
      request.setValue(HTTPCookie.requestHeaderFields(with: cookies)["Cookie"], forHTTPHeaderField: "Cookie")
    }
    return request
  }

  private func showing(_ body: Body, in request: URLRequest) -> URLRequest {
    guard Fact.bodyIsAStream.holds else { return request }
    var request = request
    request.httpBody = nil
    switch body {
    case .none: request.httpBodyStream = nil
    case .data(let data): request.httpBodyStream = InputStream(data: data)
    case .stream(let stream): request.httpBodyStream = stream
    case .file(let file): request.httpBodyStream = InputStream(url: file)
    }
    return request
  }

  private func start(_ load: Load?) {
    guard let load, load.custom != nil else { return }
    session.place.perform { load.custom?.startLoading() }
  }

  private func stop(_ load: Load?) {
    load?.native?.cancel()
    guard let load, load.custom != nil else { return }
    session.place.perform { load.custom?.stopLoading() }
  }

  // MARK: What a load says

  func take(_ event: Event, from load: Load) {
    guard load === self.load, !isOver else { return }
    if load.native == nil, let redirect, answersInPlace(of: redirect, event) { return }
    pending.append(event)
    drain()
  }

  /// What becomes of what a load says while its redirect is to be decided.
  private func answersInPlace(of redirect: Redirect, _ event: Event) -> Bool {
    let isTaken: Bool
    if session.place.isClassic {
      guard !redirect.isAsked else { return false }
      switch Chance.draw(3) {
      case 0: isTaken = true
      case 1: isTaken = false
      default: return false
      }
    } else {
      guard Fact.newLoaderAnswersByItself.holds else { return false }
      isTaken = true
    }
    self.redirect = nil
    isAsking = false
    if isTaken { pending.append(event) } else { pending = [.finish] }
    drain()
    return true
  }

  private func drain() {
    while !isHeld, !isAsking, !isOver, !pending.isEmpty { handle(pending.removeFirst()) }
  }

  private var delegate: (any URLSessionTaskDelegate)? {
    task?.delegate ?? session.delegate as? any URLSessionTaskDelegate
  }

  /// Draws what the classic loader leaves to chance: `REHEARSAL_SEED` in the environment.
  private enum Chance {
    private static let lock = NSLock()
    // Holds: touched under `lock` only.
    nonisolated(unsafe) private static var state =
      UInt64(ProcessInfo.processInfo.environment["REHEARSAL_SEED"] ?? "") ?? 1

    static func draw(_ count: UInt64) -> UInt64 {
      lock.withLock {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return (state >> 33) % count
      }
    }
  }

  private func handle(_ event: Event) {
    guard let task else { return }
    switch event {
    case .redirect(let request, let response): askAbout(request, response, task)
    case .challenge(let challenge): askFor(challenge, task)
    case .response(let response): take(response, task)
    case .data(let data): take(data, task)
    case .finish: complete(nil)
    case .fail(let error): complete(error)
    }
  }

  private func askAbout(_ request: URLRequest, _ response: HTTPURLResponse, _ task: URLSessionTask) {
    isAsking = true
    redirect = Redirect(response: response)
    let answer: @Sendable (URLRequest?) -> Void = { [self] request in
      session.work.async { [self] in
        guard redirect != nil, !isOver else { return }
        redirect = nil
        isAsking = false
        if let request { return follow(request, task) }
        if !Fact.refusedRedirectAnswers.holds { pending = [.fail(URLError(.cancelled))] }
        if !session.place.isClassic, Fact.newLoaderAnswersByItself.holds, load?.native == nil {
          pending = [.response(response), .finish]
        }
        drain()
      }
    }
    guard let delegate, delegate.responds(to: Messages.redirection) else { return answer(request) }
    session.delegateQueue.addOperation { [self] in
      session.work.async { [self] in redirect?.isAsked = true }
      delegate.urlSession(
        session, task: task, willPerformHTTPRedirection: response, newRequest: request, completionHandler: answer)
    }
  }

  private func follow(_ request: URLRequest, _ task: URLSessionTask) {
    if Fact.redirectsStartAnotherLoad.holds { stop(load) }
    load = nil
    pending = []
    task.change { $0.current = request }
    ask(for: body(of: request))
  }

  private func askFor(_ challenge: URLAuthenticationChallenge, _ task: URLSessionTask) {
    let answer: @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void = {
      [session] answer, credential in
      session.work.async {
        switch (answer, credential) {
        case (.useCredential, let credential?): challenge.sender?.use(credential, for: challenge)
        case (.useCredential, nil): challenge.sender?.continueWithoutCredential(for: challenge)
        case (.performDefaultHandling, _): challenge.sender?.performDefaultHandling(for: challenge)
        case (.cancelAuthenticationChallenge, _): challenge.sender?.cancel(challenge)
        case (.rejectProtectionSpace, _): challenge.sender?.rejectProtectionSpaceAndContinue(with: challenge)
        }
      }
    }
    guard let delegate else { return answer(.performDefaultHandling, nil) }
    session.delegateQueue.addOperation { [session] in
      delegate.urlSession(session, task: task, didReceive: challenge, completionHandler: answer)
    }
  }

  private func take(_ response: URLResponse, _ task: URLSessionTask) {
    task.change {
      $0.response = response
      $0.expectedToReceive = response.expectedContentLength
    }
    guard case .none = task.handler, let delegate = delegate as? any URLSessionDataDelegate,
      let dataTask = task as? URLSessionDataTask
    else { return }
    isAsking = true
    session.delegateQueue.addOperation { [self] in
      delegate.urlSession(session, dataTask: dataTask, didReceive: response) { [self] disposition in
        session.work.async { [self] in
          isAsking = false
          if disposition == .cancel { return task.cancel() }
          drain()
        }
      }
    }
  }

  private func take(_ data: Data, _ task: URLSessionTask) {
    task.change { $0.received += Int64(data.count) }
    guard case .none = task.handler, let task = task as? URLSessionDataTask else { return buffer.append(data) }
    guard let delegate = delegate as? any URLSessionDataDelegate else { return }
    session.delegateQueue.addOperation { [session] in delegate.urlSession(session, dataTask: task, didReceive: data) }
  }

  // MARK: The end

  private func complete(_ error: (any Error)?) {
    guard !isOver, let task else { return }
    isOver = true
    stop(load)
    load = nil
    pending = []
    self.task = nil
    task.change {
      $0.state = .completed
      $0.error = error
    }
    let body = buffer
    buffer = Data()
    let delegate = task.delegate ?? session.delegate as? any URLSessionTaskDelegate
    session.delegateQueue.addOperation { [session] in
      task.tellItsEnd(body, error, to: delegate, of: session)
      session.remove(task)
    }
  }
}
