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
    _ path: String, _ watcher: Watcher = Watcher(), in configuration: URLSessionConfiguration = .staged
  ) async -> [String] {
    Probe.log.withLock { $0 = [] }
    configuration.protocolClasses = [Probe.self]
    await watcher.run(in: configuration) { $0.dataTask(with: URL(string: "probe://x\(path)")!) }
    return Probe.log.current
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

  override class func canInit(with request: URLRequest) -> Bool { request.url?.scheme == "probe" }
  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override func startLoading() {
    let url = request.url!
    Self.note("start \(url.path)")
    if CFRunLoopCopyCurrentMode(CFRunLoopGetCurrent()) != nil { Self.note("in a run loop") }
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

  override func stopLoading() {}
}
