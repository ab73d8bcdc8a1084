import Foundation
import StubKit

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A client with a completion handler.
struct CallbackClient {
  let session: URLSession

  func name(of id: Int, completion: @escaping @Sendable (String?) -> Void) {
    session.dataTask(with: URL(string: "https://api.example.com/users/\(id)")!) { data, _, _ in
      completion(data.flatMap { try? JSONDecoder().decode(User.self, from: $0) }?.name)
    }.resume()
  }
}
