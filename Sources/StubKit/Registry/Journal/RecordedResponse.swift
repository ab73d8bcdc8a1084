import Foundation
import StubKitFormats

extension RecordedRequest {
  /// The response that was sent to a request.
  ///
  /// ```swift
  /// let journal = StubRegistry.current.journal
  /// let response = try #require(journal.entries.last?.response)
  /// #expect(response.headers["Content-Type"] == "application/json")
  /// #expect(response.bodyLength == 9)
  /// ```
  public struct Response: Sendable, CustomStringConvertible {
    /// The status.
    public let status: Int
    /// The number of bytes of the body that were sent. It is less than the whole body if the response broke off, and
    /// 0 while the request is in progress.
    public private(set) var bodyLength = 0
    /// The number of bytes of a body that wasn't sent, because the status (204 or 304) or the method (HEAD) has none.
    public let droppedBodyLength: Int
    /// The header fields in the order in which they were set, each as often as it was set.
    package let fields: ResponseHeaders
    private var content: Data?
    private let contentLength: Int

    /// - Parameters:
    ///   - length: The length of the response's body, sent or not.
    ///   - body: The body as it is sent.
    ///   - isDropped: Whether the body isn't sent, because the status or the method has none.
    init(_ response: StubResponse, length: Int, sent body: ResponseBody, isDropped: Bool) {
      droppedBodyLength = isDropped ? length : 0
      status = response.status
      fields = response.headers(bodyLength: length)
      content = body.data
      contentLength = body.count
    }

    /// The header fields as `HTTPURLResponse` shows them. Repeated ones are joined with commas.
    public var headers: [String: String] { fields.joined }

    /// The part of the body that was sent. `nil` for a file and a stream, and for a body of more than a megabyte
    /// (1,000,000 bytes), unless ``RequestJournal/keepsLargeBodies`` is set.
    public var body: Data? {
      guard let content, bodyLength < content.count else { return content }
      return Data(content.prefix(bodyLength))
    }

    /// A description such as `200, 9 bytes` or `204, 0 bytes, 9 dropped`.
    public var description: String {
      let sent = "\(status), \(bodyLength) \(bodyLength == 1 ? "byte" : "bytes")"
      return droppedBodyLength == 0 ? sent : "\(sent), \(droppedBodyLength) dropped"
    }

    mutating func dropLargeBody() { if contentLength > RecordedRequest.keptLength { content = nil } }

    /// - Parameter count: The number of bytes of the body that were sent, or `nil` for all.
    mutating func end(afterBytes count: Int?) { bodyLength = count ?? contentLength }
  }
}
