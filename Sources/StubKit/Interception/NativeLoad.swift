import Foundation

/// A task that the system's own loader has, or a relay. Use it only on the task's queue.
struct NativeLoad {
  private let work: Work

  private enum Work {
    case load(URLProtocol)
    /// The request is not the task's own.
    case loadRedirected(URLProtocol, URLRequest)
    case finish(URLProtocol)
    /// A task of StubKit's own session loads the request.
    case relay(Relay)
  }

  init(_ loader: URLProtocol) { work = .load(loader) }

  init(_ relay: Relay) { work = .relay(relay) }

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
    guard let native = Platform.nativeLoader(inPlaceOf: loader, redirectedTo: request, mayFinish: mayFinish) else {
      return nil
    }
    work = .loadRedirected(native, request)
  }

  /// Creates a load whose loader is done, and only has to say so.
  init(finishing loader: URLProtocol) { work = .finish(loader) }

  /// The loader, or `nil` for a relay.
  var loader: URLProtocol? {
    switch work {
    case .load(let loader), .loadRedirected(let loader, _), .finish(let loader): loader
    case .relay: nil
    }
  }

  func start() {
    switch work {
    case .load(let loader): loader.startLoading()
    case .loadRedirected(let loader, let request): Platform.start(loader, redirectedTo: request)
    case .finish(let loader): Platform.finish(redirected: loader)
    case .relay(let relay): relay.start()
    }
  }

  /// A relay checks for itself whether its task is suspended.
  func pause() { loader?.stopLoading() }

  /// - Parameter wasPaused: Whether `pause()` was called since the start. A relay can have seen a suspension before.
  func resume(wasPaused: Bool) { if wasPaused || loader == nil { start() } }

  /// Returns `false` if it must not be stopped yet.
  func stop() -> Bool {
    if case .relay(let relay) = work { relay.stop() }
    return loader.map(Platform.stop) ?? true
  }
}
