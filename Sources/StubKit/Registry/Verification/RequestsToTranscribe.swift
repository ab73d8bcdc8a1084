import Foundation

extension StubRegistry {
  /// Returns the requests that a transcript shows, oldest first, and why they may not be all: those that could be sent,
  /// and that certainly meet a condition.
  ///
  /// Waits as a verification does.
  package func requestsToTranscribe(
    _ condition: RequestMatcher
  ) -> (requests: [RecordedRequest], doubts: [String], mistake: String?) {
    if let mistake = condition.mistakeInJournal { return ([], [], mistake) }
    let look = LookBack(at: self)
    let requests = look.sentRequests.map { ObservedRequest($0, of: condition, isVerified: true) }
    let doubts = requests.filter { $0.verdict == nil }
    return (
      requests.filter(\.isMet).map(\.entry), look.reasons(doubts, [], droppedCount: look.droppedCount), nil
    )
  }
}
