import Foundation
import StubKitOHHTTPStubs
import StubKitTesting
import XCTest

// What the guide "Coming from OHHTTPStubs" shows of XCTest, as it shows it.

final class LoginTests: StubbedTestCase {
  func testSignsIn() async throws {
    stub(condition: isMethodPOST() && isPath("/login") && hasJsonBody(["user": "ann"])) { _ in
      HTTPStubsResponse(jsonObject: ["token": "t"], statusCode: 200, headers: nil)
    }
    let token = try await Login().token(user: "ann")
    XCTAssertEqual(token, "t")
  }
}

private struct Login {
  func token(user: String) async throws -> String? {
    var request = URLRequest(url: URL(string: "https://api.example.com/login")!)
    request.httpMethod = "POST"
    request.httpBody = try JSONEncoder().encode(["user": user])
    let (data, _) = try await URLSession.shared.data(for: request)
    return try JSONDecoder().decode([String: String].self, from: data)["token"]
  }
}
