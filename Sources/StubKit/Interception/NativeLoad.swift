import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A task in the hands of the system's own loader. Used on the task's queue only.
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

  /// Nil where the system can't be made to take another request for the task's, and for a scheme that it does not load.
  ///
  /// - Parameters:
  ///   - loader: The one that had the task so far.
  ///   - mayFinish: Asked when the new one has come to the end, if it is the first to be redirected to.
  init?(
    _ loader: URLProtocol, redirectedTo request: URLRequest,
    mayFinish: @escaping (URLProtocol, HTTPURLResponse) -> Bool = { _, _ in true }
  ) {
    guard let loader = Platform.nativeLoader(inPlaceOf: loader, redirectedTo: request, mayFinish: mayFinish) else {
      return nil
    }
    self.loader = loader
    work = .loadRedirected(request)
  }

  /// A loader that is done, and has only to say so.
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

  /// False if it is not to be stopped yet.
  func stop() -> Bool { Platform.stop(native: loader) }
}
