import Foundation
import StubKit
import Testing

/// A delegate that answers what a load asks it, and writes down what it is told.
package final class AnsweringDelegate: NSObject, URLSessionDataDelegate {
  package typealias ChallengeAnswer = (URLSession.AuthChallengeDisposition, URLCredential?)

  private let redirect: @Sendable (HTTPURLResponse, URLRequest) -> URLRequest?
  private let challenge: @Sendable (URLAuthenticationChallenge) -> ChallengeAnswer?
  private let events = Locked<[String]>([])
  private let (completions, completion) = AsyncStream.makeStream(of: Void.self)

  /// - Parameter challenge: Nil leaves the challenge without an answer.
  package init(
    redirect: @escaping @Sendable (HTTPURLResponse, URLRequest) -> URLRequest? = { $1 },
    challenge: @escaping @Sendable (URLAuthenticationChallenge) -> ChallengeAnswer? = { _ in
      (.performDefaultHandling, nil)
    }
  ) {
    self.redirect = redirect
    self.challenge = challenge
  }

  package var told: [String] { events.withLock { $0 } }

  package func untilCompletion() async throws -> [String] {
    try await next(of: completions, when: "the task is complete")
    return told
  }

  private func note(_ event: String) { events.withLock { $0.append(event) } }

  package func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
  ) {
    note("redirect \(response.statusCode) \(request.httpMethod ?? "") \(request.url?.absoluteString ?? "")")
    completionHandler(redirect(response, request))
  }

  package func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    let space = challenge.protectionSpace
    note(
      "challenge \(space.host):\(space.port) \(space.realm ?? "") after \(challenge.previousFailureCount)"
        + (challenge.proposedCredential.map { ", proposing \($0.user ?? "")" } ?? ""))
    if let (disposition, credential) = self.challenge(challenge) { completionHandler(disposition, credential) }
  }

  package func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    note("head \((response as? HTTPURLResponse)?.statusCode ?? 0)")
    completionHandler(.allow)
  }

  package func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    note("data \(String(decoding: data, as: UTF8.self))")
  }

  package func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    note(error.map { "error \(($0 as NSError).domain) \(($0 as NSError).code)" } ?? "complete")
    completion.yield()
  }
}
