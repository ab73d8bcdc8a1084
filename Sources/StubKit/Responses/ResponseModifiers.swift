import Foundation

extension StubResponse {
  /// The same response with that header, instead of any of the same name; names compare without case.
  ///
  /// ```swift
  /// .json(["id": 42]).header("ETag", "\"1\"")
  /// ```
  ///
  /// A name that is no token (RFC 9110, 5.6.2), or a line break in the value, fails the request.
  public func header(_ name: String, _ value: String) -> StubResponse {
    modified(problem: ResponseHeaders.problem(name, value)) { $0.headers.replace(name, value) }
  }

  /// The same response with one more header, beside those of the same name.
  ///
  /// ```swift
  /// .empty(status: 200).addingHeader("Set-Cookie", "a=1").addingHeader("Set-Cookie", "b=2")
  /// ```
  ///
  /// `HTTPURLResponse` shows the values of one name joined with a comma, as it does a server's.
  public func addingHeader(_ name: String, _ value: String) -> StubResponse {
    modified(problem: ResponseHeaders.problem(name, value)) { $0.headers.append(name, value) }
  }

  /// The same response, begun only after that time on the registry's clock; `.zero` without this modifier.
  ///
  /// ```swift
  /// .failure(.timedOut).delay(.seconds(2))
  /// ```
  ///
  /// A time below zero fails the request.
  public func delay(_ duration: Duration) -> StubResponse {
    modified(problem: duration < .zero ? .negativeDuration(duration) : nil) { $0.delay = duration }
  }

  /// The same response with its body spread evenly over that time, beginning after its head; by default it comes at once.
  ///
  /// ```swift
  /// fixture(filePath: "Fixtures/film.mp4").delay(.milliseconds(200)).bodyDuration(.seconds(3))
  /// ```
  ///
  /// An empty body takes the time as well. A time below zero fails the request.
  public func bodyDuration(_ duration: Duration) -> StubResponse {
    modified(problem: duration < .zero ? .negativeDuration(duration) : nil) { $0.pace = .over(duration) }
  }
}
