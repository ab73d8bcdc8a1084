import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The error of a request that no stub matched, under ``UnmatchedPolicy/fail``.
///
/// Its description, which is its `localizedDescription` too, names the stubs there are, with file and line:
///
/// ```
/// No stub matches GET https://api.example.com/users/43
/// There is 1 stub:
///   isHost("api.example.com") && isPath("/users/42") (AppTests/UserTests.swift:12), 0 calls
/// Register a stub for the request, or let it reach the network with HTTPStubs.unmatched = .passThrough.
/// ```
public struct UnmatchedRequestError: Error, Sendable, CustomStringConvertible, LocalizedError {
  /// The request.
  public let request: URLRequest

  /// The report.
  public let description: String

  /// The report.
  public var errorDescription: String? { description }

  init(request: URLRequest, stubs: [Stub]) {
    self.request = request
    description = Self.report(request, stubs: stubs)
  }

  /// More stubs than fit a test log's screen help nobody.
  private static let mostStubs = 20

  private static func report(_ request: URLRequest, stubs: [Stub]) -> String {
    var lines = ["No stub matches \(request.summary)"]
    if stubs.isEmpty {
      lines.append("There are no stubs where the request was made.")
    } else {
      lines.append(stubs.count == 1 ? "There is 1 stub:" : "There are \(stubs.count) stubs, newest first:")
      lines += stubs.suffix(mostStubs).reversed().map { stub in
        "  \(stub.name.map { "\"\($0)\" " } ?? "")\(stub.condition) (\(stub.location)), "
          + (stub.isUsedUp ? "used up: \(stub.usage)" : stub.usage)
      }
      if stubs.count > mostStubs { lines.append("  and \(stubs.count - mostStubs) older ones") }
    }
    lines.append(
      "Register a stub for the request, or let it reach the network with HTTPStubs.unmatched = .passThrough.")
    return lines.joined(separator: "\n")
  }
}

extension URLRequest {
  /// `GET https://api.example.com/users`
  var summary: String { "\(httpMethod ?? "GET") \(url?.absoluteString ?? "(no URL)")" }
}
