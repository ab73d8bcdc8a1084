import StubKitFormats

#if os(Linux)
  import Foundation
  import FoundationNetworking

  /// Starts the load of an async call inside `resume()`, on the caller's thread.
  ///
  /// URLSession creates a loader in the first `resume()` of a task. It starts the loader in a block on the task's work
  /// queue. Meanwhile the caller of `data(for:)` suspends, and two threads have to wake up before it continues. A load
  /// that starts and ends in the initializer of its loader needs no other thread.
  ///
  /// It is also the one place where completing an async call can't deadlock. `data(for:)` and its siblings call
  /// `resume()` in the closure of their continuation, and `resume()` holds the work queue. The closure therefore hasn't
  /// returned, and the caller isn't suspended yet. Resuming the continuation only changes its state, and takes no lock
  /// of the Swift task, whoever cancels that task meanwhile, and whatever the cancellation handlers do.
  ///
  /// Loads with a completion handler or a delegate don't start early, although they would take less time. On a busy
  /// machine, most handlers would run before `resume()` returns, and code that relies on the opposite would fail.
  struct EarlyStart: Sendable {
    /// The lock that URLSession holds while it creates the loader, and needs at the end of the load.
    private let lock: StoredField<NSLock>

    init?(lock name: String = "_protocolLock") {
      guard let lock = StoredField<NSLock>(name, of: URLSessionTask.self) else { return nil }
      self.lock = lock
    }

    func locking<R>(_ task: URLSessionTask, _ body: () -> R) -> R { lock.load(from: task).withLock(body) }

    /// Runs a closure if the task is in its first `resume()`, and the lock is held as expected. Call this in the
    /// initializer of the task's loader, on the task's work queue.
    func run(for task: URLSessionTask, _ body: () -> Void) {
      // A task without a loader is running only inside the `resume()` that creates the loader.
      guard task.state == .running else { return }
      let lock = lock.load(from: task)
      if lock.try() { return lock.unlock() }
      // Holds: this thread has the lock, because URLSession takes it only on the work queue before the loader exists.
      lock.unlock()
      body()
      lock.lock()
    }
  }

  /// The part of StubKit's protocol class that exists on Linux only.
  class PlatformLoader: URLProtocol {
    /// A Boolean value that indicates whether an async call created the task, and the initializer has determined how
    /// the call is completed.
    final var isOfAsyncCall = false

    required convenience init(
      task: URLSessionTask, cachedResponse: CachedURLResponse?, client: (any URLProtocolClient)?
    ) {
      guard let request = task.originalRequest else { fatalError("A task without a request can't be loaded.") }
      self.init(request: request, cachedResponse: cachedResponse, client: client)
      self.task = task
      Platform.created(self, for: task)
    }
  }

  extension Platform {
    /// Completes an async call inside `resume()` if its response is immediate, otherwise on the delegate queue.
    fileprivate static func created(_ loader: PlatformLoader, for task: URLSessionTask) {
      guard let completion = internals?.inlineCompletion, mechanisms.currentQueue?.isWorkQueue == true,
        completion.isSet(for: task)
      else { return }
      loader.isOfAsyncCall = true
      if let start = internals?.earlyStart, let loader = loader as? StubURLProtocol {
        start.run(for: task) {
          guard loader.startEarly() else { return }
          // URLSession keeps the loader until the task is gone, and calls it once more. There is nothing left to do.
          loader.task = nil
          loader.client = nil
        }
      }
      completion.clear(for: task)
    }
  }
#endif
