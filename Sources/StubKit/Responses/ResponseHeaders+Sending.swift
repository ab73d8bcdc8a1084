import StubKitFormats

extension StubResponse {
  /// Returns the header fields for a body of a given length. For HEAD and for a 304, they describe the body that GET would
  /// have received (RFC 9110, section 8.6). A body whose length isn't known in advance has no `Content-Length`.
  func headers(bodyLength: Int) -> ResponseHeaders {
    let isComplete = options?.isHeadComplete == true
    return headers.addingLength(ofBody: hasKnownLength && !isComplete ? bodyLength : nil, status: status)
  }
}

extension ResponseHeaders {
  /// Sets a field unless the caller has set it.
  mutating func setDefault(_ name: String, _ value: String?) {
    if let value, !contains(name) { append(name, value) }
  }

  /// Returns the fields with a `Content-Length` added, unless the status allows none, or the fields say it already.
  ///
  /// - Parameter bodyLength: The length of the body, or `nil` if it isn't known.
  func addingLength(ofBody bodyLength: Int?, status: Int) -> ResponseHeaders {
    let isWithoutLength = (100...199).contains(status) || status == 204 || (status == 304 && bodyLength == 0)
    guard let bodyLength, !isWithoutLength, !contains("Content-Length"), !contains("Transfer-Encoding") else {
      return self
    }
    var headers = self
    headers.append("Content-Length", String(bodyLength))
    return headers
  }

  /// The fields as `HTTPURLResponse` takes them: one for each name, in its first spelling.
  var joined: [String: String] {
    var joined: [String: String] = [:]
    var spellings: [String: String] = [:]
    for field in fields {
      let spelling = spellings[field.name.lowercased(), default: field.name]
      spellings[field.name.lowercased()] = spelling
      joined[spelling] = joined[spelling].map { $0 + ", " + field.value } ?? field.value
    }
    return joined
  }

  /// The first field that HTTP can't carry.
  var problem: StubResponseError.Reason? {
    fields.lazy.compactMap { Self.problem($0.name, $0.value) }.first
  }

  /// Returns why HTTP can't carry a field, or `nil` if it can.
  package static func problem(_ name: String, _ value: String) -> StubResponseError.Reason? {
    if !name.isToken { return .invalidHeaderName(name) }
    if value.utf8.contains(where: { $0 == 0 || $0 == 0x0A || $0 == 0x0D }) {
      return .invalidHeaderValue(value, name: name)
    }
    return nil
  }
}

extension String {
  /// A Boolean value that indicates whether this is a token (RFC 9110, section 5.6.2).
  fileprivate var isToken: Bool { !isEmpty && utf8.allSatisfy(\.isTokenByte) }
}
