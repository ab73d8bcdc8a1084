#if canImport(Darwin)
  import Foundation

  /// The headers that Apple's URLSession adds when it sends a request.
  extension Platform {
    /// Returns the headers that a server receives and the request doesn't show. The user in a URL is not among them,
    /// because it waits until a server asks for it.
    static func loaderHeaders(of request: URLRequest) -> [String: String] {
      var headers = HTTPMessageHead.headers(of: request)
      headers["Accept"] = "*/*"
      headers["Accept-Encoding"] = request.url?.scheme?.lowercased() == "https" ? "gzip, deflate, br" : "gzip, deflate"
      headers["Accept-Language"] = Self.acceptedLanguages
      headers["Connection"] = "keep-alive"
      return headers
    }

    /// The user's languages with falling weights, such as `en-GB,en;q=0.9`.
    private static var acceptedLanguages: String {
      Locale.preferredLanguages.prefix(6).enumerated()
        .map { $0.offset == 0 ? $0.element : "\($0.element);q=0.\(10 - $0.offset)" }.joined(separator: ",")
    }
  }
#endif
