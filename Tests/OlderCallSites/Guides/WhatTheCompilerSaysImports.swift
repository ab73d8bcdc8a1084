// No other import, as in the guide: StubKit re-exports FoundationNetworking.

import Foundation
import StubKit

func load(_ url: URL) async throws -> Data {
  try await URLSession.shared.data(from: url).0
}
