import Foundation
import Testing

#if canImport(URLLoading)
  import URLLoading
#endif

/// How the platform does what StubKit relies on, seen by a URLProtocol of nobody's: where one of these fails, it is not
/// as it was taken to be. What a story of StubKit says by itself isn't here. (StubKit is not imported.)
@Suite("A fact of Apple's URL loading system", .inEachLoader, .timeLimit(.minutes(1)), .serialized)
struct FactStories {
  /// Returns what the probe has noted.
  @discardableResult
  private func run(
    _ path: String, _ watcher: Watcher = Watcher(), in configuration: URLSessionConfiguration = .staged,
    on queue: OperationQueue? = nil
  ) async -> [String] {
    Probe.log.withLock { $0 = [] }
    configuration.protocolClasses = [Probe.self]
    await Probe.$isRequester.withValue(true) {
      await watcher.run(in: configuration, on: queue) { $0.dataTask(with: URL(string: "probe://x\(path)")!) }
    }
    return Probe.log.current
  }

  @Test("a class is asked with the task, not on the requester's thread, and again for each redirect")
  func asked() async {
    let log = await run("/redirect")
    Report.fact(
      log.contains("asked for /redirect") && log.contains("asked for /to") && !log.contains("saw the requester"),
      "\(log)")
  }

  @Test("a redirect that is followed starts another load, and stops the old one")
  func anotherLoad() async throws {
    let log = await run("/redirect")
    let isStopped = try await holds(within: .seconds(5)) { Probe.log.current.contains("stop /redirect") }
    Report.fact(isStopped && log.contains("start /redirect") && log.contains("start /to"), "\(Probe.log.current)")
  }

  @Test("an error keeps its domain, its code and its user info, if below another one")
  func errors() async {
    let watcher = Watcher()
    await run("/error", watcher)
    let chain = sequence(first: watcher.error as NSError?) { $0?.userInfo[NSUnderlyingErrorKey] as? NSError }
      .prefix { $0 != nil }.map { "\($0!.domain) \($0!.code)" }
    Report.note("errors of a load that failed with \"probe 7\" over \"below 8\"", "\(chain)")
    Report.fact(chain.suffix(2) == ["probe 7", "below 8"], "\(chain)")
  }

  @Test("the new loader starts a load on the session's delegate queue", .onlyInLoader(classic: false))
  func delegateQueue() async {
    guard !Stage.isClassic else { return }
    let queue = OperationQueue()
    queue.name = "the delegate's"
    queue.maxConcurrentOperationCount = 1
    let log = await run("/plain", on: queue)
    Report.fact(log.contains("on the queue the delegate's"), "\(log)")
  }

  @Test("a GET with a body, in a load of a URLProtocol, has an outcome")
  func bodyOfGET() async {
    let watcher = Watcher()
    let configuration = URLSessionConfiguration.staged
    configuration.protocolClasses = [Probe.self]
    await watcher.run(in: configuration) { session in
      session.dataTask(with: request("GET", URL(string: "probe://x/plain")!, Data("body".utf8)))
    }
    Report.note("a GET with a body", watcher.code.map { "fails with \($0.rawValue)" } ?? "is loaded")
    #expect(["end", "failure"].contains(watcher.events.last))
  }

  @Test("a redirect that is refused leaves the old load's response", .onlyInLoader(classic: true))
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

  @Test("the new loader answers a redirect that is refused by itself", .onlyInLoader(classic: false))
  func newLoaderAnswersByItself() async {
    guard !Stage.isClassic else { return }
    let watcher = Watcher(redirect: { _ in nil })
    await run("/redirect", watcher)
    Report.fact(
      watcher.events == ["redirect /to", "head 302", "end"] && watcher.text == "", "\(watcher.events) \(watcher.text)")
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
}

/// A URLProtocol that notes what it sees.
private final class Probe: URLProtocol {
  static let log = Locked<[String]>([])

  private static func note(_ line: String) { log.withLock { $0.append(line) } }

  /// Whether this is seen where a task was made and resumed.
  @TaskLocal static var isRequester = false

  override class func canInit(with request: URLRequest) -> Bool { request.url?.scheme == "probe" }
  override class func canInit(with task: URLSessionTask) -> Bool {
    guard let request = task.currentRequest, canInit(with: request) else { return false }
    note("asked for \(request.url!.path)")
    if isRequester { note("saw the requester") }
    return true
  }
  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override func startLoading() {
    let url = request.url!
    Self.note("start \(url.path)")
    if let queue = OperationQueue.current?.name { Self.note("on the queue \(queue)") }
    if CFRunLoopCopyCurrentMode(CFRunLoopGetCurrent()) != nil { Self.note("in a run loop") }
    if url.path == "/error" {
      let below = NSError(domain: "below", code: 8)
      let error = NSError(domain: "probe", code: 7, userInfo: [NSUnderlyingErrorKey: below])
      return client?.urlProtocol(self, didFailWithError: error) ?? ()
    }
    let isRedirect = ["/redirect", "/refused"].contains(url.path)
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
    guard isRedirect else { return answer(with: response) }
    let next = URLRequest(url: URL(string: "probe://x/to")!)
    client?.urlProtocol(self, wasRedirectedTo: next, redirectResponse: response)
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
