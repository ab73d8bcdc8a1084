import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The client of the README's test.
struct UserClient {
  func user(_ id: Int) async throws -> User {
    let url = URL(string: "https://api.example.com/users/\(id)")!
    return try await JSONDecoder().decode(User.self, from: URLSession.shared.data(from: url).0)
  }
}
