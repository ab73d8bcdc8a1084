import Foundation
import StubKit

/// Ways of finding the answer to a request, without a session. Each operation takes the next request.
extension Contender {
  /// The library's own match.
  static func stubKit(_ registry: StubRegistry, stubs: Int, requests: [URLRequest], finds: Bool) -> Contender {
    Contender("StubKit", stubs: stubs, finds: finds, requests) { registry.answerer(of: $0) != nil }
  }

  /// The scan runs twice per operation, as for each request.
  static func scan(_ conditions: ScanStubs, stubs: Int, requests: [URLRequest], finds: Bool) -> Contender {
    Contender("scan", stubs: stubs, finds: finds, requests) {
      conditions.first(matching: $0) != nil && conditions.first(matching: $0) != nil
    }
  }

  /// Reads the parts of a request that any match needs: its URL, the URL's text and the method.
  static func extract(stubs: Int, requests: [URLRequest]) -> Contender {
    Contender("extract", stubs: stubs, requests) { request in
      guard let url = request.url, let method = request.httpMethod else { return false }
      return !url.absoluteString.isEmpty && !method.isEmpty
    }
  }

  @inline(__always)
  private init(
    _ name: String, stubs: Int, finds: Bool = true, _ requests: [URLRequest],
    _ search: @escaping (URLRequest) -> Bool
  ) {
    var position = 0
    self.init(name: name, stubs: stubs, finds: finds) { count in
      var found = 0
      for _ in 0..<count {
        if search(requests[position]) { found += 1 }
        position = position + 1 == requests.count ? 0 : position + 1
      }
      return found
    }
  }
}
