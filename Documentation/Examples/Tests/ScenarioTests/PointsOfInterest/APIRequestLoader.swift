import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A request as a value: how it is written, and how its answer is read.
protocol APIRequest: Sendable {
  associatedtype RequestData: Sendable
  associatedtype ResponseData: Sendable

  func makeRequest(from data: RequestData) throws -> URLRequest
  func parseResponse(data: Data) throws -> ResponseData
}

/// Takes any such request to the server.
struct APIRequestLoader<Request: APIRequest> {
  private let apiRequest: Request
  private let urlSession: URLSession

  init(apiRequest: Request, urlSession: URLSession = .shared) {
    self.apiRequest = apiRequest
    self.urlSession = urlSession
  }

  func load(
    _ requestData: Request.RequestData,
    completion: @escaping @Sendable (Result<Request.ResponseData, any Error>) -> Void
  ) {
    do {
      let request = try apiRequest.makeRequest(from: requestData)
      urlSession.dataTask(with: request) { [apiRequest] data, _, error in
        completion(Result { if let error { throw error } else { try apiRequest.parseResponse(data: data ?? Data()) } })
      }.resume()
    } catch {
      completion(.failure(error))
    }
  }
}
