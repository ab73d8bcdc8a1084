import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The client of the landing page's test, which tries up to three times.
struct AuthClient {
  func signIn(_ user: String) async throws -> String? {
    var request = URLRequest(url: URL(string: "https://api.example.com/login")!)
    request.httpMethod = "POST"
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.httpBody = try JSONEncoder().encode(["user": user])
    for _ in 1...2 {
      if let (data, response) = try? await URLSession.shared.data(for: request), response.isOK { return token(data) }
    }
    return token(try await URLSession.shared.data(for: request).0)
  }

  private func token(_ data: Data) -> String? {
    (try? JSONDecoder().decode([String: String].self, from: data))?["token"]
  }
}

extension URLResponse {
  fileprivate var isOK: Bool { (self as? HTTPURLResponse)?.statusCode == 200 }
}
