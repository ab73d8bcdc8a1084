import Dispatch
import Foundation

/// The observation of one request, from the moment when its stub was chosen, or when none was.
///
/// Its members call the user's code, so don't call them under a lock or on a queue of URLSession.
final class StubObservation: Sendable {
  private final class Subject: Sendable {
    let observers: StubObservers
    let request: URLRequest
    let stub: Stub?
    let response: StubResponse?
    let journal: RequestJournal
    let entry: RequestJournal.EntryID

    init(
      _ observers: StubObservers, _ request: URLRequest, _ stub: Stub?, _ response: StubResponse?,
      _ journal: RequestJournal, _ entry: RequestJournal.EntryID
    ) {
      self.observers = observers
      self.request = request
      self.stub = stub
      self.response = response
      self.journal = journal
      self.entry = entry
    }

    /// Calls the stub's own callback, if it has one, because the request is over.
    func tellStub(_ error: (any Error)?) {
      guard let stub, let response, let callback = stub.calls.onFinish.withLock({ $0 }) else { return }
      let outcome = error.map { .failed($0) } ?? RecordedRequest.Outcome.answered(status: response.status)
      callback(
        journal.record(entry, endingWith: outcome)
          ?? RecordedRequest(
            request: request, body: request.stubBody, stub: stub.reference, match: nil, isInferred: false,
            startedAt: Date(), duration: nil, outcome: outcome))
    }
  }

  private let isOver = Protected(false)
  // Holds: retained by init, and released once, on behalf of deinit.
  private let subject: Unmanaged<Subject>

  /// - Parameter stub: The stub, or `nil` for an unmatched request.
  init(
    _ observers: StubObservers, request: URLRequest, stub: Stub?, response: StubResponse?, journal: RequestJournal,
    entry: RequestJournal.EntryID
  ) {
    subject = .passRetained(Subject(observers, request, stub, response, journal, entry))
  }

  /// This can run on a queue of URLSession. What the stub, the response and the callbacks hold belongs to the user,
  /// and can use URLSession when it is released, which traps there.
  deinit {
    DispatchQueue.global().async { [subject] in subject.release() }
  }

  func begin() { tell { $0.stub == nil ? .missing : .activation } }

  /// Ends with a redirect, unless the observation is over.
  func redirect(to request: URLRequest) { endOnce { tell(redirected: request) { _ in .redirect } } }

  /// Does nothing if the observation is over, or if there is no stub whose answer could end.
  func end(_ error: (any Error)?) { endOnce { tell(error: error) { $0.stub == nil ? nil : .finish } } }

  /// Ends with an outcome that nothing can delay, such as a cancellation, elsewhere than on the queue of the request.
  func endLater(_ outcome: RecordedRequest.Outcome, in registry: StubRegistry, on queue: any DeliveryQueue) {
    let error = outcome == .cancelled ? URLError(.cancelled) : outcome.error
    queue.begin()
    WorkerPool.closures.run {
      StubRegistry.$local.withValue(registry) { self.end(error) }
      queue.end()
    }
  }

  private func endOnce(_ tell: () -> Void) {
    let wasOver = isOver.withLock { isOver in
      defer { isOver = true }
      return isOver
    }
    if !wasOver { tell() }
  }

  private func tell(
    redirected: URLRequest? = nil, error: (any Error)? = nil, _ kind: (Subject) -> StubEvent.Kind?
  ) {
    let subject = subject.takeUnretainedValue()
    guard let kind = kind(subject) else { return }
    subject.observers.tell(
      StubEvent(
        kind: kind, request: subject.request, stub: subject.stub, response: subject.response,
        redirected: redirected, error: error))
    if kind == .finish || kind == .redirect { subject.tellStub(error) }
  }
}
