import Foundation
import StubKitTesting
import Testing

// What the guide "Coming from Mocker" shows of Swift Testing, as it shows it.

@Suite(.stubbed) struct AccountTests {
  init() {
    stub(condition: isPath("/account"), response: .json(["user": "ann"]))
  }

  @Test func showsTheUser() async throws {
    let account = try await Account.load()
    #expect(account.user == "ann")
  }

  @Test func showsTheBalance() async throws {
    stub(condition: isPath("/balance"), response: .json(["euro": 42]))
    let account = try await Account.load()
    let balance = try await account.balance()
    #expect(balance.euro == 42)
  }
}

struct Account: Decodable {
  let user: String

  struct Balance: Decodable {
    let euro: Int
  }

  static func load() async throws -> Account { try await fetch("account") }

  func balance() async throws -> Balance { try await Self.fetch("balance") }

  private static func fetch<Value: Decodable>(_ name: String) async throws -> Value {
    let url = URL(string: "https://api.example.com/\(name)")!
    return try JSONDecoder().decode(Value.self, from: await URLSession.shared.data(from: url).0)
  }
}
