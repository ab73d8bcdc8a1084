import Dispatch
import Foundation

/// The observation of one request, from the moment when its stub was chosen, or when none was.
///
/// Its members call the user's code, so don't call them under a lock or on a queue of URLSession.
final class StubObservation: ExchangeListener {
  struct Subject: Sendable {
    let request: URLRequest
    /// The stub, or `nil` for an unmatched request.
    let stub: Stub?
    let response: StubResponse?
    let registry: StubRegistry
    let entry: JournalEntry
  }

  private final class Box: Sendable {
    let subject: Subject

    init(_ subject: Subject) { self.subject = subject }
  }

  private let isOver = Protected(false)
  // Safe because it is retained by init, and released once, on behalf of deinit.
  private let box: Unmanaged<Box>

  init(_ subject: Subject) { box = .passRetained(Box(subject)) }

  /// This can run on a queue of URLSession. What the stub, the response and the callbacks hold belongs to the user,
  /// and can use URLSession when it is released, which traps there.
  deinit {
    DispatchQueue.global().async { [box] in box.release() }
  }

  private var subject: Subject { box.takeUnretainedValue().subject }

  func willBegin() { tell(subject.stub == nil ? .missing : .activation) }

  func willEnd(_ error: (any Error)?, redirectedTo request: URLRequest?) -> (@Sendable () -> Void)? {
    isOver.withLock(\.self) ? nil : { @Sendable in self.end(error, redirectedTo: request) }
  }

  /// If the observers have not learned of the end yet, because nothing could delay it, they learn of it elsewhere than
  /// on the queue of the request.
  func ended(_ outcome: RecordedRequest.Outcome, sentLength: Int?, callbacks: RequestCallbacks?) {
    guard !isOver.withLock(\.self) else { return }
    let error = outcome == .cancelled ? URLError(.cancelled) : outcome.error
    let (registry, timeline) = (subject.registry, subject.entry.timeline)
    let begun = timeline.begin()
    WorkerPool.closures.run {
      StubRegistry.$local.withValue(registry) { self.end(error, redirectedTo: nil) }
      timeline.end(begun)
    }
  }

  /// Ends the observation, unless it is over. Without a stub, there is no answer whose end matters.
  private func end(_ error: (any Error)?, redirectedTo request: URLRequest?) {
    let wasOver = isOver.withLock { isOver in
      defer { isOver = true }
      return isOver
    }
    let subject = subject
    guard !wasOver, let stub = subject.stub else { return }
    tell(request == nil ? .finish : .redirect, redirected: request, error: error)
    guard let response = subject.response, let callback = stub.calls.onFinish.withLock(\.self) else { return }
    callback.call(subject.entry.request(endingWith: error, status: response.status))
  }

  private func tell(_ kind: StubEvent.Kind, redirected: URLRequest? = nil, error: (any Error)? = nil) {
    let subject = subject
    subject.registry.observers.tell(
      StubEvent(
        kind: kind, request: subject.request, stub: subject.stub, response: subject.response,
        redirected: redirected, error: error))
  }
}

/// The observers of a registry's requests: its callbacks, and the readers of its events.
final class StubObservers: Sendable {
  private struct State {
    var callbacks: [StubEvent.Kind: Closure<@Sendable (StubEvent) -> Void>] = [:]
    var readers: [UUID: AsyncStream<StubEvent>.Continuation] = [:]
    /// A Boolean value that indicates whether some stub has a callback of its own.
    var watchesStubs = false
  }
  private let state = Protected(State())

  deinit {
    for reader in state.withLock({ $0.readers }).values { reader.finish() }
  }

  var isEmpty: Bool { state.withLock { $0.callbacks.isEmpty && $0.readers.isEmpty && !$0.watchesStubs } }

  func watchStubs() { state.withLock { $0.watchesStubs = true } }

  /// Sets the callback for the events of a kind, and how to call it.
  func set<Callback: Sendable>(
    _ kind: StubEvent.Kind, _ callback: Callback?, _ call: @escaping @Sendable (Callback, StubEvent) -> Void
  ) {
    var callback = callback.map { callback in Closure<@Sendable (StubEvent) -> Void> { call(callback, $0) } }
    // The values that the old callback holds belong to the user, and are released outside the lock.
    state.withLock { swap(&$0.callbacks[kind], &callback) }
  }

  func makeReader() -> AsyncStream<StubEvent> {
    let id = UUID()
    let (stream, reader) = AsyncStream.makeStream(of: StubEvent.self, bufferingPolicy: .bufferingNewest(10_000))
    reader.onTermination = { [weak self] _ in
      let reader = self?.state.withLock { $0.readers.removeValue(forKey: id) }
      _ = consume reader
    }
    state.withLock { $0.readers[id] = reader }
    return stream
  }

  /// Calls the user's code.
  func tell(_ event: StubEvent) {
    let (callback, readers) = state.withLock { ($0.callbacks[event.kind], $0.readers) }
    for reader in readers.values { reader.yield(event) }
    callback?.call(event)
  }
}
