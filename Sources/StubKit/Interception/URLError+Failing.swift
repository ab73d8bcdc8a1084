import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension URLError {
  /// An error that names the request's URL, as the system's own do.
  init(_ code: Code, failing request: URLRequest) {
    self = URLError(code).naming(request)
  }

  /// The same error with the URL of the request in it, unless it names one already.
  func naming(_ request: URLRequest) -> URLError {
    guard let url = request.url, userInfo[NSURLErrorFailingURLErrorKey] == nil else { return self }
    var info = errorUserInfo
    info[NSURLErrorFailingURLErrorKey] = url
    // The value of `NSURLErrorFailingURLStringErrorKey`, which is deprecated, but what `failureURLString` reads.
    info["NSErrorFailingURLStringKey"] = url.absoluteString
    return URLError(code, userInfo: info)
  }
}

extension Error {
  /// The system's own errors name the task's first URL, as natively also after a redirect; others are left as they are.
  func naming(_ request: URLRequest) -> any Error { (self as? URLError)?.naming(request) ?? self }
}
