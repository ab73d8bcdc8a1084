import Foundation
import StubKit
import TestSupport
import Testing

@Suite("An open market", .inTurn)
struct OpenMarketTests {
  private let products = isPath("/api/products") && containsQuery(["page_no": "1", "items_per_page": "20"])

  private func firstPage() async throws -> Result<ProductCatalogue, ProviderError> {
    try await untilResumed { done in
      URLSessionProvider<ProductCatalogue>().fetch(ProductCatalogue.request(page: 1, itemsPerPage: 20)) {
        done.resume(returning: $0)
      }
    }
  }

  @Test("shows the first page of the catalogue")
  func catalogue() async throws {
    let result = try await withStubs {
      stub(condition: products, response: fixture(named: "products.json", in: .module, subdirectory: "Fixtures"))
      return try await firstPage()
    }
    let catalogue = try result.get()
    #expect(catalogue.itemsPerPage == 20)
    #expect(catalogue.totalCount == 10)
    #expect(catalogue.pages.count == 10)
    #expect(catalogue.pages.first?.id == 20)
    #expect(!catalogue.hasNext)
  }

  @Test("takes no status outside of 200…299 for a success", arguments: [199, 300, 304, 400, 401, 404, 500])
  func status(_ status: Int) async throws {
    let result = try await withStubs {
      let answer = fixture(named: "products.json", in: .module, subdirectory: "Fixtures", status: status)
      stub(condition: products, response: answer)
      return try await firstPage()
    }
    #expect(result == .failure(.outOfRange(status: status)))
  }

  @Test("takes all statuses of 200…299 for a success", arguments: [200, 201, 203, 299])
  func success(_ status: Int) async throws {
    let result = try await withStubs {
      let answer = fixture(named: "products.json", in: .module, subdirectory: "Fixtures", status: status)
      stub(condition: products, response: answer)
      return try await firstPage()
    }
    #expect(try result.get().totalCount == 10)
  }

  @Test("says when it does not understand what came", arguments: ["", "{", #"{"items_per_page": "twenty"}"#, "null"])
  func undecodable(body: String) async throws {
    let result = try await withStubs {
      stub(condition: products, response: .text(body))
      return try await firstPage()
    }
    #expect(result == .failure(.undecodable))
  }

  @Test("says what kept it from the server", arguments: [URLError.Code.timedOut, .secureConnectionFailed])
  func transport(code: URLError.Code) async throws {
    let result = try await withStubs {
      stub(condition: products, response: .failure(code))
      return try await firstPage()
    }
    #expect(result == .failure(.transport(code)))
  }
}
