import Foundation

extension URLError {
  /// The system's own error of a request that none of its loaders supports.
  static func unsupported(_ request: URLRequest) -> URLError {
    URLError(.unsupportedURL, userInfo: [NSLocalizedDescriptionKey: "unsupported URL"]).naming(request)
  }

  /// The error of a GET with a body, which URLSession sends to no server.
  static func bodyOfGET(_ request: URLRequest) -> URLError {
    let text =
      "\(request.summary) has a body. URLSession sends no GET with a body, so no stub was asked: use another method, or put "
      + "the values into the query."
    return URLError(.dataLengthExceedsMaximum, userInfo: [NSLocalizedDescriptionKey: text]).naming(request)
  }

  /// The error of a request that follows twenty redirects in a row, and is redirected again.
  static func redirectedTooOften(_ request: URLRequest) -> URLError {
    let text =
      "\(request.summary) was redirected again, after \(Redirect.limit) redirects in a row. A stub redirects its own "
      + "requests, or two redirect to each other: mend the condition, or the target."
    return URLError(.httpTooManyRedirects, userInfo: [NSLocalizedDescriptionKey: text]).naming(request)
  }

  /// Returns the same error with the URL of the request, unless it names a URL already.
  func naming(_ request: URLRequest) -> URLError {
    guard let url = request.url, userInfo[NSURLErrorFailingURLErrorKey] == nil else { return self }
    var info = errorUserInfo
    info[NSURLErrorFailingURLErrorKey] = url
    // This is the value of `NSURLErrorFailingURLStringErrorKey`. The constant is deprecated, but `failureURLString`
    // reads the key.
    info["NSErrorFailingURLStringKey"] = url.absoluteString
    return URLError(code, userInfo: info)
  }
}
