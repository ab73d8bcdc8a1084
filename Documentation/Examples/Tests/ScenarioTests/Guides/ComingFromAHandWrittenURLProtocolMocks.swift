import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// The mocks that the guide "Coming from a handwritten URLProtocol" replaces, as it shows them.
// nonisolated(unsafe) holds because a single test sets the handler, before it makes its request.

final class MockURLProtocol: URLProtocol {
  nonisolated(unsafe) static var requestHandler: ((URLRequest) throws -> (HTTPURLResponse, Data))?

  override class func canInit(with request: URLRequest) -> Bool { true }
  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override func startLoading() {
    do {
      let (response, data) = try Self.requestHandler!(request)
      client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
      client?.urlProtocol(self, didLoad: data)
      client?.urlProtocolDidFinishLoading(self)
    } catch {
      client?.urlProtocol(self, didFailWithError: error)
    }
  }

  override func stopLoading() {}
}

protocol URLSessionProtocol {
  func load(_ request: URLRequest) async throws -> (Data, URLResponse)
}

extension URLSession: URLSessionProtocol {
  func load(_ request: URLRequest) async throws -> (Data, URLResponse) { try await data(for: request) }
}

struct StubSession: URLSessionProtocol {
  let data: Data
  let response: URLResponse

  func load(_ request: URLRequest) async throws -> (Data, URLResponse) { (data, response) }
}

struct RewrittenUserClient {
  let session: any URLSessionProtocol

  func user(_ id: Int) async throws -> User {
    let request = URLRequest(url: URL(string: "https://api.example.com/users/\(id)")!)
    let (data, response) = try await session.load(request)
    guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw URLError(.badServerResponse) }
    return try JSONDecoder().decode(User.self, from: data)
  }
}

/// A client with a completion handler.
struct CallbackClient {
  let session: URLSession

  func name(of id: Int, completion: @escaping @Sendable (String?) -> Void) {
    session.dataTask(with: URL(string: "https://api.example.com/users/\(id)")!) { data, _, _ in
      completion(data.flatMap { try? JSONDecoder().decode(User.self, from: $0) }?.name)
    }.resume()
  }
}
