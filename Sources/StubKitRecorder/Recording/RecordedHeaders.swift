import Foundation
import StubKit
import StubKitArchive
import StubKitFormats

extension HTTPArchive.Headers {
  /// Creates the header fields for a response from URLSession, adjusted to its decoded body.
  ///
  /// URLSession decompresses content, but leaves the header fields unchanged. It keeps them in a dictionary, so their
  /// order is lost and the values of a repeated field are joined with commas. The result is sorted by name.
  ///
  init(of response: HTTPURLResponse, _ content: RecordedContent) {
    let fields = response.allHeaderFields.compactMap { field -> (name: String, value: String)? in
      guard let name = field.key as? String, let value = field.value as? String else { return nil }
      return (name, value)
    }.sorted { ($0.name.lowercased(), $0.name) < ($1.name.lowercased(), $1.name) }
    let isEncoded = fields.contains { $0.name.caseInsensitiveCompare("Content-Encoding") == .orderedSame }
    self.init([])
    for (name, value) in fields {
      switch (name.lowercased(), content) {
      case ("set-cookie", _): for cookie in SetCookie.values(joined: value) { append(name, cookie) }
      case ("content-encoding", .whole), ("content-encoding", .brokenOff): break
      case ("content-length", .whole(let length)): append(name, "\(length)")
      case ("content-length", .brokenOff) where isEncoded: break
      default: append(name, value)
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
