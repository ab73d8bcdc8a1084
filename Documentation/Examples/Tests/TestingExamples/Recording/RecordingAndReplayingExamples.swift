import Foundation
import StubKitRecording
import TestSupport
import Testing
import XCTest

private struct RecordedClient {
  func users() async throws -> [String] {
    let (data, _) = try await URLSession.shared.data(from: URL(string: "https://api.example.com/users")!)
    return try JSONDecoder().decode([String].self, from: data)
  }

  func orders() async throws -> [String] {
    let url = URL(string: "https://api.example.com/orders?ts=\(Int(Date().timeIntervalSince1970))")!
    let (data, _) = try await URLSession.shared.data(from: url)
    return try JSONDecoder().decode([String].self, from: data)
  }
}

private let client = RecordedClient()

@Suite("The guide to recording and replaying, with traits", .inTurn)
struct RecordingAndReplayingExamples {
  @Test(.stubbed, .recorded("users"))
  func loadsUsers() async throws {
    let users = try await client.users()
    #expect(users == ["Ann", "Bob"])
  }

  @Test(.stubbed, .recorded("users", where: isHost("api.example.com")))
  func loadsUsersBesidePictures() async throws {
    stub(condition: isHost("cdn.example.com"), response: .passThrough)
    let users = try await client.users()
    #expect(users == ["Ann", "Bob"])
  }

  @Test(.stubbed, .recorded("users", where: isMethod(.get) && { $0.url?.port == nil }, expires: .days(36_500)))
  func loadsUsersForSomeTime() async throws {
    let users = try await client.users()
    #expect(users == ["Ann", "Bob"])
  }

  @Test(.stubbed, .recorded("orders", ignoring: .queryItem("ts")))
  func loadsOrders() async throws {
    let orders = try await client.orders()
    #expect(orders.count == 2)
  }

  @Suite(.stubbed, .recorded)
  struct Users {
    @Test func loadsUsers() async throws {
      let users = try await client.users()
      #expect(users.count == 2)
    }
  }
}

final class RecordedUserTests: RecordedTestCase {
  override var recording: Recording? { Recording("users") }

  func testLoadsUsers() async throws {
    let users = try await client.users()
    XCTAssertEqual(users, ["Ann", "Bob"])
  }
}
