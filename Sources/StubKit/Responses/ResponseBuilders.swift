import Foundation

extension StubResponse {
  /// Returns a response with bytes as its body, and without a `Content-Type`.
  ///
  /// ```swift
  /// .data(png, headers: ["Content-Type": "image/png"])
  /// ```
  ///
  /// - Parameters:
  ///   - data: The body.
  ///   - status: The status, from 200 to 999. Defaults to 200.
  ///   - headers: Header fields. Defaults to none.
  public static func data(_ data: Data, status: Int = 200, headers: [String: String] = [:]) -> StubResponse {
    StubResponse(status: status, headers: StubHeaders(headers), body: .data(data))
  }

  /// Returns a response with a text in UTF-8. The `Content-Type` defaults to `text/plain; charset=utf-8`.
  ///
  /// ```swift
  /// .text("<p>Hello</p>", headers: ["Content-Type": "text/html"])
  /// ```
  ///
  /// - Parameters:
  ///   - text: The body.
  ///   - status: The status, from 200 to 999. Defaults to 200.
  ///   - headers: Header fields. A `Content-Type` in them takes precedence. Defaults to none.
  public static func text(_ text: String, status: Int = 200, headers: [String: String] = [:]) -> StubResponse {
    StubResponse(
      status: status, headers: StubHeaders(headers), contentType: ContentType.text, body: .data(Data(text.utf8)))
  }

  /// Returns a response with a status and without a body.
  ///
  /// ```swift
  /// .status(204)
  /// .status(404)
  /// .status(429, headers: ["Retry-After": "60"])
  /// .status(503, reason: "Over Capacity")
  /// ```
  ///
  /// - Parameters:
  ///   - status: The status, from 200 to 999.
  ///   - reason: The reason phrase behind the status, which only clients of a `StubServer` can see: see
  ///     ``status(_:reason:)``. Defaults to `nil`, the usual one.
  ///   - headers: Additional header fields. Defaults to none.
  public static func status(_ status: Int, reason: String? = nil, headers: [String: String] = [:]) -> StubResponse {
    let response = data(Data(), status: status, headers: headers)
    return reason == nil ? response : response.status(status, reason: reason)
  }

  /// A response with the status 200 and without a body.
  ///
  /// ```swift
  /// stub(.any, "/health", response: .ok)
  /// ```
  public static var ok: StubResponse { .status(200) }

  /// Creates a response from what a hand-written mock returns.
  ///
  /// ```swift
  /// stub(
  ///   .get, "https://api.example.com/users",
  ///   response: StubResponse(response, data))
  /// ```
  ///
  /// - Parameters:
  ///   - response: The status and the header fields. Its URL doesn't matter.
  ///   - body: The body.
  public init(_ response: HTTPURLResponse, _ body: Data) {
    self = .data(body, status: response.statusCode, headers: .init(textsOf: response.allHeaderFields))
  }

  /// Returns a failure: the request fails with a `URLError`.
  ///
  /// ```swift
  /// .failure(.notConnectedToInternet)
  /// ```
  public static func failure(_ code: URLError.Code) -> StubResponse { failure(URLError(code)) }

  /// Returns a failure: the request fails with the error, whose domain and code stay unchanged. A `URLError` gets the
  /// URL of the request, as those of URLSession do, so tests compare its code.
  ///
  /// ```swift
  /// .failure(NSError(domain: "Proxy", code: 7)).delay(.seconds(1))
  /// ```
  public static func failure(_ error: any Error) -> StubResponse {
    StubResponse(status: 200, headers: [:], body: .empty, failure: error)
  }

  /// Returns a response with the content of a file. The extension determines the `Content-Type`.
  ///
  /// ```swift
  /// .file("Fixtures/users.json")
  /// ```
  ///
  /// StubKit looks for the file each time it answers a request. If it can't read the file, the request fails with a
  /// ``StubResponseError``.
  ///
  /// - Parameters:
  ///   - path: The path of the file. A relative path starts at the current directory of the process, which under
  ///     `swift test` is the package's folder.
  ///   - status: The status. Defaults to 200.
  ///   - headers: Header fields. A `Content-Type` in them takes precedence.
  public static func file(_ path: String, status: Int = 200, headers: [String: String] = [:]) -> StubResponse {
    file(Fixture(path: path), status: status, headers: headers)
  }

  /// Returns a response with the content of the file at a `file:` URL, like ``file(_:status:headers:)-(String,_,_)``.
  ///
  /// ```swift
  /// .file(Bundle.module.url(forResource: "users", withExtension: "json")!)
  /// ```
  ///
  /// - Parameters:
  ///   - url: The URL of the file.
  ///   - status: The status, from 200 to 999. Defaults to 200.
  ///   - headers: Header fields. A `Content-Type` in them takes precedence. Defaults to none.
  public static func file(_ url: URL, status: Int = 200, headers: [String: String] = [:]) -> StubResponse {
    file(Fixture(url: url), status: status, headers: headers)
  }

