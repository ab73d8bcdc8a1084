import Foundation
import StubKit

/// The name of Mocker's `URLProtocol`, for code that adds it to the `protocolClasses` of a configuration.
///
/// ```swift
/// let configuration = URLSessionConfiguration.ephemeral
/// configuration.protocolClasses = [MockingURLProtocol.self]
/// ```
///
/// It leaves every request to StubKit, which intercepts the sessions of all configurations. You can delete these lines.
open class MockingURLProtocol: URLProtocol {
  /// Returns whether Mocker would take the request, for code that asks the class itself. See
  /// ``Mocker/shouldHandle(_:)``.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - unused: Omit this parameter. It tells this function from the one that a session calls.
  public class func canInit(with request: URLRequest, unused: Void = ()) -> Bool { Mocker.shouldHandle(request) }

  /// Returns `false`: a session asks StubKit next.
  @_disfavoredOverload
  open override class func canInit(with request: URLRequest) -> Bool { false }

  /// Returns `false`: a session asks StubKit next.
  @_disfavoredOverload
  open override class func canInit(with task: URLSessionTask) -> Bool { false }

  /// Returns the request.
  open override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
}
