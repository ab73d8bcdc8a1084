import Foundation
import StubKit
import StubKitArchive
import StubKitFormats

extension HTTPArchive.Headers {
  /// Creates the header fields for a response from URLSession, which decompresses the body but leaves the header fields
  /// unchanged.
  init(of response: HTTPURLResponse, _ content: RecordedContent) {
    let fields = ResponseHeaders(of: response)
    let isEncoded = fields.contains("Content-Encoding")
    self.init([])
    for field in fields.fields {
      switch (field.name.lowercased(), content) {
      case ("content-encoding", .whole), ("content-encoding", .brokenOff): break
      case ("content-length", .whole(let length)): append(field.name, "\(length)")
      case ("content-length", .brokenOff) where isEncoded: break
      default: append(field.name, field.value)
      }
    }
  }
}

/// What happened to a response's body.
enum RecordedContent {
  /// - Parameter length: The length in bytes.
  case whole(length: Int)
  case brokenOff
  /// The header fields describe a body that isn't sent.
  case notSent

  /// Returns what happens to the body if nothing goes wrong.
  init(of response: HTTPURLResponse, to request: URLRequest, length: Int) {
    let hasNone = request.httpMethod == "HEAD" || [204, 304].contains(response.statusCode)
    self = hasNone && length == 0 ? .notSent : .whole(length: length)
  }
}
