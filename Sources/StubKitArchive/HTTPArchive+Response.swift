import Foundation
import StubKit

extension HTTPArchive {
  /// The response of an entry.
  public struct Response: Sendable, Equatable {
    /// The status code.
    public var status: Int
    /// The header fields, in the order in which they arrived.
    public var headers: StubHeaders
    /// The body as the client received it. Compressed content is decompressed here.
    public var body: Data {
      get { content.data }
      set { content = ArchivedBody(newValue) }
    }
    /// The body, or what is known of it.
    package var content: ArchivedBody

    /// Creates a response.
    ///
    /// - Parameters:
    ///   - status: The status code. Defaults to 200.
    ///   - headers: The header fields, in their order. Defaults to none.
    ///   - body: The body as the client received it. Defaults to an empty one.
    public init(status: Int = 200, headers: StubHeaders = [:], body: Data = Data()) {
      self.init(status: status, headers: headers, content: ArchivedBody(body))
    }

    package init(status: Int, headers: StubHeaders, content: ArchivedBody) {
      self.status = status
      self.headers = headers
      self.content = content
    }
  }
}
