import Foundation
import StubKit

/// A mock of Mocker 3: a URL with data for each method. It becomes stubs when it is registered.
///
/// ```swift
/// let url = URL(string: "https://api.example.com/users/42")!
/// Mock(
///   url: url, contentType: .json, statusCode: 200,
///   data: [.get: Data(#"{"id": 42}"#.utf8)]
/// ).register()
/// ```
///
/// `register()` registers the mock where the caller's stubs belong: in the scope of a test if there is one, and
/// otherwise in the global registry. Reports name the line that created the mock.
public struct Mock: Equatable {
  /// The methods of HTTP (RFC 9110, section 9.3, and RFC 5789).
  public enum HTTPMethod: String, Sendable {
    case options = "OPTIONS"
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
    case put = "PUT"
    case patch = "PATCH"
    case delete = "DELETE"
    case trace = "TRACE"
    case connect = "CONNECT"
  }

  /// A callback with a request and the JSON object in its body.
  public typealias OnRequest = (_ request: URLRequest, _ httpBodyArguments: [String: Any]?) -> Void

  /// The type of the data, or `nil` for a response without a `Content-Type`.
  public let contentType: DataType?
  /// The error with which the request fails, or `nil` for a response.
  public let requestError: (any Error)?
  /// The header fields of the response.
  public let headers: [String: String]
  /// The status of the response.
  public let statusCode: Int
  /// The request with the mock's URL and a method that it has data for.
  public private(set) var request: URLRequest
  /// A Boolean value that indicates whether only the scheme, the host and the path of a URL count.
  public let ignoreQuery: Bool
  /// The file extensions of the URLs that the mock answers, without dots, or `nil` for a mock with a URL.
  public let fileExtensions: [String]?

  /// The time before the response. Defaults to `nil`, which is none.
  public var delay: DispatchTimeInterval?
  /// Called after each response, and not for a request that the client cancels. Set it before you register the mock.
  public var completion: (() -> Void)?
  /// Called with each request, before its response. Set it before you register the mock.
  public var onRequestHandler: OnRequestHandler?
  /// Fulfil the expectations of StubKitMocker. An app can link this module, but not XCTest.
  package var fulfillOnRequest: (() -> Void)?
  package var fulfillOnCompletion: (() -> Void)?

  let data: [HTTPMethod: Data]
  /// The method of a request that isn't one of `HTTPMethod`, which the only data is for.
  private(set) var otherMethod: String?
  let location: StubLocation

  /// The URL that the mock answers. For a mock without a URL, one that is made from its other parts.
  public var url: URL { request.url! }

  /// The type of the data. Use ``contentType``, which can be missing.
  @available(*, deprecated, renamed: "contentType")
  public var dataType: DataType { contentType ?? DataType(name: "none", headerValue: "") }

  /// Called with each request. Use ``onRequestHandler``.
  @available(*, deprecated, renamed: "onRequestHandler")
  public var onRequest: OnRequest? {
    get { onRequestHandler?.legacyCallback }
    set { onRequestHandler = newValue.map { OnRequestHandler(legacyCallback: $0) } }
  }

  /// Unavailable: responses aren't stored in a cache.
  @available(
    *, unavailable,
    message: "StubKit's responses aren't stored in a cache. To test a URLCache, use a server on the same machine."
  )
  public var cacheStoragePolicy: URLCache.StoragePolicy {
    get { .notAllowed }
    set {}
  }

  init(
    _ url: URL?, _ ignoreQuery: Bool, _ contentType: DataType?, _ statusCode: Int, _ data: [HTTPMethod: Data],
    _ headers: [String: String], _ requestError: (any Error)?, _ fileExtensions: [String]?, _ location: StubLocation
  ) {
    self.contentType = contentType
    self.requestError = requestError
    self.headers = contentType.map { headers.merging(["Content-Type": $0.headerValue]) { $1 } } ?? headers
    self.statusCode = statusCode
    self.ignoreQuery = ignoreQuery
    self.fileExtensions = fileExtensions?.map { $0.replacing(".", with: "") }
    self.data = data
    self.location = location
    let method = data[.get] != nil ? "GET" : data.keys.map(\.rawValue).min() ?? "GET"
    let generated = URL(string: "https://mock.stubkit.example")!
      .appendingPathComponent(contentType?.name ?? "no-content")
      .appendingPathComponent("\(statusCode)").appendingPathComponent(method)
    request = URLRequest(url: url ?? generated)
    request.httpMethod = method
  }

  /// Creates a mock without a URL of its own. Request its ``url`` or ``request``.
  ///
  /// - Parameters:
  ///   - contentType: The `Content-Type` of the responses, or `nil` for none.
  ///   - statusCode: The status of the responses.
  ///   - data: The body for each method that the mock answers.
  ///   - additionalHeaders: Further header fields of the responses. Defaults to none.
  ///   - fileID: The source file of the mock, for reports. Omit this and the following parameters.
  ///   - filePath: The path of the source file.
  ///   - line: The line of the mock.
  ///   - column: The column of the mock.
  public init(
    contentType: DataType?, statusCode: Int, data: [HTTPMethod: Data], additionalHeaders: [String: String] = [:],
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    self.init(
      nil, false, contentType, statusCode, data, additionalHeaders, nil, nil,
      StubLocation(fileID, filePath, line, column))
  }

