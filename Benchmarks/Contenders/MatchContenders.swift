import Foundation
import StubKit

/// Ways of finding the answer to a request, without a session.
extension Contender {
  /// The library's own match. Each operation takes the next request.
  static func stubKit(_ registry: StubRegistry, stubs: Int, requests: [URLRequest], finds: Bool) -> Contender {
    var position = 0
    return Contender(name: "StubKit", stubs: stubs, finds: finds) { count in
      var found = 0
      for _ in 0..<count {
        if registry.stub(matching: requests[position]) != nil { found += 1 }
        position = position + 1 == requests.count ? 0 : position + 1
      }
      return found
    }
  }

  /// The scan runs twice per operation, as for each request.
  static func scan(_ conditions: ScanStubs, stubs: Int, requests: [URLRequest], finds: Bool) -> Contender {
    var position = 0
    return Contender(name: "scan", stubs: stubs, finds: finds) { count in
      var found = 0
      for _ in 0..<count {
        let request = requests[position]
        if conditions.first(matching: request) != nil, conditions.first(matching: request) != nil { found += 1 }
        position = position + 1 == requests.count ? 0 : position + 1
      }
      return found
    }
  }

  /// Reads the parts of a request that any match needs: its URL, the URL's text and the method.
  static func extract(stubs: Int, requests: [URLRequest]) -> Contender {
    var position = 0
    return Contender(name: "extract", stubs: stubs) { count in
      var found = 0
      for _ in 0..<count {
        let request = requests[position]
        if let url = request.url, let method = request.httpMethod, !url.absoluteString.isEmpty, !method.isEmpty {
          found += 1
        }
        position = position + 1 == requests.count ? 0 : position + 1
      }
      return found
    }
  }
}
