import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

struct Product: Codable, Equatable {
  let id: Int
  let name: String
  let currency: String
  let price: Double
  let stock: Int
}

/// A page of the open market's catalogue.
struct ProductCatalogue: Codable, Equatable {
  let pageNo: Int
  let itemsPerPage: Int
  let totalCount: Int
  let hasNext: Bool
  let pages: [Product]

  static func request(page: Int, itemsPerPage: Int) -> URLRequest {
    var components = URLComponents(string: "https://market.example.com/api/products")!
    components.queryItems = [
      URLQueryItem(name: "page_no", value: "\(page)"), URLQueryItem(name: "items_per_page", value: "\(itemsPerPage)"),
    ]
    return URLRequest(url: components.url!)
  }
}
