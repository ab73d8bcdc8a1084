import Foundation
import StubKitMocker
import TestSupport
import Testing

@Suite("The page of StubKitMocker", .inTurn)
struct StubKitMockerExamples {
  @Test("answers a request with a mock")
  func mock() async throws {
    let text = try await withStubs { () async throws in
      let url = URL(string: "https://api.example.com/users/42")!
      Mock(
        url: url, contentType: .json, statusCode: 200,
        data: [.get: Data(#"{"id": 42}"#.utf8)]
      ).register()
      return try await URLSession.shared.fetch(url.absoluteString).text
    }
    #expect(text == #"{"id": 42}"#)
  }
}
