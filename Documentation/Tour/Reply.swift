import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The reply to a request.
struct Reply: CustomStringConvertible {
  let request: URLRequest
  let status: Int
  let contentType: String
  let text: String
  let elapsed: Duration

  /// Contains only the first line of a longer body.
  var description: String {
    let lines = text.split(separator: "\n")
    let body = lines.count > 1 ? "\(text.utf8.count) bytes" : text
    return [String(status), contentType, body].filter { !$0.isEmpty }.joined(separator: "  ")
  }

  /// Makes the request with `URLSession.shared`, as an app does.
  static func get(
    _ url: String, method: String = "GET", headers: [String: String] = [:]
  ) async throws -> Reply {
    var request = URLRequest(url: URL(string: url)!)
    request.httpMethod = method
    request.allHTTPHeaderFields = headers
    let start = ContinuousClock.now
    let (data, response) = try await URLSession.shared.data(for: request)
    let elapsed = start.duration(to: .now)
    let http = response as? HTTPURLResponse
    return Reply(
      request: request, status: http?.statusCode ?? 0,
      contentType: http?.value(forHTTPHeaderField: "Content-Type") ?? "", text: String(decoding: data, as: UTF8.self),
      elapsed: elapsed)
  }
}

extension Duration {
  /// The duration in a suitable unit: `250.5 ms`, `84 µs` or `20.3 s`.
  var inWords: String {
    switch self {
    case ..<(.milliseconds(1)): String(format: "%.0f µs", self / .microseconds(1))
    case ..<(.seconds(2)): String(format: "%.1f ms", self / .milliseconds(1))
    default: String(format: "%.1f s", self / .seconds(1))
    }
  }
}
