import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Asks a library for its books. It knows nothing of stubs, and takes the session that everything takes.
struct LibraryClient: Sendable {
  struct Book: Codable, Equatable, Sendable {
    let title: String
    let copies: Int
  }

  enum Failure: Error, Equatable {
    case status(Int)
  }

  func books(by author: String) async throws -> [Book] {
    var components = URLComponents(string: "https://library.example.com/books")!
    components.queryItems = [URLQueryItem(name: "author", value: author)]
    let (data, response) = try await URLSession.shared.data(from: components.url!)
    try check(response)
    return try JSONDecoder().decode([Book].self, from: data)
  }

  func donate(_ book: Book) async throws {
    var request = URLRequest(url: URL(string: "https://library.example.com/books")!)
    request.httpMethod = "POST"
    request.httpBody = try JSONEncoder().encode(book)
    try check(try await URLSession.shared.data(for: request).1)
  }

  private func check(_ response: URLResponse) throws {
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    guard 200..<300 ~= status else { throw Failure.status(status) }
  }
}
