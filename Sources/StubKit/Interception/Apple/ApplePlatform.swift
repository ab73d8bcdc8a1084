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
    static func addedHeaders(to request: URLRequest, of task: URLSessionTask) -> [String: String] { [:] }
    static func separateBody(of task: URLSessionTask) -> RequestBody? { nil }
    static func uploadedFile(of task: URLSessionTask) -> URL? { nil }
    static func problem(of request: URLRequest, _ task: URLSessionTask) -> (any Error)? { nil }
    static func readBody(of request: URLRequest, _ task: URLSessionTask) async throws -> Data? {
      try await request.readOwnBody()
    }
    static func giveBack(_ body: RequestBody, to task: URLSessionTask) async -> Bool { true }

    static let keepsCallbacksInScope = false
    static func keepCallbacks(for loader: URLProtocol, in scope: CallbackScope) {}
    static func callingBack(for loader: URLProtocol, _ body: () -> Void) { body() }

    static func queue(of task: URLSessionTask) -> any DeliveryQueue { ClientThread() }
    static func prepare(_ task: URLSessionTask) -> Bool { false }

    // The system tells delegates and counts bytes itself.
    static func audience(of task: URLSessionTask) -> Audience { .unknown }
    static func afterDelegateCalls(of task: URLSessionTask, _ work: @escaping @Sendable () -> Void) -> Bool { false }
    static func bodyLength(of request: URLRequest, _ task: URLSessionTask) -> Int { 0 }
    static func count(_ count: TaskAccount.Count, _ value: Int64, of task: URLSessionTask) {}
    static func updateProgress(of task: URLSessionTask) {}

    static func cookieStorage(of task: URLSessionTask) -> HTTPCookieStorage? { .shared }

    static func nativeLoader(
      inPlaceOf loader: URLProtocol, for task: URLSessionTask, cachedResponse: CachedURLResponse?
    ) -> URLProtocol? { nil }

    static func nativeLoader(
      inPlaceOf loader: URLProtocol, redirectedTo request: URLRequest,
      mayFinish: @escaping (URLProtocol, HTTPURLResponse) -> Bool
    ) -> URLProtocol? { nil }

    static func finish(redirected loader: URLProtocol) {}
    static func loads(_ request: URLRequest) -> Bool { false }
    static func start(_ loader: URLProtocol, redirectedTo request: URLRequest) { loader.startLoading() }

    /// The system does not show a task's session, and needs none here: it fills a request in before it is loaded.
    static func configuration(of task: URLSessionTask) -> URLSessionConfiguration? { nil }
    static func timeoutInterval(of request: URLRequest, _ task: URLSessionTask) -> TimeInterval {
      request.timeoutInterval
    }
    /// The system keeps it.
    static func resourceTimeoutInterval(of task: URLSessionTask) -> TimeInterval? { nil }
    static func setCurrentRequest(_ request: URLRequest, of task: URLSessionTask) {}

    static let showsDemands = false

    /// The system asks the delegate, and makes a new load of the request it is given.
    static func systemFollows(_ redirect: Redirect, _ response: HTTPURLResponse, _ loader: URLProtocol) -> Bool {
      loader.client?.urlProtocol(loader, wasRedirectedTo: redirect.request, redirectResponse: response)
      return true
    }

    static func askAboutRedirect(
      _ task: URLSessionTask, _ response: HTTPURLResponse, _ request: URLRequest,
      completion: @escaping @Sendable (URLRequest?) -> Void
    ) {
      completion(request)
    }

    static func askForCredential(
      _ loader: URLProtocol, _ task: URLSessionTask, _ challenge: URLAuthenticationChallenge, _ answer: ChallengeAnswer
    ) {
      loader.client?.urlProtocol(loader, didReceive: challenge)
    }

    static let takesPieces = true
    /// The system puts the pieces together itself.
    static let wantsWholeBodies = false
    static let wantsDownloadedFile = false

    static func finish(_ loader: URLProtocol, body: Data?, file: TemporaryFile?) {
      loader.client?.urlProtocolDidFinishLoading(loader)
    }

    static func fail(_ loader: URLProtocol, _ error: any Error) {
      loader.client?.urlProtocol(loader, didFailWithError: error)
    }

    static func makeResponse(url: URL, status: Int, headers: [String: String]) -> HTTPURLResponse? {
      HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: headers)
    }

    static func task(
      on executor: (any Executor)?, _ operation: @escaping @Sendable () async -> Void
    ) -> Task<Void, Never> {
      if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *), let executor = executor as? any TaskExecutor
      {
        return Task(executorPreference: executor, operation: operation)
      }
      return Task(operation: operation)
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
