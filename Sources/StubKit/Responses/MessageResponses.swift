import Foundation

extension StubResponse {
  /// The response in a file, as `curl -i` prints it: status line, header fields, a blank line, body.
  ///
  /// ```swift
  /// // curl -i https://api.example.com/login > Fixtures/login.http
  /// stub(condition: isPath("/login"), response: .message(filePath: "Fixtures/login.http"))
  /// ```
  ///
  /// The file is read when the response is made, since its head decides the status and the header fields. Lines may end in CRLF
  /// or in LF. Of several heads, as of redirects or of 100 (Continue), the last one counts. A file without a complete head is a
  /// body, with the status 200. `Content-Length` is corrected to the length of a body that was edited, and `Transfer-Encoding`
  /// is dropped, since curl prints the body in one piece.
  ///
  /// - Parameter filePath: The file's path; a relative one begins at the process's current directory.
  /// - Returns: A response that fails the request with a ``StubResponseError`` if the file can't be read, or if a line of its head
  ///   is no header field.
  public static func message(filePath: String) -> StubResponse { message(Fixture(path: filePath)) }

  /// The response in these bytes, in the form that ``message(filePath:)`` describes.
  ///
  /// ```swift
  /// .message(Data("HTTP/1.1 404 Not Found\r\nRetry-After: 60\r\n\r\nNo such user".utf8))
  /// ```
  public static func message(_ data: Data) -> StubResponse { message(data, named: nil) }

  fileprivate static func message(_ fixture: Fixture) -> StubResponse {
    do { return message(try fixture.load(), named: fixture.name) } catch { return unfit(error) }
  }

  private static func message(_ data: Data, named name: String?) -> StubResponse {
    do {
      let message = try ResponseMessage(data, named: name)
      return StubResponse(status: message.status, headers: message.headers, body: .data(message.body))
    } catch { return unfit(error) }
  }

  private static func unfit(_ problem: StubResponseError.Reason) -> StubResponse {
    StubResponse(status: 200, headers: [:], body: .empty, problem: problem)
  }
}

/// A response from a file in a bundle's resources that has the whole of it, as `curl -i` prints it.
///
/// ```swift
/// stub(condition: isPath("/login"), response: fixture(message: "login.http", in: .module, subdirectory: "Fixtures"))
/// ```
///
/// The form of the file is that of ``StubResponse/message(filePath:)``.
///
/// - Parameters:
///   - name: The file's name with its extension.
///   - bundle: The bundle. A package's test target has its resources in `.module`. Defaults to the main bundle.
///   - subdirectory: The folder in the bundle, for resources declared with `.copy`.
/// - Returns: A response that fails the request with a ``StubResponseError`` if the file can't be read, or if a line of its head is
///   no header field.
public func fixture(message name: String, in bundle: Bundle = .main, subdirectory: String? = nil) -> StubResponse {
  .message(Fixture(named: name, in: bundle, subdirectory: subdirectory))
}
