import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension StubResponse {
  /// The cookies that the response sets, each `Set-Cookie` read by itself: joined by commas, as `HTTPURLResponse` shows
  /// them, they could be mistaken.
  func cookies(for url: URL) -> [HTTPCookie] {
    headers.values(of: "Set-Cookie").flatMap {
      HTTPCookie.cookies(withResponseHeaderFields: ["Set-Cookie": $0], for: url)
    }
  }

  var setsCookies: Bool { failure == nil && headers.contains("Set-Cookie") }
}
