#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  @testable import StubKit

  /// Each row is asked with the native loader, at a port where nobody listens, and with a stub.
  @Suite("The cache of a session", .inTurn)
  struct SessionCacheTests {
    private static let address = url("http://127.0.0.1:9/x")
    private static let old = "Sun, 06 Nov 1994 08:49:37 GMT"
    private static let future = "Sun, 06 Nov 2094 08:49:37 GMT"

    /// The request's method and fields, and the status and the fields of the response in the cache. Whether that
    /// answers is what Foundation's own loader does, which isn't always what HTTP's rules say.
    private static let rows:
      [(method: String, sent: [String: String], status: Int, fields: [String: String], answers: Bool)] = [
        ("GET", [:], 200, [:], true), ("GET", [:], 404, ["Cache-Control": "max-age=600"], true),
        ("GET", [:], 301, ["Location": "/y"], true), ("GET", [:], 302, ["Location": "/y"], false),
        ("GET", [:], 500, [:], false), ("GET", [:], 200, ["Cache-Control": "max-age=0"], false),
        ("GET", [:], 200, ["Cache-Control": "max-age=600", "Date": old], true),
        ("GET", [:], 200, ["Cache-Control": "private, max-age=\"600\"", "Date": future], true),
        ("GET", [:], 200, ["Cache-Control": "no-store"], false),
        ("GET", [:], 200, ["Cache-Control": "no-cache"], false),
        ("GET", [:], 200, ["Expires": old], false), ("GET", [:], 200, ["Expires": future], false),
        ("GET", [:], 200, ["Expires": "0"], false),
        ("GET", [:], 200, ["Cache-Control": "s-maxage=1", "Expires": old], true),
        ("GET", [:], 200, ["Vary": "Accept"], false), ("GET", [:], 200, ["WWW-Authenticate": "Basic"], false),
        ("GET", ["Authorization": "x"], 200, [:], false), ("HEAD", [:], 200, [:], false),
        ("POST", [:], 200, [:], false),
      ]

    private static func cache(for request: URLRequest, _ status: Int = 200, _ fields: [String: String] = [:])
      -> URLCache
    {
      let cache = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
      cache.keep("cached", for: request, status: status, fields: fields)
      return cache
    }

    /// What a client receives, and whether the response is still in the cache.
    private static func ask(
      _ request: URLRequest, _ cache: URLCache, _ policy: URLRequest.CachePolicy? = nil, isStubbed: Bool, row: String
    ) async -> String {
      let registry = StubRegistry(isEnabled: isStubbed)
      let stub = stub(condition: .anything, response: .failure(.cannotConnectToHost), in: registry)
      return await withStubs(in: registry) {
        let configuration = URLSessionConfiguration.default
        configuration.urlCache = cache
        if let policy { configuration.requestCachePolicy = policy }
        let events = DelegateEvents()
        let task = events.session(configuration).dataTask(with: request)
        task.resume()
        let told = (try? await events.untilCompletion())?.joined(separator: ", ") ?? "nothing"
        let isKept = cache.cachedResponse(for: request) != nil
        let counts = task.error == nil ? "\(task.countOfBytesReceived) of \(task.countOfBytesExpectedToReceive)" : ""
        #expect(!isStubbed || (stub.callCount == 0) == (task.error == nil), "\(row)")
        #expect(registry.journal.entries.count == stub.callCount, "\(row), stubbed: \(isStubbed)")
        return "\(told) \(counts) \(isKept)"
      }
    }

    @Test("answers before stubs are asked as it does before a server is asked")
    func rows() async {
      for row in Self.rows {
        var request = request(Self.address, method: row.method, headers: row.sent)
        request.cachePolicy = .returnCacheDataElseLoad
        let native = await Self.ask(
          request, Self.cache(for: request, row.status, row.fields), isStubbed: false, row: "\(row)")
        let stubbed = await Self.ask(
          request, Self.cache(for: request, row.status, row.fields), isStubbed: true, row: "\(row)")
        #expect(stubbed == native, "\(row)")
        #expect(stubbed.contains("cached") == row.answers, "\(row)")
      }
    }

    @Test("answers where the policy of the request or of its session says so")
    func policies() async {
      for (own, ofSession, answers) in [
        (.returnCacheDataElseLoad, nil, true), (.returnCacheDataDontLoad, nil, true),
        (.useProtocolCachePolicy, .returnCacheDataElseLoad, true),
        (.useProtocolCachePolicy, .returnCacheDataDontLoad, true), (.useProtocolCachePolicy, nil, false),
        (.reloadIgnoringLocalCacheData, .returnCacheDataElseLoad, false),
      ] as [(URLRequest.CachePolicy, URLRequest.CachePolicy?, Bool)] {
        var request = URLRequest(url: Self.address)
        request.cachePolicy = own
        let row = "\(own) \(ofSession as Any)"
        let text = await Self.ask(request, Self.cache(for: request), ofSession, isStubbed: true, row: row)
        #expect(text.contains("cached") == answers, "\(row)")
      }
    }

    /// Foundation on Linux asks a server even with `.returnCacheDataDontLoad`.
    @Test(
      "leaves what it doesn't have to a server, or to stubs, even if the policy says not to load it",
      arguments: [URLRequest.CachePolicy.returnCacheDataElseLoad, .returnCacheDataDontLoad])
    func nothing(policy: URLRequest.CachePolicy) async throws {
      let server = try LoopbackServer()
      let request = URLRequest(url: server.url("/x"), cachePolicy: policy)
      let configuration = URLSessionConfiguration.patient
      configuration.urlCache = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
      let session = URLSession(configuration: configuration)
      let native = try await withStubs(in: StubRegistry(isEnabled: false)) { try await session.fetch(request) }
      #expect(native.text == "real GET /x")
      try await withStubs {
        stub(condition: .anything, response: .text("stub"))
        let text = try await session.fetch(request).text
        #expect(text == "stub")
      }
    }

    @Test("of the shared session answers, too, and completion handlers and async calls receive it")
    func receivers() async throws {
      let request = URLRequest(url: url("https://cache-\(UUID()).example/x"), cachePolicy: .returnCacheDataDontLoad)
      let shared = try #require(URLSession.shared.configuration.urlCache)
      shared.keep("cached", for: request)
      defer { shared.removeCachedResponse(for: request) }
      try await withStubs {
        #expect(try await URLSession.shared.fetch(request).text == "cached")
        let text: String = try await untilResumed { continuation in
          URLSession.shared.dataTask(with: request) { data, _, _ in
            continuation.resume(returning: String(decoding: data ?? Data(), as: UTF8.self))
          }.resume()
        }
        #expect(text == "cached")
        #expect(StubRegistry.current.journal.entries.isEmpty)
      }
    }
  }
#endif
