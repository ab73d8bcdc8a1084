#if os(Linux)
  import Foundation
  import FoundationNetworking

  /// The system's own loaders, as they were before StubKit was installed.
  struct NativeLoader {
    /// The classes of a default configuration: HTTP, FTP, WebSocket.
    let classes: [AnyClass]
    private let identities: Set<ObjectIdentifier>

    /// Must be read before the configuration hook is installed.
    static let system = NativeLoader(classes: URLSessionConfiguration.default.protocolClasses ?? [])

    init(classes: [AnyClass]) {
      self.classes = classes.filter { $0 as? StubURLProtocol.Type == nil }
      identities = Set(self.classes.map { ObjectIdentifier($0) })
    }

    func contains(_ loader: AnyClass) -> Bool { identities.contains(ObjectIdentifier(loader)) }

    func loads(_ request: URLRequest) -> Bool {
      classes.contains { ($0 as? URLProtocol.Type)?.canInit(with: request) == true }
    }

    /// Returns a loader that does with this task what the system would do without StubKit, or `nil` for a scheme that
    /// the system doesn't load. Call this on the task's work queue.
    func loader(
      for task: URLSessionTask, request: URLRequest? = nil, cachedResponse: CachedURLResponse?,
      client: (any URLProtocolClient)? = nil
    ) -> URLProtocol? {
      guard let request = request ?? task.currentRequest else { return nil }
      let loader = classes.lazy.compactMap { $0 as? URLProtocol.Type }.first { $0.canInit(with: request) }
      return loader?.init(task: task, cachedResponse: cachedResponse, client: client)
    }
  }
#endif
