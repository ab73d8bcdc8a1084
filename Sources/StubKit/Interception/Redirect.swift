import Foundation

/// The request that a redirect leads to (RFC 9110, section 15.4), as the system's own loader understands it.
struct Redirect {
  /// The next request. URLSession on Linux doesn't send its body again, whatever the request says.
  let request: URLRequest

  /// The number of redirects that a task follows, as in URLSession.
  static let limit = 20

  /// Returns `nil` for a response that is the answer as it is, because of its status, or because it leads nowhere.
  ///
  /// - Parameter recorded: Where a recorded redirect has led, or `nil` to follow its `Location`.
  init?(_ response: HTTPURLResponse, of request: URLRequest, to recorded: URL? = nil) {
    guard Self.isFollowed(response.statusCode), let from = request.url,
      let location = response.value(forHTTPHeaderField: "Location"), !location.isEmpty,
      // RFC 3986, even on Linux, where URLSession treats every path as if it began at the root.
      let target = recorded ?? URL(string: location, relativeTo: from)?.absoluteURL
    else { return nil }
    var next = request
    next.url = target
    if Self.becomesGET(response.statusCode, request.httpMethod) {
      next.httpMethod = "GET"
      next.httpBodyStream = nil
      next.httpBody = nil
    }
    self.request = next
  }

  static func isFollowed(_ status: Int) -> Bool {
    switch status {
    case 301, 302, 303, 305...308: true
    default: false
    }
  }

  private static func becomesGET(_ status: Int, _ method: String?) -> Bool {
    switch status {
    case 301, 302: method == "POST"
    case 303: true
    default: false
    }
  }
}
