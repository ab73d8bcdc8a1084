import Foundation

extension StubResponse {
  /// Returns the response in a file, as `curl -i` prints it: the status line, the header fields, a blank line and the
  /// body.
  ///
  /// ```swift
  /// // curl -i https://api.example.com/login > Fixtures/login.http
  /// stub(
  ///   condition: isPath("/login"),
  ///   response: .message(filePath: "Fixtures/login.http"))
  /// ```
  ///
  /// StubKit reads the file when it creates the response, because the head determines the status and the header
  /// fields. Lines can end with CRLF or LF. If there are several heads, for example of redirects or of 100
  /// (Continue), the last one counts. A file without a complete head is a body with the status 200. StubKit corrects
  /// the `Content-Length` of an edited body, and drops `Transfer-Encoding`, because curl prints the body in one
  /// piece.
  ///
  /// - Parameter filePath: The path of the file. A relative path starts at the current directory of the process.
  /// - Returns: A response. If the file can't be read, or if a line of its head is not a header field, it fails the
  ///   request with a ``StubResponseError``.
  public static func message(filePath: String) -> StubResponse { message(Fixture(path: filePath)) }

  /// Returns the response in some bytes, in the format that ``message(filePath:)`` describes.
  ///
  /// ```swift
  /// .message(
  ///   Data("HTTP/1.1 404 Not Found\r\nRetry-After: 60\r\n\r\nNo user".utf8))
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

/// Returns a response from a file in the resources of a bundle that contains all of it, as `curl -i` prints it.
///
/// ```swift
/// stub(
///   condition: isPath("/login"),
///   response: fixture(
///     message: "login.http", in: .module, subdirectory: "Fixtures"))
/// ```
///
/// For the format of the file, see ``StubResponse/message(filePath:)``.
///
/// - Parameters:
///   - name: The name of the file, with its extension.
///   - bundle: The bundle. For a test target of a package, this is `.module`. Defaults to the main bundle.
///   - subdirectory: The folder in the bundle, for resources that are declared with `.copy`.
/// - Returns: A response. If the file can't be read, or if a line of its head is not a header field, it fails the
///   request with a ``StubResponseError``.
public func fixture(message name: String, in bundle: Bundle = .main, subdirectory: String? = nil) -> StubResponse {
  .message(Fixture(named: name, in: bundle, subdirectory: subdirectory))
}
