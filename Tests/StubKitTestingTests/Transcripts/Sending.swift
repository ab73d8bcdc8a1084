import Foundation
import StubKitTesting
import TestSupport

/// Sends a request as a client does, without a timeout of its own.
func send(_ url: String, method: String = "GET", body: String? = nil) async throws {
  _ = try await URLSession.shared.data(for: request(url, method: method, body: body))
}
