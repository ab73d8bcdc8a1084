import Foundation

/// The caches of the sessions of the process, for what a red test is told about them.
///
/// By default, stubs are asked before a session's cache. A session that has no stubs, or that passes a request through,
/// asks its cache first.
package enum SessionCaches {
  private struct Known {
    weak var cache: URLCache?
    /// Keeps the cache of a session that a scope has created, as long as the requests of its registry are kept.
    weak var requests: RequestsInFlight?
    var kept: URLCache?
  }

  private static let known = Protected<[Known]>(
    type(of: URLCache.shared) == URLCache.self ? [Known(cache: .shared)] : [])

  /// Notes the cache of a session that is being created here. A subclass isn't noted: its methods are the user's code,
  /// which can take any time at the end of a test.
  static func note(_ cache: URLCache?) {
    guard let cache, type(of: cache) == URLCache.self else { return }
    let requests = StubRegistry.local?.inFlight
    known.discard { known in
      // Everything that may be the last reference leaves the lock.
      let before = known.map { (known: $0, cache: $0.cache, requests: $0.requests) }
      let isKnown = before.contains { $0.cache === cache && ($0.known.kept == nil || $0.requests === requests) }
      guard !isKnown else { return before }
      known = before.filter { $0.cache != nil && ($0.known.kept == nil || $0.requests != nil) }.map(\.known)
      known.append(Known(cache: cache, requests: requests, kept: requests == nil ? nil : cache))
      return before
    }
  }

  /// Returns a sentence about the first of the last hundred requests of a journal that a cache could have answered, and
  /// that stubs were asked for, or `nil` if there is none. Caches of sessions that other scopes created aren't asked.
  package static func note(about journal: RequestJournal) -> String? {
    let caches = known.withLock { known in
      known.filter { $0.kept == nil || $0.requests === journal.inFlight }.compactMap(\.cache)
    }
    let answered = journal.entries.suffix(100).first { entry in
      let request = entry.request
      guard entry.outcome != .passedThrough, request.cachePolicy == .useProtocolCachePolicy else { return false }
      return caches.contains { cache in
        cache.cachedResponse(for: request).map { Platform.wouldAnswer(request, from: $0, since: entry.startedAt) }
          == true
      }
    }
    return answered.map { entry in
      "A session's cache held a response for \(entry.request.shortSummary), with which URLSession answers if there are no stubs. "
        + "Stubs are asked first. Let the request ask the cache first, with the cachePolicy .returnCacheDataElseLoad, or "
        + "remove the response with removeCachedResponse(for:). See the guide Limits."
    }
  }
}
