import Foundation
import FoundationNetworking

/// What a `URLProtocol` tells its news to.
final class ConnectionClient: NSObject, URLProtocolClient, @unchecked Sendable {
  // @unchecked holds because what changes is touched under `lock` only.
  let task: URLSessionTask
  private let connection: Connection
  private weak var load: Connection.Load?
  private let place: any LoaderPlace
  private let lock = NSLock()
  private var hasEnded = false

  init(_ connection: Connection, _ load: Connection.Load, _ task: URLSessionTask, _ place: any LoaderPlace) {
    self.connection = connection
    self.load = load
    self.task = task
    self.place = place
  }

  private func tell(_ event: Connection.Event, isEnd: Bool = false) {
    place.admitCall()
    lock.withLock {
      if hasEnded { violation("the client was told \(event) after the end of its load") }
      hasEnded = isEnd
    }
    guard let load else { return }
    connection.session.work.async { [connection] in connection.take(event, from: load) }
  }

  func urlProtocol(_ loader: URLProtocol, wasRedirectedTo request: URLRequest, redirectResponse: URLResponse) {
    guard let response = redirectResponse as? HTTPURLResponse else { violation("a redirect is an HTTP response") }
    tell(.redirect(request, response))
  }
  func urlProtocol(_ loader: URLProtocol, cachedResponseIsValid cachedResponse: CachedURLResponse) { place.admitCall() }
  func urlProtocol(
    _ loader: URLProtocol, didReceive response: URLResponse, cacheStoragePolicy policy: URLCache.StoragePolicy
  ) { tell(.response(response)) }
  func urlProtocol(_ loader: URLProtocol, didLoad data: Data) { tell(.data(data)) }
  func urlProtocolDidFinishLoading(_ loader: URLProtocol) { tell(.finish, isEnd: true) }
  func urlProtocol(_ loader: URLProtocol, didFailWithError error: any Error) {
    tell(.fail(rebuilt(error)), isEnd: true)
  }

  /// On Apple platforms an error of the URL domain is a `URLError` in any case.
  private func rebuilt(_ error: any Error) -> any Error {
    if error is URLError { return error }
    let bridged = error as NSError
    let userInfo = Fact.errorIsRebuilt.holds ? bridged.userInfo : [:]
    let rebuilt = NSError(domain: bridged.domain, code: bridged.code, userInfo: userInfo)
    return place.isClassic ? rebuilt : URLError(.unknown, userInfo: [NSUnderlyingErrorKey: rebuilt])
  }
  func urlProtocol(_ loader: URLProtocol, didReceive challenge: URLAuthenticationChallenge) {
    tell(.challenge(challenge))
  }
  func urlProtocol(_ loader: URLProtocol, didCancel challenge: URLAuthenticationChallenge) { place.admitCall() }
}
