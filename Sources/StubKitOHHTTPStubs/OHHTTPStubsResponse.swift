import Foundation
import StubKit

/// OHHTTPStubs' name for `StubResponse`.
public typealias HTTPStubsResponse = StubResponse

extension StubResponse {
  /// OHHTTPStubs' form of `StubResponse.data(_:status:headers:)`.
  ///
  /// ```swift
  /// HTTPStubsResponse(
  ///   data: Data("x".utf8), statusCode: 200,
  ///   headers: ["Content-Type": "text/plain"])
  /// ```
  ///
  /// - Parameters:
  ///   - data: The body.
  ///   - statusCode: The status, from 200 to 999.
  ///   - headers: Header fields. Their keys and values are written as text.
  public init(data: Data, statusCode: some BinaryInteger, headers: [AnyHashable: Any]?) {
    self = Self.data(data, status: Int(clamping: statusCode), headers: .init(textsOf: headers ?? [:])).changeable
  }

  /// OHHTTPStubs' form of `StubResponse.json(_:status:headers:)`, for an object that
  /// `JSONSerialization` accepts.
  ///
  /// ```swift
  /// HTTPStubsResponse(
  ///   jsonObject: ["id": 42, "tags": ["a", "b"]], statusCode: 200,
  ///   headers: nil)
  /// ```
  ///
  /// If the object is not JSON, for example because it contains a date, the request fails with a
  /// `StubResponseError`.
  ///
  /// - Parameters:
  ///   - jsonObject: The object.
  ///   - statusCode: The status, from 200 to 999.
  ///   - headers: Header fields. Their keys and values are written as text.
  public init(jsonObject: Any, statusCode: some BinaryInteger, headers: [AnyHashable: Any]?) {
    do {
      let text = String(utf8: try JSONSerialization.bytes(of: jsonObject))
      let response = Self.json(text: text, status: Int(clamping: statusCode), headers: .init(textsOf: headers ?? [:]))
      self = response.changeable
    } catch {
      self.init(data: Data(), statusCode: statusCode, headers: headers)
      let problem = StubResponseError.Reason.unencodableValue("\(type(of: jsonObject))", "\(error)")
      self = modified(problem: problem) { _ in }
    }
  }

  /// OHHTTPStubs' form of `StubResponse.file(_:status:headers:)`.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - statusCode: The status, from 200 to 999.
  ///   - headers: Header fields. Their keys and values are written as text.
  public init(fileAtPath path: String, statusCode: some BinaryInteger, headers: [AnyHashable: Any]?) {
    self = Self.file(path, status: Int(clamping: statusCode), headers: .init(textsOf: headers ?? [:])).changeable
  }

  /// OHHTTPStubs' form of `StubResponse.file(_:status:headers:)`.
  ///
  /// - Parameters:
  ///   - fileURL: The URL of the file.
  ///   - statusCode: The status, from 200 to 999.
  ///   - headers: Header fields. Their keys and values are written as text.
  public init(fileURL: URL, statusCode: some BinaryInteger, headers: [AnyHashable: Any]?) {
    self = Self.file(fileURL, status: Int(clamping: statusCode), headers: .init(textsOf: headers ?? [:])).changeable
  }

  /// OHHTTPStubs' form of `StubResponse.ok`.
  public init() { self = Self.ok.changeable }

  /// The status, in OHHTTPStubs' type. 0 for a failure.
  public var statusCode: Int32 { failure == nil ? Int32(clamping: status) : 0 }

  /// The header fields that you or the builder set. The values of a repeated field are joined with commas. A
  /// `Content-Length` that StubKit adds when it sends the response is not included.
  public var httpHeaders: [AnyHashable: Any]? {
    Dictionary(headers.fields.map { ($0.name, headers[$0.name] ?? $0.value) }) { first, _ in first }
  }

  /// OHHTTPStubs' form of `StubResponse.failure(_:)`.
  public init(error: any Error) { self = Self.failure(error).changeable }
}

/// OHHTTPStubs' form of `StubResponse.file(_:status:headers:)`, with headers of any type.
///
/// ```swift
/// stub(condition: isPath("/users")) { _ in
///   let headers: [AnyHashable: Any] = ["X-Page": 1]
///   return fixture(filePath: path, status: 200 as Int32, headers: headers)
/// }
/// ```
///
/// - Parameters:
///   - filePath: The path of the file.
///   - status: The status, from 200 to 999.
///   - headers: Header fields. Defaults to none.
public func fixture(
  filePath: String, status: some BinaryInteger, headers: [AnyHashable: Any]? = nil
) -> StubResponse {
  StubResponse(fileAtPath: filePath, statusCode: status, headers: headers)
}

/// OHHTTPStubs' form of `StubResponse.file(_:status:headers:)` with the status 200.
///
/// ```swift
/// stub(condition: isPath("/users")) { _ in
///   let headers: [AnyHashable: Any] = ["X-Page": 1]
///   return fixture(filePath: path, headers: headers)
/// }
/// ```
public func fixture(filePath: String, headers: [AnyHashable: Any]? = nil) -> StubResponse {
  fixture(filePath: filePath, status: 200, headers: headers)
}

extension HTTPStubs {
  /// `OHHTTPStubs.fixture(…)`, for code that names OHHTTPStubs' module.
  ///
  /// ```swift
  /// stub(condition: isPath("/users")) { _ in
  ///   OHHTTPStubs.fixture(filePath: path, headers: nil)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - filePath: The path of the file.
  ///   - status: The status, from 200 to 999. Defaults to 200.
  ///   - headers: Header fields, or `nil` for none.
  public static func fixture(filePath: String, status: Int32 = 200, headers: [AnyHashable: Any]?) -> StubResponse {
    StubResponse(fileAtPath: filePath, statusCode: status, headers: headers)
  }
}

extension JSONSerialization {
  /// Why an object is not JSON.
  private struct NotJSON: Error, CustomStringConvertible {
    let description =
      "it can contain only arrays, dictionaries with String keys, strings, finite numbers, Bool and NSNull"
  }

  /// Returns an object that `JSONSerialization` accepts as JSON. The root can have any JSON type.
  static func bytes(of object: Any) throws -> Data {
    // JSONSerialization traps on what isValidJSONObject refuses, and that refuses a root that is not a container.
    guard isValidJSONObject([object]) else { throw NotJSON() }
    return try data(withJSONObject: object, options: [.fragmentsAllowed, .sortedKeys, .withoutEscapingSlashes])
  }
}
