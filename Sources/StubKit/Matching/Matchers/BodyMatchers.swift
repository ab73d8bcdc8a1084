import Foundation

/// Matches requests with exactly these bytes as their body. No body and an empty one are the same.
public func hasBody(_ body: Data) -> RequestMatcher {
  RequestMatcher(.body(body))
}

/// Matches requests whose body contains this text's UTF-8 bytes somewhere: `bodyContains("needle")`.
public func bodyContains(_ text: String) -> RequestMatcher {
  RequestMatcher(.bodyText(text))
}

/// Matches requests whose body is a form with these fields and no others, in any order.
///
/// ```swift
/// hasFormBody(["user": "ann", "remember": nil, "note": ""])  // note=&remember&user=ann
/// ```
///
/// `nil` is a name without =, `""` a name with = and nothing after it. Names and values are percent-decoded and + is a
/// space, as the WHATWG URL standard parses `application/x-www-form-urlencoded`. Of a repeated name every field has to
/// fit. The Content-Type is not looked at.
public func hasFormBody(_ fields: [String: String?]) -> RequestMatcher {
  RequestMatcher(.form(NamedValue.sorted(fields)))
}

/// Matches requests whose body is a form with these fields and no others, in any order, repeated ones as often as here.
///
/// ```swift
/// hasFormBody(URLQueryItem(name: "tag", value: "a"), URLQueryItem(name: "tag", value: "b"))  // tag=b&tag=a
/// ```
public func hasFormBody(_ fields: URLQueryItem...) -> RequestMatcher {
  RequestMatcher(.formItems(NamedItems(fields.map { NamedValue(name: $0.name, value: $0.value) })))
}

/// Matches requests whose multipart body (RFC 7578) has a part with this name: `hasMultipartPart(named: "avatar")`.
///
/// - Parameters:
///   - name: The name in the part's Content-Disposition, with case.
///   - contentType: The part's type, as in `"image/png"`, compared without case, and with the part's parameters only if
///     it has some itself. A part that names none is `text/plain`. By default any.
public func hasMultipartPart(named name: String, contentType: String? = nil) -> RequestMatcher {
  RequestMatcher(.multipart(name: name, contentType: contentType))
}

/// Matches GraphQL requests for this operation: `isGraphQL(operation: "GetUser")`.
///
/// It is looked for in a JSON body (or a batch of them), in an `application/graphql` document and in a GET's query
/// (GraphQL over HTTP). `operationName` counts; without it, the name in the document, if the document has just one
/// operation.
public func isGraphQL(operation: String) -> RequestMatcher {
  RequestMatcher(.graphQL(operation))
}
