import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A task in the hands of the system's own loader. Used on the task's queue only.
struct NativeLoad {
  private let loader: URLProtocol
  /// The request to load where that is not the task's own.
  private let redirected: URLRequest?

  init(_ loader: URLProtocol) {
    self.loader = loader
    redirected = nil
  }

  /// Nil where the system can't be made to take another request for the task's, and for a scheme that it does not load.
  init?(_ task: URLSessionTask, redirectedTo request: URLRequest) {
    guard let loader = Platform.nativeLoader(for: task, redirectedTo: request) else { return nil }
    self.loader = loader
    redirected = request
  }

  func start() {
    if let redirected { Platform.start(loader, redirectedTo: redirected) } else { loader.startLoading() }
  }

  func pause() { loader.stopLoading() }

  /// False if it is not to be stopped yet: the system's loader traps when it is stopped for a cancellation whose error is
  /// not set.
  func stop() -> Bool {
    guard let task = loader.task, task.state == .canceling else { return true }
    guard task.error != nil else { return false }
    loader.stopLoading()
    return true
  }
}
