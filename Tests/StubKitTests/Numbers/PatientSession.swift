import Foundation
import TestSupport

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension URLSession {
  /// Fetches with a session that never times out.
  static func fetchPatiently(_ body: Data? = nil) async throws -> Fetched {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = 1e12
    configuration.timeoutIntervalForResource = 1e12
    let session = URLSession(configuration: configuration)
    defer { session.finishTasksAndInvalidate() }
    var request = URLRequest(url: url("http://a.example/"), timeoutInterval: 1e12)
    if let body {
      request.httpMethod = "POST"
      request.httpBody = body
    }
    return try await session.fetch(request)
  }
}
