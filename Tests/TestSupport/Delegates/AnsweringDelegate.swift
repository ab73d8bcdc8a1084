import Foundation
import StubKit
import Testing

/// A delegate that answers what a load asks it, and writes down what it is told.
package final class AnsweringDelegate: DelegateEvents, @unchecked Sendable {
  // @unchecked holds because nothing of it changes.
  package typealias ChallengeAnswer = (URLSession.AuthChallengeDisposition, URLCredential?)

  private let redirect: @Sendable (HTTPURLResponse, URLRequest) -> URLRequest?
  private let challenge: @Sendable (URLAuthenticationChallenge) -> ChallengeAnswer?

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

  package override func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
  ) {
    note("redirect \(response.statusCode) \(request.httpMethod ?? "") \(request.url?.absoluteString ?? "")")
    completionHandler(redirect(response, request))
  }

  package override func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    let space = challenge.protectionSpace
    note(
      "challenge \(space.host):\(space.port) \(space.realm ?? "") after \(challenge.previousFailureCount)"
        + (challenge.proposedCredential.map { ", proposing \($0.user ?? "")" } ?? ""))
    if let (disposition, credential) = self.challenge(challenge) { completionHandler(disposition, credential) }
  }
}
