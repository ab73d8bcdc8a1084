import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The site that all requests go to.
enum Site {
  static let host = "api.example.com"

  static func request(_ pathAndQuery: String, method: String = "GET") -> URLRequest {
    var request = URLRequest(url: URL(string: "https://\(host)\(pathAndQuery)")!)
    request.httpMethod = method
    return request
  }
}
