import Foundation
import StubKit

extension Mock {
  /// The form with `dataType:`, an older name of `contentType:`. The other parameters are the same.
  @available(*, deprecated, renamed: "init(contentType:statusCode:data:additionalHeaders:)")
  public init(
    dataType: DataType, statusCode: Int, data: [HTTPMethod: Data], additionalHeaders: [String: String] = [:],
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    self.init(
      contentType: dataType, statusCode: statusCode, data: data, additionalHeaders: additionalHeaders, fileID: fileID,
      filePath: filePath, line: line, column: column)
  }

  /// The form with `dataType:`, an older name of `contentType:`. The other parameters are the same.
  @available(
    *, deprecated,
    renamed: "init(url:ignoreQuery:contentType:statusCode:data:additionalHeaders:requestError:)"
  )
  public init(
    url: URL, ignoreQuery: Bool = false, dataType: DataType, statusCode: Int, data: [HTTPMethod: Data],
    additionalHeaders: [String: String] = [:], requestError: (any Error)? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    self.init(
      url: url, ignoreQuery: ignoreQuery, contentType: dataType, statusCode: statusCode, data: data,
      additionalHeaders: additionalHeaders, requestError: requestError, fileID: fileID, filePath: filePath, line: line,
      column: column)
  }

  /// The form with `dataType:`, an older name of `contentType:`. The other parameters are the same.
  @available(*, deprecated, renamed: "init(fileExtensions:contentType:statusCode:data:additionalHeaders:)")
  public init(
    fileExtensions: String..., dataType: DataType, statusCode: Int, data: [HTTPMethod: Data],
    additionalHeaders: [String: String] = [:], fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) {
    self.init(
      nil, false, dataType, statusCode, data, additionalHeaders, nil, fileExtensions,
      StubLocation(fileID, filePath, line, column))
  }

  /// Unavailable: responses aren't stored in a cache.
  @available(
    *, unavailable,
    message:
      "StubKit's responses aren't stored in a cache. Leave out cacheStoragePolicy:. To test a URLCache, use a server on the same machine."
  )
  public init(
    url: URL, ignoreQuery: Bool = false, cacheStoragePolicy: URLCache.StoragePolicy, contentType: DataType? = nil,
    statusCode: Int, data: [HTTPMethod: Data], additionalHeaders: [String: String] = [:],
    requestError: (any Error)? = nil
  ) { fatalError() }

  /// Unavailable: responses aren't stored in a cache.
  @available(
    *, unavailable,
    message:
      "StubKit's responses aren't stored in a cache. Leave out cacheStoragePolicy:. To test a URLCache, use a server on the same machine."
  )
  public init(
    request: URLRequest, ignoreQuery: Bool = false, cacheStoragePolicy: URLCache.StoragePolicy,
    contentType: DataType? = nil, statusCode: Int, data: Data = Data(), additionalHeaders: [String: String] = [:],
    requestError: (any Error)? = nil
  ) { fatalError() }
}
