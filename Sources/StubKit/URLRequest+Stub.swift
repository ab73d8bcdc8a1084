import Foundation

extension URLRequest {
  /// The body of the request, or `nil` if there is none.
  ///
  /// ```swift
  /// stub(.post, "https://api.example.com/echo") { request in
  ///   .data(request.stubBody ?? Data())
  /// }
  /// ```
  ///
  /// StubKit passes requests to conditions, response closures and policies, and keeps them in its journal. For these
  /// requests, the property contains the body wherever URLSession received it: in `httpBody` or `httpBodyStream`, in
  /// the data or file of an upload task, or in a stream from a delegate. On Linux, a request after a redirect has no
  /// body, because URLSession doesn't send it again there.
  ///
  /// > Important: This property never reads a stream, because reading uses it up. For a request that doesn't come
  /// > from StubKit, it contains only `httpBody`. The same applies to a request in the journal if no stub and no
  /// > policy needed its stream or file.
  public var stubBody: Data? { httpBody?.fromZero }

  /// What was sent: the query, a form, JSON, text or parts, read as in the journal.
  ///
  /// ```swift
  /// stub(.get, "https://api.example.com/films") { request in
  ///   let page = request.sent.query["page"].flatMap(Int.init) ?? 1
  ///   return .json(["page": StubJSON(page), "films": []])
  /// }
  /// ```
  ///
  /// The body is that of ``stubBody``.
  public var sent: some SentRequest { RequestInClosure(request: self) }

  /// The headers of the request as a server receives them.
  ///
  /// They include the headers of the request and of its session, `Host`, `Content-Length`, on Linux `Authorization` for
  /// a URL with a user in it, and the `Content-Type` of a POST without one: `URLSession` sends such a body as a form,
  /// `application/x-www-form-urlencoded`, unless it is an upload of data or a file on Linux. An endpoint that returns
  /// its headers needs one line:
  ///
  /// ```swift
  /// stub(.get, "https://api.example.com/headers") { request in
  ///   .json(["headers": request.stubHeaders])
  /// }
  /// ```
  ///
  /// Of what `URLSession` adds, matchers and `allHTTPHeaderFields` contain `Authorization` and `Content-Type` alone.
  /// What describes the client and its connection, such as `User-Agent`, `Accept`, `Connection` and
  /// `Transfer-Encoding`, is listed only if the request or its session has it, or the client of a server has sent it. A
  /// body that StubKit has read from a stream has a `Content-Length`, and one with a `Transfer-Encoding` has none. A
  /// request whose URL is neither `http` nor `https` has only its own headers.
  public var stubHeaders: [String: String] {
    var headers = allHTTPHeaderFields ?? [:]
    for (name, added) in HTTPMessageHead.fieldsAddedLater(to: self) where value(forHTTPHeaderField: name) == nil {
      headers[name.capitalized] = added
    }
    if value(forHTTPHeaderField: "Authorization") == nil {
      headers["Authorization"] = Platform.userAuthorization(of: self)
    }
    return headers
  }
}