  /// Returns a response with the content of a file in the resources of a bundle. The extension determines the
  /// `Content-Type`.
  ///
  /// ```swift
  /// stub(
  ///   .get, "https://api.example.com/users",
  ///   response: .fixture("Fixtures/users.json", in: .module))
  /// ```
  ///
  /// StubKit looks for the file each time it answers a request. If it can't read the file, the request fails with a
  /// ``StubResponseError``.
  ///
  /// - Parameters:
  ///   - path: The path of the file in the bundle, with its extension. It begins with the folder for resources that are
  ///     declared with `.copy("Fixtures")`.
  ///   - bundle: The bundle. For a test target of a package, this is `.module`.
  ///   - status: The status. Defaults to 200.
  ///   - headers: Header fields. A `Content-Type` in them takes precedence.
  public static func fixture(
    _ path: String, in bundle: Bundle, status: Int = 200, headers: [String: String] = [:]
  ) -> StubResponse {
    file(Fixture(named: path, in: bundle), status: status, headers: headers)
  }

  private static func file(_ fixture: Fixture, status: Int, headers: [String: String]) -> StubResponse {
    StubResponse(
      status: status, headers: StubHeaders(headers), contentType: fixture.contentType, body: .file(fixture))
  }

  /// Returns a redirect to an address, without a body.
  ///
  /// ```swift
  /// stub(
  ///   .get, "https://api.example.com/old",
  ///   response: .redirect(to: "/new"))
  /// ```
  ///
  /// The session follows it like a redirect from a server (RFC 9110, section 15.4). It asks its delegate first. After
  /// a 303, and for a POST after a 301 or 302, the next request is a GET. On Linux, the body is not sent again, and
  /// the twenty-first redirect in a row fails with `URLError.httpTooManyRedirects`.
  ///
  /// The redirect leads to another stub. If no stub matches, the registry's ``UnmatchedPolicy`` applies;
  /// ``UnmatchedPolicy/passThrough`` leads to the real network. The journal has an entry for each request on the way.
  /// A status or an address that can't redirect fails the request with a ``StubResponseError``.
  ///
  /// - Parameters:
  ///   - location: The `Location` (RFC 9110, section 10.2.2): a URL, as a text or as a `URL`, or one relative to that
  ///     of the request (RFC 3986, section 5). A `URL` with a base is sent as an absolute one. URLSession on Linux
  ///     treats a server's path without a leading slash as if it began at the root.
  ///   - status: A status from 300 to 399, except 304. Defaults to 302. A status that URLSession doesn't follow, such
  ///     as 300, is delivered as it is.
  ///   - headers: Additional header fields. Defaults to none.
  public static func redirect(
    to location: some StubURL, status: Int = 302, headers: [String: String] = [:]
  ) -> StubResponse {
    let location = location.written.text
    let problem: StubResponseError.Reason? =
      if !(300...399).contains(status) || status == 304 {
        .invalidRedirectStatus(status)
      } else if !isRedirectTarget(location) {
        .invalidRedirectTarget(location)
      } else {
        nil
      }
    return StubResponse(status: status, headers: StubHeaders(headers), body: .empty, problem: problem)
      .header("Location", location)
  }

  private static func isRedirectTarget(_ location: String) -> Bool {
    guard !location.contains(where: \.isNewline), let url = URL(string: location) else { return false }
    return !url.isSentByHTTP || url.host?.isEmpty == false
  }

  /// Returns a 401 that asks for a user and a password, with Basic authentication (RFC 7617).
  ///
  /// ```swift
  /// stub(
  ///   .get, "https://api.example.com/film",
  ///   response: .basicChallenge(realm: "Films"))
  /// stub(
  ///   .get, "https://api.example.com/film",
  ///   where: hasBasicAuth(user: "ann", password: "x"),
  ///   response: .text("the film"))
  /// ```
  ///
  /// The session looks for a credential in its storage, asks its delegate, and sends the request again with the
  /// credential. A client that has neither receives the 401. For a 401 that only the client itself handles, for
  /// example with a bearer token, write `.status(401)`. It contains no challenge, so the client receives it
  /// directly.
  ///
  /// - Parameters:
  ///   - realm: What the credentials are for, as a text of one line.
  ///   - headers: Additional header fields. Defaults to none.
  public static func basicChallenge(realm: String, headers: [String: String] = [:]) -> StubResponse {
    let quoted = realm.replacing("\\", with: #"\\"#).replacing("\"", with: #"\""#)
    return status(401, headers: headers).header("WWW-Authenticate", "Basic realm=\"\(quoted)\"")
  }

  /// A response that lets the request reach the network, as if StubKit didn't exist.
  ///
  /// ```swift
  /// stub(condition: isHost("api.example.com"), response: .status(404))
  /// stub(
  ///   .get, "https://api.example.com/health",
  ///   response: .passThrough)
  /// stub(.post, "https://api.example.com/login") { request in
  ///   request.stubBody?.isEmpty == false
  ///     ? .json(["token": "t"]) : .passThrough
  /// }
  /// ```
  ///
  /// The stub counts the call. The journal's entry names the stub, and has the outcome
  /// ``RecordedRequest/Outcome/passedThrough``. A modifier such as ``delay(_:)`` is a mistake, except for
  /// ``moving(_:to:)``: the network takes its own time, and ``HTTPStubs/network`` doesn't change it. To let requests
  /// through that no stub matches, use ``UnmatchedPolicy/passThrough``.
  ///
  /// A closure can return this response after StubKit has read the body of the request, which is sent whole. If the
  /// scope has ended meanwhile, the request fails with ``StubScopeEndedError``. StubKit doesn't send a credential for a
  /// stub's challenge to the network: such a request fails with a ``StubResponseError``.
  public static var passThrough: StubResponse { ok.configured { $0.isPassedThrough = true } }

  var isPassedThrough: Bool { options?.isPassedThrough == true }
}
