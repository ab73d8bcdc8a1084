import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension URLRequest {
  /// The items of the URL's query, as matchers see them.
  ///
  /// ```swift
  /// stub(condition: isPath("/search")) { request in
  ///   .json(["filters": request.stubQueryItems.filter { $0.name == "filter" }.compactMap(\.value)])
  /// }
  /// ```
  ///
  /// Names and values are percent-decoded, and a + is a plus (RFC 3986). An item without = has no value, and one with nothing
  /// after its = has an empty one. The items are in the URL's order. A request without a query has none.
  public var stubQueryItems: [URLQueryItem] {
    var facts = RequestFacts(self)
    return facts.queryItems.urlQueryItems
  }

  /// The values of the URL's query by their names, as matchers see them.
  ///
  /// ```swift
  /// stub(condition: isPath("/films")) { request in
  ///   let page = request.stubQuery["page"].flatMap(Int.init) ?? 1
  ///   return .json(["page": JSONValue(page), "films": []])
  /// }
  /// ```
  ///
  /// Of a repeated name, it has the first value. An item without = has the empty value. ``stubQueryItems`` tells both apart.
  public var stubQuery: [String: String] {
    Dictionary(stubQueryItems.map { ($0.name, $0.value ?? "") }) { first, _ in first }
  }

  /// The fields of the body as a form, as matchers see them; nil if there is no body.
  ///
  /// ```swift
  /// stub(condition: isMethodPOST() && isPath("/login")) { request in
  ///   let user = request.stubForm?.first { $0.name == "user" }?.value
  ///   return user == "ann" ? .empty() : .empty(status: 401)
  /// }
  /// ```
  ///
  /// Names and values are percent-decoded, and a + is a space, as the WHATWG URL standard parses
  /// `application/x-www-form-urlencoded`. A field without = has no value. The Content-Type is not looked at. The body is the
  /// one that ``stubBody`` has.
  public var stubForm: [URLQueryItem]? {
    stubBody.map { FormBody(parsing: $0).fields.urlQueryItems }
  }

  /// The body as JSON, as matchers see it; nil if there is no body or if it is not JSON.
  ///
  /// ```swift
  /// stub(condition: isMethodPOST() && isPath("/users")) { request in
  ///   .json(["id": 42, "name": request.stubJSON?["name"] ?? nil], status: 201)
  /// }
  /// ```
  ///
  /// A byte order mark is skipped. The Content-Type is not looked at. The body is the one that ``stubBody`` has.
  public var stubJSON: JSONValue? {
    stubBody.flatMap { try? JSONValue(parsing: $0) }
  }
}

extension NamedItems {
  fileprivate var urlQueryItems: [URLQueryItem] { map { URLQueryItem(name: $0.name, value: $0.value) } }
}
