import Foundation

extension URLRequest {
  /// The body of the request, or `nil` if there is none.
  ///
  /// ```swift
  /// stub(condition: isPath("/echo")) { request in
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
  /// > from StubKit, it contains only > `httpBody`. The same applies to a request in the journal if no stub and no
  /// > policy needed its stream or file.
  public var stubBody: Data? { httpBody }
}
