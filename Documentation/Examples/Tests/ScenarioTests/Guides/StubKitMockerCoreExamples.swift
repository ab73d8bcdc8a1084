import Foundation
import StubKitMockerCore
import TestSupport
import Testing

/// An app calls this at its launch in demo mode.
func registerDemo() {
  let url = URL(string: "https://api.example.com/users/42")!
  Mock(
    url: url, contentType: .json, statusCode: 200,
    data: [.get: Data(#"{"id": 42}"#.utf8)]
  ).register()
}

@Suite("The page of StubKitMockerCore", .inTurn)
struct StubKitMockerCoreExamples {
  @Test("answers a request of an app with a mock")
  func demo() async throws {
    let text = try await withStubs { () async throws in
      registerDemo()
      return try await URLSession.shared.fetch("https://api.example.com/users/42").text
    }
    #expect(text == #"{"id": 42}"#)
  }
}
