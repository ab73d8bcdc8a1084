import Foundation
import Testing

#if canImport(ObjectiveC)
  import ObjectiveC
#endif

#if canImport(URLLoading)
  import URLLoading
#endif

/// The facts on which StubKit relies, each seen by a URLProtocol of nobody's: where one of these fails, the platform is
/// not as it was taken to be. (StubKit is not imported here.)
@Suite("A fact of Apple's URL loading system", .inEachLoader, .timeLimit(.minutes(1)), .serialized)
struct FactStories {
  @TaskLocal fileprivate static var local = "nobody"

  /// Returns what the probe has noted.
  @discardableResult
  private func run(
    _ path: String, _ watcher: Watcher = Watcher(), in configuration: URLSessionConfiguration = .staged,
    _ change: (inout URLRequest) -> Void = { _ in }
  ) async -> [String] {
    Probe.log.withLock { $0 = [] }
    var request = URLRequest(url: URL(string: "probe://x\(path)")!)
    change(&request)
    configuration.protocolClasses = [Probe.self]
    await Self.$local.withValue("me") { await watcher.run(in: configuration) { $0.dataTask(with: request) } }
    return Probe.log.current
  }

  @Test("canInit(with: task) is asked where no task-local of the requester is seen")
  func asksOnItsOwnQueue() async {
    let log = await run("/plain")
    Report.fact(log.contains("asked by nobody for /plain") && !log.contains { $0.hasPrefix("asked by me") }, "\(log)")
  }

  @Test("it is asked again for what a redirect leads to, and the old load is stopped")
  func asksAgainAfterARedirect() async {
    let watcher = Watcher()
    let log = await run("/redirect", watcher)
    Report.fact(
      log.contains("asked by nobody for /to") && log.contains("stop /redirect") && watcher.text == "to", "\(log)")
  }

  @Test("a redirect that is refused leaves the old load's response")
  func refusedRedirectAnswers() async {
    guard Stage.isClassic else { return }
    let watcher = Watcher(redirect: { _ in
      Probe.rest.current?()
      return nil
    })
    await run("/refused", watcher)
    Report.fact(
      watcher.events == ["redirect /to", "head 302", "data", "end"] && watcher.text == "refused",
      "\(watcher.events) \(watcher.text)")
  }

  @Test("the new loader answers a redirect that is refused by itself")
  func newLoaderAnswersByItself() async {
    guard !Stage.isClassic else { return }
    let watcher = Watcher(redirect: { _ in nil })
    await run("/redirect", watcher)
    Report.fact(
      watcher.events == ["redirect /to", "head 302", "end"] && watcher.text == "", "\(watcher.events) \(watcher.text)")
  }

  #if canImport(URLLoading)
    // On a Mac it is left to chance, and may be too rare to be seen.
    @Test("what a load says right after a redirect can be taken in its place")
    func sayingMoreRaces() async {
      var texts: Set<String> = []
      for _ in 0..<50 {
        let watcher = Watcher()
        await run("/racing", watcher)
        texts.insert(watcher.text)
      }
      Report.fact(Stage.isClassic ? texts != ["to"] : texts == ["racing"], "\(texts)")
    }
  #endif

  @Test("a redirect of a server drops Authorization, and keeps other fields")
  func redirectsDropAuthorization() async throws {
    let server = try Server(answer: Server.redirecting)
    var request = URLRequest(url: server.url("/from"))
    for name in ["Authorization", "Proxy-Authorization", "X-Own"] { request.setValue("own", forHTTPHeaderField: name) }
    let watcher = Watcher()
    await watcher.run { $0.dataTask(with: request) }
    let headers = server.requests.last?.headers ?? [:]
    Report.note("Proxy-Authorization after a redirect", headers["proxy-authorization"] ?? "dropped")
    Report.fact(
      server.lines.last == "GET /to" && headers["authorization"] == nil && headers["x-own"] == "own", "\(headers)")
  }

  @Test("a body that is sent again is asked for again if it was a stream")
  func streamsAreAskedForAgain() async throws {
    let server = try Server { $0.headers["authorization"] == nil ? .demand : .init(body: $0.body) }
    var request = request("POST", server.url("/up"))
    request.httpBodyStream = InputStream(data: Data("first".utf8))
    let watcher = Watcher(
      credential: URLCredential(user: "ann", password: "pw", persistence: .none), body: Data("second".utf8))
    await watcher.run { $0.dataTask(with: request) }
    Report.fact(watcher.text == "second", "\(watcher.events) \(watcher.text)")
  }

