import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

enum ProviderError: Error, Equatable {
  case transport(URLError.Code)
  case outOfRange(status: Int)
  case undecodable
}

/// Loads values of one type and says in errors of its own what went wrong.
struct URLSessionProvider<T: Codable & Sendable> {
  private let session: URLSession

  init(session: URLSession = .shared) { self.session = session }

  func fetch(_ request: URLRequest, completion: @escaping @Sendable (Result<T, ProviderError>) -> Void) {
    session.dataTask(with: request) { data, response, error in
      if let error {
        return completion(.failure(.transport((error as? URLError)?.code ?? .unknown)))
      }
      let status = (response as? HTTPURLResponse)?.statusCode ?? 0
      guard (200...299).contains(status) else { return completion(.failure(.outOfRange(status: status))) }
      let decoder = JSONDecoder()
      decoder.keyDecodingStrategy = .convertFromSnakeCase
      guard let value = data.flatMap({ try? decoder.decode(T.self, from: $0) }) else {
        return completion(.failure(.undecodable))
      }
      completion(.success(value))
    }.resume()
  }
}
