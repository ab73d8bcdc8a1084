import Foundation

extension RecordedRequest {
  /// What went out in answer to a request.
  ///
  /// ```swift
  /// let entry = try #require(StubRegistry.current.journal.entries.last)
  /// #expect(entry.response?.headers["Content-Type"] == "application/json")
  /// #expect(entry.response?.bodyLength == 9)
  /// ```
  public struct Response: Sendable, CustomStringConvertible {
    /// The status.
    public let status: Int
    /// How many bytes of the body went out: all of it, or less where it broke off. 0 while the request is in progress.
    public private(set) var bodyLength = 0
    /// The fields as the response was given them.
    private let givenFields: ResponseHeaders
    /// What is said of the body's length unless the fields themselves say something; nil for nothing.
    private let length: Int?
    private var content: Data?
    private let contentLength: Int

    /// - Parameters:
    ///   - length: The length of the response's body, be it told or not.
    ///   - told: The body as it is told.
    init(_ response: StubResponse, length: Int, told: DeliveryBody) {
      status = response.status
      givenFields = response.headers
      self.length = response.body.hasKnownLength ? length : nil
      content = if case .memory(let data) = told { data } else { nil }
      contentLength = told.count
    }

    /// The header fields as `HTTPURLResponse` shows them: repeated ones joined by commas.
    public var headers: [String: String] { fields.joined }

    /// What went out of the body; nil for a file's or a stream's, and for what is left out of one of more than a megabyte
    /// (1,000,000 bytes) unless ``RequestJournal/keepsLargeBodies`` is set.
    public var body: Data? {
      guard let content, bodyLength < content.count else { return content }
      return Data(content.prefix(bodyLength))
    }

    /// `200, 9 bytes`
    public var description: String { "\(status), \(bodyLength) \(bodyLength == 1 ? "byte" : "bytes")" }

    /// The header fields in the order in which they were given, each as often as it was.
    var fields: ResponseHeaders { givenFields.adding(bodyLength: length, status: status) }

    var withoutLargeBody: Response {
      guard contentLength > 1_000_000 else { return self }
      var response = self
      response.content = nil
      return response
    }

    /// - Parameter count: How many bytes of the body went out; nil for all.
    mutating func end(afterBytes count: Int?) { bodyLength = count ?? contentLength }
  }
}
