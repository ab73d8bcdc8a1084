import Foundation
import StubKit

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
    super.init()
  }

  override func text(of event: DelegateEvent) -> String? {
    switch event {
    case .redirect(let response, let request):
      return "redirect \(response.statusCode) \(request.httpMethod ?? "") \(request.url?.absoluteString ?? "")"
    case .challenge(let challenge):
      let space = challenge.protectionSpace
      return "challenge \(space.host):\(space.port) \(space.realm ?? "") after \(challenge.previousFailureCount)"
        + (challenge.proposedCredential.map { ", proposing \($0.user ?? "")" } ?? "")
    default: return super.text(of: event)
    }
  }

  override func answer(to response: HTTPURLResponse, _ request: URLRequest) -> URLRequest? {
    redirect(response, request)
  }

  override func answer(to challenge: URLAuthenticationChallenge) -> ChallengeAnswer? { self.challenge(challenge) }
}
