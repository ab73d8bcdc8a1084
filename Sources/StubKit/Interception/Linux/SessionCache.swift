#if !canImport(Darwin)
  import Foundation

  /// The response of a session's cache to a request that asks for one.
  extension TaskClient {
    /// Returns whether a cache is asked. The policy of a request counts, or else that of its session.
    private func asksCache(for request: URLRequest) -> Bool {
      var policy = request.cachePolicy
      if policy == .useProtocolCachePolicy {
        policy = task.configuration?.requestCachePolicy ?? policy
      }
      return policy == .returnCacheDataElseLoad || policy == .returnCacheDataDontLoad
    }

    func cacheLookup(for request: URLRequest) -> (@Sendable () -> CachedURLResponse?)? {
      asksCache(for: request) ? storedResponse(to: request) : nil
    }

    /// Returns what looks for a response with which the system's own loader answers a request before it asks a server,
    /// or `nil` if there is no cache to look in.
    func storedResponse(to request: URLRequest) -> (@Sendable () -> CachedURLResponse?)? {
      guard task is URLSessionDataTask else { return nil }
      // In the plain mode, URLSession has looked the response up.
      guard let cache = task.configuration?.urlCache else {
        guard let cached = loader.cachedResponse, cached.answers(request) else { return nil }
        return { cached }
      }
      return {
        guard let cached = cache.cachedResponse(for: request) else { return nil }
        if cached.answers(request) { return cached }
        // As the system's own loader does.
        cache.removeCachedResponse(for: request)
        return nil
      }
    }
  }

  extension Platform {
    /// Returns whether the system's own loader would have answered a request from a cache at some time.
    static func wouldAnswer(_ request: URLRequest, from cached: CachedURLResponse, since time: Date) -> Bool {
      cached.dateOfStorage.map { $0 < time } == true && cached.answers(request)
    }
  }

  extension CachedURLResponse {
    /// Returns whether the system's own loader answers a request with the response: one that is fresh and that a cache
    /// may keep (RFC 9111). The loader regards no policy, and asks the server otherwise, for `returnCacheDataDontLoad`
    /// too.
    fileprivate func answers(_ request: URLRequest) -> Bool {
      guard let response = response as? HTTPURLResponse else { return false }
      func field(_ name: String) -> String? { response.value(forHTTPHeaderField: name) }
      let isRead = request.httpMethod == "GET" || request.httpMethod == "HEAD" && data.isEmpty
      let isForAll = ["Authorization", "Proxy-Authorization"].allSatisfy {
        request.value(forHTTPHeaderField: $0) == nil
      }
      let isPlain = ["WWW-Authenticate", "Proxy-Authenticate", "Vary"].allSatisfy { field($0) == nil }
      let statuses = [200, 203, 204, 206, 300, 301, 404, 405, 410, 414, 501]
      guard isRead, isForAll, isPlain, statuses.contains(response.statusCode) else { return false }
      let directives = (field("Cache-Control") ?? "").lowercased().split(separator: ",").map(\.withoutOuterSpace)
      guard !directives.contains("no-cache"), !directives.contains("no-store") else { return false }
      func seconds(_ name: String) -> UInt? {
        directives.last { $0.hasPrefix("\(name)=") }.flatMap { directive in
          UInt(directive.dropFirst(name.count + 1).trimmingCharacters(in: ["\""]))
        }
      }
      if let maxAge = seconds("max-age") { return Date() < (dateOfStorage ?? Date()) + TimeInterval(maxAge) }
      // The loader can't read the dates of HTTP (tried with Swift 6.3): `Date` counts as missing, `Expires` as past.
      return seconds("s-maxage") != nil || field("Expires") == nil
    }

    private static let dateField = Platform.internals.flatMap { _ in
      try? StoredField<Date>(.date, of: CachedURLResponse.self)
    }

    /// The time since which the response has been in its cache, if that can be found out.
    fileprivate var dateOfStorage: Date? { Self.dateField?.load(from: self) }
  }
#endif
