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

  /// The query items of the URL, as matchers see them.
  ///
  /// ```swift
  /// stub(.get, "https://api.example.com/search") { request in
  ///   let filters = request.stubQueryItems.filter { $0.name == "filter" }
  ///   return .json(["filters": filters.compactMap(\.value)])
  /// }
  /// ```
  ///
  /// The items are in the order of the URL. Names and values are percent-decoded, and a `+` is a plus sign (RFC
  /// 3986). An item without `=` has no value, and an item that ends with `=` has an empty one. The array is empty if
  /// the URL has no query.
  public var stubQueryItems: [URLQueryItem] {
    var facts = RequestFacts(self)
    return facts.queryItems.urlQueryItems
  }

  /// The values of the URL's query by name, as matchers see them.
  ///
  /// ```swift
  /// stub(.get, "https://api.example.com/films") { request in
  ///   let page = request.stubQuery["page"].flatMap(Int.init) ?? 1
  ///   return .json(["page": StubJSON(page), "films": []])
  /// }
  /// ```
  ///
  /// If a name is repeated, the dictionary contains its first value. An item without `=` has an empty value. Use
  /// ``stubQueryItems`` to tell these cases apart.
  public var stubQuery: [String: String] {
    Dictionary(stubQueryItems.map { ($0.name, $0.value ?? "") }) { first, _ in first }
  }

  /// The fields of a form body, as matchers see them, or `nil` if there is no body, or if it isn't UTF-8.
  ///
  /// ```swift
  /// stub(.post, "https://api.example.com/login") { request in
  ///   let user = request.stubForm?.first { $0.name == "user" }?.value
  ///   return user == "ann" ? .status(204) : .status(401)
  /// }
  /// ```
  ///
  /// The body is that of ``stubBody``, whatever the `Content-Type`. Names and values are percent-decoded, and a `+`
  /// is a space, as the WHATWG URL standard specifies for `application/x-www-form-urlencoded`. A field without `=`
  /// has no value.
  public var stubForm: [URLQueryItem]? {
    var facts = RequestFacts(self)
    return facts.bodyData == nil ? nil : facts.form?.urlQueryItems
  }

  /// Returns the body as JSON, as matchers see it.
  ///
  /// ```swift
  /// stub(.post, "https://api.example.com/users") { request in
  ///   let user = try request.stubJSON()
  ///   return .json(["id": 42, "name": user["name"]], status: 201)
  /// }
  /// ```
  ///
  /// The body is that of ``stubBody``, whatever the `Content-Type`. A byte order mark is skipped. A closure that throws
  /// the error fails the request with its text.
  ///
  /// - Throws: A ``StubKitError`` if there is no body, or if it isn't JSON.
  public func stubJSON() throws -> StubJSON {
    guard let stubBody else { throw RecordedBodyMissingError(request: self, missing: nil) }
    return try StubJSON(parsing: stubBody)
  }

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
    if value(forHTTPHeaderField: "Authorization") == nil { headers["Authorization"] = userAuthorization }
    return headers
  }
}