  @Test("a GET with a body fails")
  func bodyOfGETFails() async throws {
    let server = try Server()
    let request = request("GET", server.url("/"), Data("body".utf8))
    let watcher = Watcher()
    await watcher.run { $0.dataTask(with: request) }
    Report.fact(watcher.code == .dataLengthExceedsMaximum, "\(watcher.events) \(watcher.text)")
  }

  @Test("a body comes as a stream")
  func bodyIsAStream() async {
    let log = await run("/plain") {
      $0.httpMethod = "POST"
      $0.httpBody = Data("x".utf8)
    }
    Report.fact(log.contains("body in a stream"), "\(log)")
  }

  @Test("suspending and resuming is not told, and what is said meanwhile is held back")
  func suspensionIsUntold() async {
    let watcher = Watcher(atStep: { step, task in
      guard step == 1 else { return }
      task.suspend()
      DispatchQueue.global().async { task.resume() }
    })
    let log = await run("/plain", watcher)
    Report.fact(
      log.filter { $0 == "start /plain" }.count == 1 && watcher.text == "plain", "\(watcher.events) \(watcher.text)")
  }

  @Test("a task that is cancelled when it is known who loads it is not started")
  func cancelledLoadNeverStarts() async {
    Probe.log.withLock { $0 = [] }
    let watcher = Watcher()
    let configuration = URLSessionConfiguration.staged
    configuration.protocolClasses = [Probe.self]
    let session = URLSession(configuration: configuration, delegate: watcher, delegateQueue: nil)
    await watcher.run(session.dataTask(with: URL(string: "probe://x/cancelled")!))
    let code = watcher.code
    // A load that was started in spite of it has been by the time the next one is answered.
    await watcher.run(session.dataTask(with: URL(string: "probe://x/plain")!))
    session.finishTasksAndInvalidate()
    Report.fact(code == .cancelled && !Probe.log.current.contains("start /cancelled"), "\(Probe.log.current)")
  }

  @Test("what a load fails with arrives as an error of the same domain, code and user info")
  func errorsAreRebuilt() async {
    let watcher = Watcher()
    await run("/failing", watcher)
    let outer = watcher.error.map { $0 as NSError }
    let error = outer?.domain == "Probe" ? outer : outer?.userInfo[NSUnderlyingErrorKey] as? NSError
    Report.fact(
      error?.domain == "Probe" && error?.code == 7 && error?.userInfo["own"] as? String == "value"
        && !(watcher.error is ProbeError), "\(String(describing: watcher.error))")
  }

  @Test("the session's own headers are in the request")
  func sessionHeadersAreShown() async {
    let configuration = URLSessionConfiguration.staged
    configuration.httpAdditionalHeaders = ["X-Session": "yes"]
    let log = await run("/plain", in: configuration)
    Report.fact(log.contains("X-Session: yes"), "\(log)")
  }

  @Test(
    "the classic loader calls a load on a thread with a run loop, the new one where none runs",
    arguments: [true, false])
  func runLoops(isClassic: Bool) async {
    guard #available(macOS 15.4, iOS 18.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *) else { return }
    let configuration = URLSessionConfiguration.staged
    configuration.usesClassicLoadingMode = isClassic
    let log = await run("/plain", in: configuration)
    Report.fact(log.contains("in a run loop") == isClassic, "\(log)")
  }

  @Test("a session can be read from its task: as a property, or in the new loader as a variable")
  func sessionCanBeRead() {
    let session = URLSession(configuration: .staged)
    let task = session.dataTask(with: URL(string: "probe://x/")!)
    let hasProperty = task.responds(to: Selector(("session")))
    let hasVariable = class_getInstanceVariable(object_getClass(task), "_session") != nil
    let isKnown = hasProperty || hasVariable
    Report.fact(isKnown && task.value(forKey: "session") as AnyObject? === session, "property: \(hasProperty)")
    session.invalidateAndCancel()
  }

  @Test("loads without a task ask canInit(with: request)")
  func taskless() async throws {
    let server = try Server()
    _ = URLProtocol.registerClass(Probe.self)
    defer { URLProtocol.unregisterClass(Probe.self) }
    Probe.log.withLock { $0 = [] }
    let url = server.url("/taskless")
    let data = try? await onOwnThread {
      try NSURLConnection.sendSynchronousRequest(URLRequest(url: url), returning: nil)
    }
    Report.fact(
      data == Data("real".utf8) && Probe.log.current.contains("asked without a task for /taskless"),
      "\(Probe.log.current)")
  }

