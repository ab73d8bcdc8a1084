import Foundation

/// A task that the system's own loader has. Use it only on the task's queue.
struct NativeLoad {
  let loader: URLProtocol
  private let work: Work

  private enum Work {
    case load
    /// The request is not the task's own.
    case loadRedirected(URLRequest)
    case finish
  }

  init(_ loader: URLProtocol) {
    self.loader = loader
    work = .load
  }

  /// Returns `nil` if the system can't be made to take another request as the task's, and for a scheme that it
  /// doesn't load.
  ///
  /// - Parameters:
  ///   - loader: The loader that had the task until now.
  ///   - mayFinish: A closure that is called when the new loader has reached the end, if it is the first to be
  ///     redirected to.
  init?(
    _ loader: URLProtocol, redirectedTo request: URLRequest,
    mayFinish: @escaping (URLProtocol, HTTPURLResponse) -> Bool = { _, _ in true }
  ) {
    let native = Platform.nativeLoader(
inPlaceOf: loader, redirectedTo: request, mayFinish: mayFinish)
    guard let loader = native else { return nil }
    self.loader = loader
    work = .loadRedirected(request)
  }

  /// Creates a load whose loader is done, and only has to say so.
  init(finishing loader: URLProtocol) {
    self.loader = loader
    work = .finish
  }

  func start() {
    switch work {
    case .load: loader.startLoading()
    case .loadRedirected(let request): Platform.start(loader, redirectedTo: request)
    case .finish: Platform.finish(redirected: loader)
    }
  }

  func pause() { loader.stopLoading() }

  /// Returns `false` if it must not be stopped yet.
  func stop() -> Bool { Platform.stop(native: loader) }
}
