import Foundation
import StubKitFormats

/// Matches requests whose body consists of exactly these bytes. A missing body and an empty one are equal.
public func hasBody(_ body: Data) -> RequestMatcher {
  RequestMatcher(.body(body))
}

/// Matches requests whose body contains the UTF-8 bytes of a text, such as `bodyContains("needle")`.
public func bodyContains(_ text: String) -> RequestMatcher {
  RequestMatcher(.bodyText(text))
}

/// Matches requests whose body is a form with these fields and no others, in any order.
///
/// ```swift
/// // Matches note=&remember&user=ann.
/// hasFormBody(["user": "ann", "remember": nil, "note": ""])
/// ```
///
/// `nil` stands for a name without `=`, and `""` for a name with `=` and nothing after it. Names and values are
/// percent-decoded, and a `+` is a space, as the WHATWG URL standard specifies for
/// `application/x-www-form-urlencoded`. If a form repeats a name, all of its fields must match. The `Content-Type`
/// doesn't matter.
public func hasFormBody(_ fields: [String: String?]) -> RequestMatcher {
  RequestMatcher(.form(NamedValue.sorted(fields)))
}

/// Matches requests whose body is a form with these fields and no others, in any order. A repeated field must occur
/// as often as in the list.
///
/// ```swift
/// // Matches tag=b&tag=a.
/// hasFormBody(
///   URLQueryItem(name: "tag", value: "a"),
///   URLQueryItem(name: "tag", value: "b"))
/// ```
public func hasFormBody(_ fields: URLQueryItem...) -> RequestMatcher { hasFormBody(items: fields) }

/// The same, with the fields in an array.
package func hasFormBody(items: [URLQueryItem]) -> RequestMatcher {
  RequestMatcher(.formItems(NamedItems(items.map { NamedValue(name: $0.name, value: $0.value) })))
}

/// Matches requests whose multipart body (RFC 7578) has a part with a name, such as
/// `hasMultipartPart(named: "avatar")`.
///
/// - Parameters:
///   - name: The name in the part's Content-Disposition. Case matters.
///   - contentType: The content type of the part, such as `"image/png"`. Case doesn't matter. The part's parameters
///     are compared only if you pass some. A part without a content type counts as `text/plain`. Defaults to `nil`,
///     which matches any type.
public func hasMultipartPart(named name: String, contentType: String? = nil) -> RequestMatcher {
  RequestMatcher(.multipart(name: name, contentType: contentType))
}

/// Matches GraphQL requests for an operation, such as `isGraphQL(operation: "GetUser")`.
///
/// The operation can be in a JSON body, in a batch of operations, in an `application/graphql` document, or in the
/// query of a GET request (GraphQL over HTTP). The matcher compares `operationName`. If the request has none, it
/// compares the name in the document, provided that the document has only one operation.
public func isGraphQL(operation: String) -> RequestMatcher {
  RequestMatcher(.graphQL(operation))
}
