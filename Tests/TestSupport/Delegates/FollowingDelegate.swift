import Foundation
import StubKit

/// Follows each redirect, has a credential, and never gives a stream.
package final class FollowingDelegate: NSObject, URLSessionTaskDelegate, Sendable {
  package override init() {}

  package func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) { completionHandler(request) }

  package func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    completionHandler(.useCredential, URLCredential(user: "ann", password: "x", persistence: .none))
  }

  package func urlSession(
    _ session: URLSession, task: URLSessionTask, needNewBodyStream completionHandler: @escaping (InputStream?) -> Void
  ) {
    // It keeps the question, so that nobody takes it for dropped.
    kept.withLock { $0.append(Question(answer: completionHandler)) }
  }

  /// Whether it has been asked for a stream.
  package var isAsked: Bool { kept.withLock { !$0.isEmpty } }

  private struct Question: @unchecked Sendable {
    // Safe because nobody ever answers it.
    let answer: (InputStream?) -> Void
  }

  private let kept = Locked<[Question]>([])
}
