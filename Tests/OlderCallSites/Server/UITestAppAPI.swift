import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

struct User: Decodable {
  let name: String
}

enum API {
  static let base =
    ProcessInfo.processInfo.environment["API_URL"]
    ?? "https://api.example.com"

  static func users() async throws -> [User] {
    let url = URL(string: base + "/users")!
    let (data, _) = try await URLSession.shared.data(from: url)
    return try JSONDecoder().decode([User].self, from: data)
  }
}
