import Foundation

/// Refuses the redirects of a task that can be cancelled at any time.
///
/// URLSession on Linux traps if a redirect is answered whose task was cancelled after the question. So a cancellation
/// and the answer exclude each other: a task that is being cancelled gets no answer, and needs none.
package final class RedirectRefusal: Sendable {
  private let isCancelled = Protected(false)

  package init() {}

  /// Cancels the task. Don't call this on URLSession's queues.
  package func cancel(_ task: URLSessionTask) {
    isCancelled.withLock { $0 = true }
    task.cancel()
  }

  /// Answers the question whether to follow a redirect of the task.
  ///
  /// - Parameter answer: The completion handler of the question, which only enqueues what follows.
  package func refuse(_ answer: (URLRequest?) -> Void) { isCancelled.withLock { if !$0 { answer(nil) } } }
}
