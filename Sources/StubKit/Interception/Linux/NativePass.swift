#if os(Linux)
  import Foundation
  import FoundationNetworking

  /// Passing a task's request to the system's own loader.
  extension TaskClient {
    /// Returns `true`: the system's loader takes the task.
    func passNatively(_ exchange: Exchange) -> Bool {
      // It has to be created with what the session's cache contains, because StubKit has skipped the look-up.
      guard Platform.internals != nil, task is URLSessionDataTask, let request = task.currentRequest,
        let cache = Platform.configuration(of: task)?.urlCache
      else {
        pass(of: exchange)
        return true
      }
      guard exchange.wait() else { return true }
      queue.away {
        cache.cachedResponse(for: request)
      } then: { [self] cached in
        if exchange.state.isUndecided { pass(of: exchange, cached: cached) }
      }
      return true
    }

    private func pass(of exchange: Exchange, cached: CachedURLResponse? = nil) {
      counts.resetForSystemLoader()
      // The system decides when it completes the task.
      Platform.internals?.task.completeOnDelegateQueue(task)
      let native = NativeLoader.system.loader(
        for: task, cachedResponse: cached ?? loader.cachedResponse, client: loader.client as? EndingClient)
      guard let native else { return exchange.fail(with: URLError.unsupported(loader.request)) }
      exchange.pass(to: NativeLoad(native))
    }
  }

  /// A task that the system's own loader has. Use it only on the task's queue.
  final class NativeLoad: NetworkLoad {
    private let loader: URLProtocol
    private var isRunning = false

    init(_ loader: URLProtocol) { self.loader = loader }

    func start() {
      guard !isRunning else { return }
      isRunning = true
      loader.startLoading()
    }

    func pause() {
      isRunning = false
      loader.stopLoading()
    }

    /// The loader can't be stopped for a cancellation before the task's error is set, because it traps then.
    func leave() -> Bool {
      guard let task = loader.task, task.state == .canceling else { return true }
      guard task.error != nil else { return false }
      loader.stopLoading()
      return true
    }
  }
#endif
