import Foundation

/// Receives the answer to a challenge, from a delegate's completion handler or as the challenge's sender. The first
/// answer counts.
final class ChallengeAnswer: NSObject, URLAuthenticationChallengeSender, Sendable {
  typealias Answer = (disposition: URLSession.AuthChallengeDisposition, credential: URLCredential?)

  private let receiver: OneTime<Answer>

  init(_ receiver: @escaping @Sendable (Answer) -> Void) { self.receiver = OneTime(receiver) }

  func callAsFunction(_ disposition: URLSession.AuthChallengeDisposition, _ credential: URLCredential?) {
    receiver((disposition, credential))
  }

  func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) { self(.useCredential, credential) }

  func continueWithoutCredential(for challenge: URLAuthenticationChallenge) { self(.useCredential, nil) }

  func cancel(_ challenge: URLAuthenticationChallenge) { self(.cancelAuthenticationChallenge, nil) }

  func performDefaultHandling(for challenge: URLAuthenticationChallenge) { self(.performDefaultHandling, nil) }

  func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {
    self(.rejectProtectionSpace, nil)
  }
}
