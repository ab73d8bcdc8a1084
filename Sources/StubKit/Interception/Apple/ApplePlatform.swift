#if canImport(Darwin)
  import Foundation

  /// What the loads need of Apple's Foundation: little, since its URL loading system is what `URLProtocol` was made for.
  enum Platform {
    static func install() {
      _ = URLProtocol.registerClass(StubURLProtocol.self)
      ConfigurationSwizzle.install()
    }

    static let mechanismList: [StubKitCapabilities.Mechanism] = []

    static func isSystemLoader(_ loader: AnyClass) -> Bool { NSStringFromClass(loader).hasPrefix("_NSURL") }

    /// A task can't be handed back to the system once it is taken, so a registry that lets requests through is asked here.
    static func leavesToUs(_ request: URLRequest) -> Bool {
      switch request.url?.scheme?.lowercased() {
      case "http"?, "https"?: !StubRegistry.current.letsThrough(request)
      case "ftp"?, "file"?, "ws"?, "wss"?, "data"?, "about"?, nil: false
      default: true
      }
    }

    static func loadKey(of task: URLSessionTask?) -> UInt? {
      task.map { UInt(bitPattern: ObjectIdentifier($0).hashValue) }
    }

    static func taken() {}
    static func cacheToLookInto(for task: URLSessionTask) -> URLCache? { nil }

    /// Apple's URLSession shows a `URLProtocol` the request with the headers its session adds, and every kind of body as
    /// the request's own stream.
    static func sessionHeaders(of task: URLSessionTask) -> [String: String] { [:] }
    static func separateBody(of task: URLSessionTask) -> RequestBody? { nil }
    static func problem(of request: URLRequest, _ task: URLSessionTask) -> (any Error)? { nil }
    static func readBody(of request: URLRequest, _ task: URLSessionTask) async throws -> Data? {
      try await request.readOwnBody()
    }
    static func giveBack(_ body: RequestBody, to task: URLSessionTask) async -> Bool { true }

    static func queue(of task: URLSessionTask) -> any DeliveryQueue { ClientThread() }
    static func arrive(at queue: any DeliveryQueue) {}
    static func leave(_ queue: any DeliveryQueue) {}
    static func prepare(_ task: URLSessionTask) {}
    static func nativeLoader(for task: URLSessionTask, cachedResponse: CachedURLResponse?) -> URLProtocol? { nil }

    static let takesPieces = true
    static let wantsDownloadedFile = false

    static func finish(_ loader: URLProtocol, body: Data?, downloadedFile: URL?) {
      loader.client?.urlProtocolDidFinishLoading(loader)
    }

    static func fail(_ loader: URLProtocol, _ error: any Error) {
      loader.client?.urlProtocol(loader, didFailWithError: error)
    }

    static func makeResponse(url: URL, status: Int, headers: [String: String]) -> HTTPURLResponse? {
      HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: headers)
    }

    static func task(_ operation: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
      Task(operation: operation)
    }
  }

  extension StubRegistry {
    /// Whether the request goes to the network, as far as can be said without taking it.
    fileprivate func letsThrough(_ request: URLRequest) -> Bool {
      guard case .passThrough(let condition) = unmatched.kind else { return false }
      return condition.matches(request) && stub(matching: request) == nil
    }
  }
#endif