  @Test("a WebSocket asks by HTTP")
  func webSocketsAskByHTTP() async throws {
    guard Stage.isClassic else { return }
    let server = try Server()
    let configuration = URLSessionConfiguration.staged
    configuration.protocolClasses = [SchemeProbe.self] + (configuration.protocolClasses ?? [])
    let url = URL(string: "ws://127.0.0.1:\(server.port)/")!
    await Watcher().run(in: configuration) { $0.webSocketTask(with: url) }
    Report.fact(SchemeProbe.schemes.current.contains("http"), "\(SchemeProbe.schemes.current)")
  }

  @Test("a session's configuration is a copy")
  func configurationIsCopied() async {
    let configuration = URLSessionConfiguration.staged
    configuration.protocolClasses = [Probe.self]
    let watcher = Watcher()
    await watcher.run(in: configuration) {
      configuration.protocolClasses = []
      return $0.dataTask(with: URL(string: "probe://x/plain")!)
    }
    Report.fact(watcher.text == "plain", "\(watcher.events) \(watcher.text)")
  }
}

/// A URLProtocol that notes how WebSockets ask, and loads nothing.
private final class SchemeProbe: URLProtocol {
  static let schemes = Locked<[String]>([])

  override class func canInit(with request: URLRequest) -> Bool { false }
  override class func canInit(with task: URLSessionTask) -> Bool {
    schemes.withLock { $0.append(task.currentRequest?.url?.scheme ?? "none") }
    return false
  }
}

private struct ProbeError: CustomNSError {
  static let errorDomain = "Probe"
  let errorCode = 7
  var errorUserInfo: [String: Any] { ["own": "value"] }
}

/// A URLProtocol that notes what it sees.
private final class Probe: URLProtocol {
  static let log = Locked<[String]>([])

  private static func note(_ line: String) { log.withLock { $0.append(line) } }

  private static func takes(_ request: URLRequest) -> Bool {
    guard request.url?.scheme == "probe" else { return false }
    note("asked by \(FactStories.local) for \(request.url?.path ?? "")")
    return true
  }

  override class func canInit(with request: URLRequest) -> Bool {
    note("asked without a task for \(request.url?.path ?? "")")
    return takes(request)
  }
  override class func canInit(with task: URLSessionTask) -> Bool {
    if task.currentRequest?.url?.path == "/cancelled" { task.cancel() }
    return task.currentRequest.map(takes) ?? false
  }
  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override func startLoading() {
    let url = request.url!
    Self.note("start \(url.path)")
    if CFRunLoopCopyCurrentMode(CFRunLoopGetCurrent()) != nil { Self.note("in a run loop") }
    if request.httpBodyStream != nil { Self.note("body in a stream") }
    if let header = request.value(forHTTPHeaderField: "X-Session") { Self.note("X-Session: \(header)") }
    if url.path == "/failing" { return client?.urlProtocol(self, didFailWithError: ProbeError()) ?? () }
    let isRedirect = ["/redirect", "/refused", "/racing"].contains(url.path)
    let response = HTTPURLResponse(url: url, statusCode: isRedirect ? 302 : 200, httpVersion: nil, headerFields: nil)!
    if url.path == "/refused" {
      // Where the load was started, after the delegate has been asked.
      let place = Place(loader: self, runLoop: CFRunLoopGetCurrent())
      Self.rest.withLock {
        $0 = {
          CFRunLoopPerformBlock(place.runLoop, CFRunLoopMode.commonModes.rawValue) {
            place.loader.answer(with: response)
          }
          CFRunLoopWakeUp(place.runLoop)
        }
      }
    }
    if isRedirect {
      let next = URLRequest(url: URL(string: "probe://x/to")!)
      client?.urlProtocol(self, wasRedirectedTo: next, redirectResponse: response)
    }
    if !["/redirect", "/refused"].contains(url.path) { answer(with: response) }
  }

  private struct Place: @unchecked Sendable {
    // @unchecked holds because the loader is touched in the run loop only.
    let loader: Probe
    let runLoop: CFRunLoop
  }

  /// What is said of the load that answers /refused.
  static let rest = Locked<(@Sendable () -> Void)?>(nil)

  private func answer(with response: HTTPURLResponse) {
    client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
    client?.urlProtocol(self, didLoad: Data(request.url!.lastPathComponent.utf8))
    client?.urlProtocolDidFinishLoading(self)
  }

  override func stopLoading() { Self.note("stop \(request.url!.path)") }
}
