import Foundation
import StubKitOHHTTPStubs
import TestSupport
import Testing

@Suite("The page of StubKitOHHTTPStubs", .inTurn)
struct StubKitOHHTTPStubsExamples {
  @Test("shows a stub in OHHTTPStubs' words")
  func stubRequests() async throws {
    try await withStubs { () async throws in
      HTTPStubs.stubRequests(passingTest: isHost("api.example.com")) { _ in
        HTTPStubsResponse(jsonObject: ["id": 42], statusCode: 200, headers: nil)
      }
      let (data, _) = try await URLSession.shared.data(from: URL(string: "https://api.example.com/users")!)
      #expect(String(decoding: data, as: UTF8.self) == #"{"id":42}"#)
    }
  }
}
