import Foundation
import StubKitTesting
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
    stubs(on: hasBaseURL("https://shop.example/api/v2")) {
      stub(condition: .anything, response: .status(404), priority: -1)
      stubs(on: pathEndsWith("/cart")) {
        stub(condition: isMethod(.get) && !cart.is(.full), response: .json([]))
        stub(condition: isMethod(.get) && cart.is(.full), response: .json([teapot]))
        stub(
          condition: isMethod(.post) && hasJSONBody(["article": 7]),
          response: .status(201).moving(cart, to: .full))
      }
      stubs(on: isMethod(.post) && pathEndsWith("/orders")) {
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
      #expect(shop.callCount == 5 && HTTPStubs.journal.unmatchedRequests.isEmpty)
      expectCalls(inOrder: isMethod(.post) && isPath("/api/v2/cart"), isMethod(.post) && isPath("/api/v2/orders"))
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

@Suite("A shop's catalogue", .inTurn)
struct ShopCatalogueTests {
  private let articles = [Article(id: 7, name: "Teapot", price: 2_950), Article(id: 8, name: "Kettle", price: 4_100)]

  private var statuses: [Int] { HTTPStubs.requests.compactMap(\.outcome.status) }

  @Test("is sent once, as long as it stays the same")
  func unchanged() async throws {
    try await withStubs { () async throws in
      stub(condition: isPath("/api/v2/catalogue"), response: .json(articles).conditional(etag: "spring"))
      let client = ShopClient()
      for _ in 1...3 { #expect(try await client.catalogue() == articles) }
      #expect(statuses == [200, 304, 304])
      #expect(HTTPStubs.requests.last?.response?.bodyLength == 0)
    }
  }

  @Test("can be replaced only by a client that has the newest version")
  func published() async throws {
    try await withStubs { () async throws in
      let version = StubScenario(initial: "spring", name: "version")
      stubs(on: isPath("/api/v2/catalogue")) {
        for tag in ["spring", "summer"] {
          stub(condition: isMethod(.get) && version.is(tag), response: .json(articles).conditional(etag: tag))
        }
        let accepted = StubResponse.status(204).conditional(etag: "spring").moving(version, to: "summer")
        stub(condition: isMethod(.put) && version.is("spring"), response: accepted)
        stub(condition: isMethod(.put) && version.is("summer"), response: .status(204).conditional(etag: "summer"))
      }
      let (ann, ben) = (ShopClient(), ShopClient())
      var cheaper = try await ann.catalogue()
      _ = try await ben.catalogue()
      cheaper[0].price = 1_950
      try await ann.publish(cheaper)
      await #expect(throws: ShopError.outdated) { try await ben.publish(articles) }
      #expect(statuses == [200, 200, 204, 412] && version.state == "summer")
      expectCalls(to: isMethod(.put) && hasJSON(at: "[0].price", equals: 1_950), .once)
    }
  }
}

@Suite("A shop's account", .inTurn)
struct ShopAccountTests {
  private let invoice = Data((0..<250_000).map { UInt8(truncatingIfNeeded: $0 &* 17) })
  private let isInvoice = isPath("/api/v2/orders/1/invoice.pdf")

  private func server(_ bytes: Data, etag: String) -> StubResponse {
    .data(bytes, headers: ["Content-Type": "application/pdf"]).conditional(etag: etag).acceptingRanges()
  }

  /// What was asked for of the invoice, and what came.
  private var parts: [String] {
    HTTPStubs.journal.requests(matching: isInvoice).map {
      "\($0.request.value(forHTTPHeaderField: "Range") ?? "everything"): \($0.response.map { "\($0)" } ?? "nothing")"
    }
  }

  @Test("is shown to the customer, whose device signs in when the shop asks who it is")
  func signIn() async throws {
    try await withStubs { () async throws in
      stubs(on: isPath("/api/v2/account")) {
        stub(condition: .anything, response: .basicChallenge(realm: "Customers"))
        stub(condition: hasBasicAuth(user: "ann", password: "secret"), response: .json(["name": "Ann"]))
      }
      #expect(try await ShopClient().account() == Customer(name: "Ann"))
      #expect(HTTPStubs.requests.compactMap(\.outcome.status) == [401, 200])
    }
  }

  @Test("has an invoice, which comes in parts")
  func invoiceInParts() async throws {
    try await withStubs { () async throws in
      stub(condition: isInvoice, response: server(invoice, etag: "v1"))
      #expect(try await ShopClient().invoice(of: 1) == invoice)
      #expect(
        parts == [
          "bytes=0-99999: 206, 100000 bytes", "bytes=100000-199999: 206, 100000 bytes",
          "bytes=200000-299999: 206, 50000 bytes",
        ])
      expectCalls(to: isInvoice && hasHeader("If-Range", "\"v1\""), 2)
    }
  }

  @Test("asks again for a part of the invoice that broke off, and not for what it has")
  func brokenTransfer() async throws {
    try await withStubs { () async throws in
      let server = server(invoice, etag: "v1")
      stub(condition: isInvoice, responses: [server, server.failing(afterBytes: 40_000), server])
      #expect(try await ShopClient().invoice(of: 1) == invoice)
      #expect(
        parts.prefix(3) == [
          "bytes=0-99999: 206, 100000 bytes", "bytes=100000-199999: 206, 40000 bytes",
          "bytes=100000-199999: 206, 100000 bytes",
        ])
    }
  }
}
