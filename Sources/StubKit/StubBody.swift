import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension URLRequest {
  /// The request's body, wherever URLSession was given it; nil for none.
  ///
  /// ```swift
  /// stub(condition: isPath("/echo")) { request in .data(request.stubBody ?? Data()) }
  /// ```
  ///
  /// A request that StubKit hands to a condition, a response closure or a policy, or keeps in its journal, has here what
  /// was in its `httpBody`, its `httpBodyStream`, its upload task's data or file, or the stream that a delegate gave. On
  /// Linux one that a redirect led to has none: URLSession does not send the body again there.
  ///
  /// > Important: A stream is never read here, since reading uses it up: a request that did not come from StubKit has only
  /// > its `httpBody` here. In the journal, so has one whose stream or file no stub and no policy asked for.
  public var stubBody: Data? { httpBody }
}
