import Foundation
import StubKit

/// Ways of finding the answer to a request, without a session.
extension Contender {
  /// The library's own match.
  static func stubKit(_ registry: StubRegistry, stubs: Int, _ request: URLRequest, finds: Bool) -> Contender {
    Contender(name: "StubKit", stubs: stubs, finds: finds) { count in
      (0..<count).count { _ in registry.search(for: request) != nil }
    }
  }

  /// The scan runs twice per operation, as for each request.
  static func scan(_ conditions: ScanStubs, stubs: Int, _ request: URLRequest, finds: Bool) -> Contender {
    Contender(name: "scan", stubs: stubs, finds: finds) { count in
      (0..<count).count { _ in conditions.first(matching: request) != nil && conditions.first(matching: request) != nil
      }
    }
  }

  /// Reads the parts of a request that any match needs: its URL, the URL's text and the method.
  static func extract(stubs: Int, _ request: URLRequest) -> Contender {
    Contender(name: "extract", stubs: stubs) { count in
      (0..<count).count { _ in
        guard let url = request.url, let method = request.httpMethod else { return false }
        return !url.absoluteString.isEmpty && !method.isEmpty
      }
    }
  }
}
