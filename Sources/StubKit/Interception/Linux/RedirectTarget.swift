#if os(Linux)
  import Foundation

  extension Platform {
    /// The URL a `Location` means. Like URLSession on Linux, and unlike RFC 3986, it takes a path without a leading slash
    /// to begin at the root.
    static func redirectTarget(_ location: String, from url: URL) -> URL? {
      guard let target = URL(string: location) else { return nil }
      guard target.scheme == nil || target.host == nil else { return target }
      guard var components = URLComponents(url: url, resolvingAgainstBaseURL: false) else { return nil }
      if let host = target.host {
        components.host = host
        components.port = target.port
      }
      components.path = target.path.hasPrefix("/") ? target.path : "/" + target.path
      components.percentEncodedQuery = target.query
      components.percentEncodedFragment = target.fragment
      return components.url
    }
  }
#endif
