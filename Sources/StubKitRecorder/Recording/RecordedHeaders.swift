import Foundation
import StubKit
import StubKitArchive

extension HTTPArchive.Headers {
  /// Creates the header fields for a response from URLSession, which decompresses the body but leaves the header fields
  /// unchanged.
  ///
  /// - Parameter bodyLength: The length in bytes, or `nil` if the body broke off.
  init(of response: HTTPURLResponse, to request: URLRequest, bodyLength: Int?) {
    let fields = ResponseHeaders(of: response)
    let isEncoded = fields.contains("Content-Encoding")
    // Otherwise, the header fields describe a body that isn't sent.
    let isSent = bodyLength != 0 || request.httpMethod != "HEAD" && ![204, 304].contains(response.statusCode)
    self.init([])
    for field in fields.fields {
      switch (field.name.lowercased(), bodyLength) {
      case ("content-encoding", _) where isSent: break
      case ("content-length", let length?) where isSent: append(field.name, "\(length)")
      case ("content-length", nil) where isEncoded: break
      default: append(field.name, field.value)
      }
    }
  }
}
