import Foundation
import StubKit
import TestSupport
import Testing

@Suite("A shop's checkout", .inTurn)
struct CheckoutTests {
  private enum Cart { case empty, full, ordered }

  private let cart = StubScenario(initial: Cart.empty)
  private let teapot = Article(id: 7, name: "Teapot", price: 2_950)

  /// Opens the shop: everything below its base URL, 404 for what it does not have.
  @discardableResult
  private func openShop() -> StubGroup {
    stubs(on: isUnder("https://shop.example/api/v2")) {
      stub(condition: .anything, response: .status(404), priority: -1)
      stubs(on: pathEndsWith("/cart")) {
        stub(condition: isMethodGET() && !cart.is(.full), response: .json([]))
        stub(condition: isMethodGET() && cart.is(.full), response: .json([teapot]))
        stub(
          condition: isMethodPOST() && hasJSONBody(["article": 7]),
          response: .status(201).moving(cart, to: .full))
      }
      stubs(on: isMethodPOST() && pathEndsWith("/orders")) {
        stub(condition: !cart.is(.full), response: .status(409))
        stub(
          condition: cart.is(.full),
          response: .json(["number": 1, "total": 2_950], status: 201).moving(cart, to: .ordered))
      }
    }
  }

  @Test("takes what is in the cart, from the first look at an empty one to the order")
  func story() async throws {
    try await withStubs { () async throws in
      let shop = openShop()
      let client = ShopClient()
      #expect(try await client.cart().isEmpty)
      try await client.add(teapot)
      #expect(try await client.cart() == [teapot])
      #expect(try await client.checkOut() == Purchase(number: 1, total: 2_950))
      #expect(try await client.cart().isEmpty)
      #expect(cart.state == .ordered)
      #expect(shop.callCount == 5 && StubRegistry.current.journal.unmatched.isEmpty)
      try verifyInOrder(isMethodPOST() && isPath("/api/v2/cart"), isMethodPOST() && isPath("/api/v2/orders"))
    }
  }

  @Test("refuses an empty cart")
  func empty() async {
    await withStubs {
      openShop()
      await #expect(throws: ShopError.nothingToOrder) { try await ShopClient().checkOut() }
      #expect(cart.state == .empty)
    }
  }

  @Test("orders a cart once, however many devices check out at the same time")
  func manyDevices() async {
    await withStubs {
      openShop()
      cart.state = .full
      let outcomes = await withTaskGroup(of: Result<Purchase, any Error>.self) { group in
        for _ in 1...8 {
          group.addTask {
            do { return .success(try await ShopClient().checkOut()) } catch { return .failure(error) }
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(outcomes.compactMap { try? $0.get() } == [Purchase(number: 1, total: 2_950)])
      let refusals = outcomes.filter { outcome in
        if case .failure(ShopError.nothingToOrder) = outcome { true } else { false }
      }
      #expect(refusals.count == 7)
    }
  }

  @Test("has no article but those of the shop")
  func unknownArticle() async {
    await withStubs {
      openShop()
      await #expect(throws: ShopError.refused(status: 404)) {
        try await ShopClient().add(Article(id: 8, name: "Kettle", price: 4_100))
      }
      #expect(cart.state == .empty)
    }
  }

  @Test("goes on after an outage, with the cart as it was")
  func outage() async throws {
    try await withStubs { () async throws in
      let closed = StubResponse.status(503).header("Retry-After", "120")
      // The shop's own stubs are newer. The priority puts the outage before them.
      let outage = stub(condition: isHost("shop.example"), response: closed, name: "outage", priority: 1)
      openShop()
      cart.state = .full
      let client = ShopClient()
      await #expect(throws: ShopError.closed(seconds: 120)) { try await client.checkOut() }
      #expect(cart.state == .full)
      outage.remove()
      #expect(try await client.checkOut().number == 1)
    }
  }
}