  /// Creates a mock for a URL.
  ///
  /// - Parameters:
  ///   - url: The URL, which compares as text.
  ///   - ignoreQuery: Whether only the scheme, the host and the path count. Defaults to `false`.
  ///   - contentType: The type of the data. Defaults to none.
  ///   - statusCode: The status of the response.
  ///   - data: The body of the response for each method. Other methods are not answered.
  ///   - additionalHeaders: More header fields.
  ///   - requestError: An error with which the request fails instead.
  ///   - fileID: The source file of the call, for reports. Omit this and the following parameters.
  ///   - filePath: The path of the source file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  public init(
    url: URL, ignoreQuery: Bool = false, contentType: DataType? = nil, statusCode: Int, data: [HTTPMethod: Data],
    additionalHeaders: [String: String] = [:], requestError: (any Error)? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    self.init(
      url, ignoreQuery, contentType, statusCode, data, additionalHeaders, requestError, nil,
      StubLocation(fileID, filePath, line, column))
  }

  /// Creates a mock for all URLs with a file extension. Mocks with a URL come first.
  ///
  /// - Parameters:
  ///   - fileExtensions: The file extensions, such as `png`.
  ///   - contentType: The type of the data. Defaults to none.
  ///   - statusCode: The status of the response.
  ///   - data: The body of the response for each method. A request with another method fails.
  ///   - additionalHeaders: More header fields.
  ///   - fileID: The source file of the call, for reports. Omit this and the following parameters.
  ///   - filePath: The path of the source file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  public init(
    fileExtensions: String..., contentType: DataType? = nil, statusCode: Int, data: [HTTPMethod: Data],
    additionalHeaders: [String: String] = [:], fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) {
    self.init(
      nil, false, contentType, statusCode, data, additionalHeaders, nil, fileExtensions,
      StubLocation(fileID, filePath, line, column))
  }

  /// Creates a mock for the URL and the method of a request.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - ignoreQuery: Whether only the scheme, the host and the path count. Defaults to `false`.
  ///   - contentType: The type of the data. Defaults to none.
  ///   - statusCode: The status of the response.
  ///   - data: The body of the response. Defaults to none.
  ///   - additionalHeaders: More header fields.
  ///   - requestError: An error with which the request fails instead.
  ///   - fileID: The source file of the call, for reports. Omit this and the following parameters.
  ///   - filePath: The path of the source file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  public init(
    request: URLRequest, ignoreQuery: Bool = false, contentType: DataType? = nil, statusCode: Int,
    data: Data = Data(), additionalHeaders: [String: String] = [:], requestError: (any Error)? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    let name = request.httpMethod ?? "GET"
    let method = HTTPMethod(rawValue: name)
    self.init(
      request.url, ignoreQuery, contentType, statusCode, [method ?? .get: data], additionalHeaders, requestError, nil,
      StubLocation(fileID, filePath, line, column))
    guard method == nil else { return }
    otherMethod = name
    self.request.httpMethod = name
  }

  /// Registers the mock. It replaces one that is equal.
  public func register() { Mocker.register(self) }

  /// Returns whether two mocks answer the same requests: those with one URL, or with the same file extensions, and with
  /// the same methods.
  public static func == (left: Mock, right: Mock) -> Bool { left.requests == right.requests }

  /// Which requests a mock answers. File extensions count before a URL, which a mock for them has, too.
  struct Requests: Hashable {
    let methods: Set<HTTPMethod>
    let otherMethod: String?
    let fileExtensions: [String]
    let url: String?
  }

  var requests: Requests {
    let extensions = fileExtensions ?? []
    return Requests(
      methods: Set(data.keys), otherMethod: otherMethod, fileExtensions: extensions,
      url: extensions.isEmpty ? url.absoluteString : nil)
  }
}

extension Mock {
  /// The type of a mock's data.
  public struct DataType: Sendable {
    /// The name of the type, such as `json`.
    public let name: String
    /// The value of the `Content-Type` header, such as `application/pdf`.
    public let headerValue: String

    /// Creates a type that has no constant.
    ///
    /// ```swift
    /// let gif = Mock.DataType(name: "gif", headerValue: "image/gif")
    /// ```
    public init(name: String, headerValue: String) {
      self.name = name
      self.headerValue = headerValue
    }

    /// JSON in UTF-8: `application/json; charset=utf-8`.
    public static let json = DataType(name: "json", headerValue: "application/json; charset=utf-8")
    /// HTML in UTF-8: `text/html; charset=utf-8`.
    public static let html = DataType(name: "html", headerValue: "text/html; charset=utf-8")
    /// A picture: `image/png`.
    public static let imagePNG = DataType(name: "imagePNG", headerValue: "image/png")
    /// A document: `application/pdf`.
    public static let pdf = DataType(name: "pdf", headerValue: "application/pdf")
    /// A film: `video/mp4`.
    public static let mp4 = DataType(name: "mp4", headerValue: "video/mp4")
    /// An archive: `application/zip`.
    public static let zip = DataType(name: "zip", headerValue: "application/zip")
  }
}
