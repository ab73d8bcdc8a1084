import Foundation
import StubKitTesting
import XCTest

/// What the app loads without a server, with the stubs in its own process.
final class UITestAppExamples: StubbedTestCase {
  private enum ProcessInfo {
    static let processInfo = (arguments: ["People", "-stubbed"], environment: [String: String]())
  }

  func testLoadsUsersInTheApp() async throws {
    let arguments = ProcessInfo.processInfo.arguments
    if arguments.contains("-stubbed") {
      stub(.get, "https://api.example.com/users", response: .json([["name": "Ann"]]))
    }
    let users = try await API.users()
    XCTAssertEqual(users.map(\.name), ["Ann"])
  }
}
