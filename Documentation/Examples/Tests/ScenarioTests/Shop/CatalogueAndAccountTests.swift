import Foundation
import StubKit
import TestSupport
import Testing

@Suite("A shop's catalogue", .inTurn)
struct ShopCatalogueTests {
  private let articles = [Article(id: 7, name: "Teapot", price: 2_950), Article(id: 8, name: "Kettle", price: 4_100)]

  private var statuses: [Int] { StubRegistry.current.journal.entries.compactMap(\.outcome.status) }

  @Test("is sent once, as long as it stays the same")
  func unchanged() async throws {
    try await withStubs { () async throws in
      stub(condition: isPath("/api/v2/catalogue"), response: .json(articles).validated(etag: "spring"))
      let client = ShopClient()
      for _ in 1...3 { #expect(try await client.catalogue() == articles) }
      #expect(statuses == [200, 304, 304])
      #expect(StubRegistry.current.journal.entries.last?.response?.bodyLength == 0)
    }
  }

  @Test("is sent again when there is another one")
  func changed() async throws {
    try await withStubs { () async throws in
      let spring = StubResponse.json(articles).validated(etag: "spring")
      let summer = StubResponse.json(articles.dropLast()).validated(etag: "summer")
      stub(condition: isPath("/api/v2/catalogue"), responses: [spring, spring, summer])
      let client = ShopClient()
      var counts: [Int] = []
      for _ in 1...4 { counts.append(try await client.catalogue().count) }
      #expect(counts == [2, 2, 1, 1])
      #expect(statuses == [200, 304, 200, 304])
    }
  }

  @Test("is replaced by somebody who has the newest one, and by nobody else")
  func published() async throws {
    try await withStubs { () async throws in
      let version = StubScenario(initial: "spring", name: "version")
      stubs(on: isPath("/api/v2/catalogue")) {
        for tag in ["spring", "summer"] {
          stub(condition: isMethodGET() && version.is(tag), response: .json(articles).validated(etag: tag))
        }
        let accepted = StubResponse.empty().validated(etag: "spring").moving(version, to: "summer")
        stub(condition: isMethodPUT() && version.is("spring"), response: accepted)
        stub(condition: isMethodPUT() && version.is("summer"), response: .empty().validated(etag: "summer"))
      }
      let (ann, ben) = (ShopClient(), ShopClient())
      var cheaper = try await ann.catalogue()
      _ = try await ben.catalogue()
      cheaper[0].price = 1_950
      try await ann.publish(cheaper)
      await #expect(throws: ShopError.outdated) { try await ben.publish(articles) }
      #expect(statuses == [200, 200, 204, 412] && version.state == "summer")
      try verify(isMethodPUT() && hasJSON(at: "[0].price", equals: 1_950), called: .once)
    }
  }
}

@Suite("A shop's account", .inTurn)
struct ShopAccountTests {
  private let invoice = Data((0..<250_000).map { UInt8(truncatingIfNeeded: $0 &* 17) })
  private let isInvoice = isPath("/api/v2/orders/1/invoice.pdf")

  private func server(_ bytes: Data, etag: String) -> StubResponse {
    .data(bytes, headers: ["Content-Type": "application/pdf"]).validated(etag: etag).acceptingRanges()
  }

  /// What was asked for of the invoice, and what came.
  private var parts: [String] {
    StubRegistry.current.journal.requests(matching: isInvoice).map {
      "\($0.request.value(forHTTPHeaderField: "Range") ?? "everything"): \($0.response.map { "\($0)" } ?? "nothing")"
    }
  }

  @Test("is shown to the customer, whose device signs in when the shop asks who it is")
  func signIn() async throws {
    try await withStubs { () async throws in
      stubs(on: isPath("/api/v2/account")) {
        stub(condition: .anything, response: .unauthorized(realm: "Customers"))
        stub(condition: hasBasicAuth(user: "ann", password: "secret"), response: .json(["name": "Ann"]))
      }
      #expect(try await ShopClient().account() == Customer(name: "Ann"))
      #expect(StubRegistry.current.journal.entries.compactMap(\.outcome.status) == [401, 200])
    }
  }

  @Test("is not shown for a wrong password, nor is the password told to whoever asks for another one")
  func refused() async throws {
    try await withStubs { () async throws in
      let account = stub(condition: isPath("/api/v2/account"), response: .unauthorized(realm: "Customers"))
      await #expect(throws: ShopError.signInRefused) { try await ShopClient(password: "guess").account() }
      try verify(account, called: 2)

      let proxy = stub(condition: isPath("/api/v2/account"), response: .unauthorized(realm: "Hotel \"Ritz\""))
      await #expect(throws: ShopError.signInRefused) { try await ShopClient().account() }
      try verify(proxy, called: .once)
      #expect(proxy.requests[0].request.value(forHTTPHeaderField: "Authorization") == nil)
    }
  }

  @Test("has an invoice, which comes in parts")
  func invoiceInParts() async throws {
    try await withStubs { () async throws in
      stub(condition: isInvoice, response: server(invoice, etag: "v1"))
      let received = try await ShopClient().invoice(of: 1)
      #expect(received == invoice)
      #expect(
        parts == [
          "bytes=0-99999: 206, 100000 bytes", "bytes=100000-199999: 206, 100000 bytes",
          "bytes=200000-299999: 206, 50000 bytes",
        ])
      try verify(isInvoice && hasHeader("If-Range", "\"v1\""), called: 2)
    }
  }

  @Test("asks again for a part of the invoice that broke off, and not for what it has")
  func brokenTransfer() async throws {
    try await withStubs { () async throws in
      let server = server(invoice, etag: "v1")
      stub(condition: isInvoice, responses: [server, server.failing(afterBytes: 40_000), server])
      let received = try await ShopClient().invoice(of: 1)
      #expect(received == invoice)
      #expect(
        parts.prefix(3) == [
          "bytes=0-99999: 206, 100000 bytes", "bytes=100000-199999: 206, 40000 bytes",
          "bytes=100000-199999: 206, 100000 bytes",
        ])
    }
  }

  @Test("never mixes the parts of two invoices")
  func correctedInvoice() async throws {
    try await withStubs { () async throws in
      let corrected = Data(invoice.reversed())
      stub(condition: isInvoice, responses: [server(invoice, etag: "v1"), server(corrected, etag: "v2")])
      let received = try await ShopClient().invoice(of: 1)
      #expect(received == corrected)
      #expect(parts == ["bytes=0-99999: 206, 100000 bytes", "bytes=100000-199999: 200, 250000 bytes"])
    }
  }

  @Test("takes the whole invoice from a server without ranges")
  func withoutRanges() async throws {
    try await withStubs { () async throws in
      stub(condition: isInvoice, response: .data(invoice))
      let received = try await ShopClient().invoice(of: 1)
      #expect(received == invoice && parts == ["bytes=0-99999: 200, 250000 bytes"])
    }
  }

  @Test("gives the invoice up when it breaks off a third time")
  func lostInvoice() async throws {
    try await withStubs { () async throws in
      stub(condition: isInvoice, response: server(invoice, etag: "v1").failing(afterBytes: 99_999))
      let error = await #expect(throws: URLError.self) { try await ShopClient().invoice(of: 1) }
      #expect(error?.code == .networkConnectionLost && parts.count == 3)
    }
  }
}
