import Foundation
import StubKit
import Testing

/// What a request comes to, and after how long.
struct Fate: Equatable {
  let code: URLError.Code?
  let after: Duration
}

extension ManualClock {
  /// How long it takes on the clock.
  func time<R>(_ body: () async throws -> R) async rethrows -> (R, Duration) {
    let start = now
    let result = try await run(body)
    return (result, start.duration(to: now))
  }

  func fate(_ path: String, session: URLSession = .shared) async -> Fate {
    let (failure, elapsed) = await time { await code(path, session: session) }
    return Fate(code: failure, after: elapsed)
  }
}
