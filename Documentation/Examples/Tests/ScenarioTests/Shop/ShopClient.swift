import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

struct Article: Codable, Equatable, Sendable {
  let id: Int
  let name: String
  /// In cents.
  var price: Int
}

struct Purchase: Codable, Equatable, Sendable {
  let number: Int
  let total: Int
}

struct Customer: Codable, Equatable, Sendable {
  let name: String
}

enum ShopError: Error, Equatable {
  case signInRefused
  /// There is nothing in the cart: another device has ordered it.
  case nothingToOrder
  /// Somebody else has published a catalogue meanwhile.
  case outdated
  /// The shop is closed for so many seconds.
  case closed(seconds: Int?)
  case refused(status: Int)
}

/// A web shop as one of a customer's devices sees it.
actor ShopClient {
  private let address = URL(string: "https://shop.example/api/v2")!
  private let session: URLSession
  /// What the server sent last, to be asked for again only if it has changed.
  private var kept: (articles: [Article], tag: String)?

  init(user: String = "ann", password: String = "secret") {
    let configuration = URLSessionConfiguration.ephemeral
    // It keeps the catalogue itself.
    configuration.urlCache = nil
    session = URLSession(configuration: configuration, delegate: CustomerSignIn(user, password), delegateQueue: nil)
  }

  // MARK: The catalogue

  func catalogue() async throws -> [Article] {
    let (data, response) = try await send("GET", "catalogue", headers: ["If-None-Match": kept?.tag])
    if response.statusCode == 304, let kept { return kept.articles }
    let articles = try JSONDecoder().decode([Article].self, from: data)
    kept = response.value(forHTTPHeaderField: "ETag").map { (articles, $0) }
    return articles
  }

  /// For the shop's own staff: puts another catalogue in the place of the one that was loaded last.
  func publish(_ articles: [Article]) async throws {
    let body = try JSONEncoder().encode(articles)
    _ = try await send("PUT", "catalogue", body, headers: ["If-Match": kept?.tag])
    // The server has a new tag for it.
    kept = nil
  }

  // MARK: The cart

  func cart() async throws -> [Article] {
    try JSONDecoder().decode([Article].self, from: await send("GET", "cart").0)
  }

  func add(_ article: Article) async throws {
    _ = try await send("POST", "cart", JSONEncoder().encode(["article": article.id]))
  }

  func checkOut() async throws -> Purchase {
    do {
      return try JSONDecoder().decode(Purchase.self, from: await send("POST", "orders").0)
    } catch ShopError.refused(status: 409) {
      throw ShopError.nothingToOrder
    }
  }

  // MARK: The account

  func account() async throws -> Customer {
    try JSONDecoder().decode(Customer.self, from: await send("GET", "account").0)
  }

  /// The invoice of an order, fetched in parts. A part that breaks off is asked for again, twice at most.
  func invoice(of order: Int, partLength: Int = 100_000) async throws -> Data {
    var invoice = Data()
    var tag: String?
    var interruptions = 0
    while true {
      let range = "bytes=\(invoice.count)-\(invoice.count + partLength - 1)"
      do {
        let (part, response) = try await send(
          "GET", "orders/\(order)/invoice.pdf", headers: ["Range": range, "If-Range": tag])
        // The whole, be it that the server knows no ranges or that it has another invoice by now.
        guard response.statusCode == 206 else { return part }
        invoice += part
        tag = response.value(forHTTPHeaderField: "ETag")
        let length = response.value(forHTTPHeaderField: "Content-Range")?.split(separator: "/").last.flatMap { Int($0) }
        if invoice.count >= length ?? 0 { return invoice }
      } catch let error as URLError where error.code == .networkConnectionLost && interruptions < 2 {
        interruptions += 1
      }
    }
  }

  private func send(
    _ method: String, _ path: String, _ body: Data? = nil, headers: [String: String?] = [:]
  ) async throws -> (Data, HTTPURLResponse) {
    var request = URLRequest(url: address.appendingPathComponent(path))
    request.httpMethod = method
    request.httpBody = body
    if body != nil { request.setValue("application/json", forHTTPHeaderField: "Content-Type") }
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    guard case (let data, let response as HTTPURLResponse) = try await session.data(for: request) else {
      throw URLError(.badServerResponse)
    }
    switch response.statusCode {
    case 200...299, 304: return (data, response)
    case 401: throw ShopError.signInRefused
    case 412: throw ShopError.outdated
    case 503: throw ShopError.closed(seconds: response.value(forHTTPHeaderField: "Retry-After").flatMap { Int($0) })
    case let status: throw ShopError.refused(status: status)
    }
  }
}

/// Signs in where the shop asks for it, once.
private final class CustomerSignIn: NSObject, URLSessionTaskDelegate {
  private let credential: URLCredential

  init(_ user: String, _ password: String) {
    credential = URLCredential(user: user, password: password, persistence: .forSession)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    guard challenge.protectionSpace.realm == "Customers", challenge.previousFailureCount == 0 else {
      return completionHandler(.performDefaultHandling, nil)
    }
    completionHandler(.useCredential, credential)
  }
}
