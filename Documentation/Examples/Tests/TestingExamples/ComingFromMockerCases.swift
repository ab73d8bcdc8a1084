import Foundation
import StubKitTesting
import Testing

// What the guide "Coming from Mocker" shows of Swift Testing, as it shows it.

@Suite(.stubbed) struct WalletTests {
  init() {
    stub(condition: isPath("/wallet"), response: .json(["user": "ann"]))
  }

  @Test func showsTheUser() async throws {
    let wallet = try await Wallet.load()
    #expect(wallet.user == "ann")
  }

  @Test func showsTheBalance() async throws {
    stub(condition: isPath("/balance"), response: .json(["euro": 42]))
    let wallet = try await Wallet.load()
    let balance = try await wallet.balance()
    #expect(balance.euro == 42)
  }
}

struct Wallet: Decodable {
  let user: String

  struct Balance: Decodable {
    let euro: Int
  }

  static func load() async throws -> Wallet { try await fetch("wallet") }

  func balance() async throws -> Balance { try await Self.fetch("balance") }

  private static func fetch<Value: Decodable>(_ name: String) async throws -> Value {
    let url = URL(string: "https://api.example.com/\(name)")!
    return try JSONDecoder().decode(Value.self, from: await URLSession.shared.data(from: url).0)
  }
}
