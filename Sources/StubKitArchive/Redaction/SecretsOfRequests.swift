import Foundation
import StubKit

/// Replaces the secrets of requests by the rules of recordings, for StubKitTesting, which finds this class by its name.
final class SecretsOfRequests: RequestRedactor {
  static func redacted(_ requests: [URLRequest]) -> [(request: URLRequest, placeholders: Set<String>)] {
    let archive = HTTPArchive(entries: requests.map { HTTPArchive.Entry(request: $0) }).redacted(.standard)
    return archive.entries.map { ($0.request, $0.redacted ?? []) }
  }
}
