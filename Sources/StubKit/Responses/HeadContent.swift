import StubKitFormats

/// Everything in a response's head except its URL.
struct HeadContent: Sendable {
  let status: Int
  let headers: ResponseHeaders
  /// The `Content-Length` that is added to the headers, or `nil` if none is.
  let addedLength: Int?

  /// The fields as `HTTPURLResponse` takes them.
  var fields: [String: String] { headers.adding(length: addedLength).joined }
}

extension StubResponse {
  /// Returns the head for a body of a given length. For HEAD and for a 304, it describes the body that GET would have
  /// received (RFC 9110, section 8.6). A body whose length isn't known in advance has no `Content-Length`.
  func headContent(bodyLength: Int) -> HeadContent {
    let isComplete = circumstances?.isHeadComplete == true
    let length = body.hasKnownLength && !isComplete ? bodyLength : nil
    return HeadContent(
      status: status, headers: headers, addedLength: headers.missingLength(ofBody: length, status: status))
  }
}
