import Foundation

/// A closure that learns of each request of a registry.
///
/// A request keeps the listeners that there were when its client made it, and each of them learns of it once, when
/// everything about the request is known: what answered it, and how it ended. Usually, the client waits for that (see
/// ``StubObservation``). Where nothing can wait, or where the request never gets an answer, its life tells them (see
/// ``RequestLife``).
///
/// The first test to read is "hear of each outcome, once" in `ListeningTests.swift`.
final class RequestListener: Sendable {
  /// The closure, or `nil` after `remove()`.
  private let callback: Protected<Closure<@Sendable (RecordedRequest) -> Void>?>

  init(_ callback: @escaping @Sendable (RecordedRequest) -> Void) { self.callback = Protected(Closure(callback)) }

  /// The last request can let go of it on a queue of URLSession. What the closure has belongs to the user, and can use
  /// URLSession when it is released, which traps there.
  deinit {
    DispatchQueue.global().async { [callback] in _ = callback }
  }

  /// Call this where the user's closures run, and never under a lock.
  func call(_ request: RecordedRequest) { callback.current?.call(request) }

  func remove() { callback.discard { $0.take() } }
}

extension StubRegistry {
  /// Calls a closure for each request that is made from now on, when it is over. See ``HTTPStubs/onRequest(_:)``.
  ///
  /// - Returns: A closure that ends that.
  func onRequest(_ callback: @escaping @Sendable (RecordedRequest) -> Void) -> @Sendable () -> Void {
    let listener = RequestListener { [weak self] request in
      guard let self else { return callback(request) }
      Self.$local.withValue(self) { callback(request) }
    }
    observers.withLock { $0.listeners.append(listener) }
    return { [weak self] in
      listener.remove()
      self?.observers.withLock { $0.listeners.removeAll { $0 === listener } }
    }
  }
}
