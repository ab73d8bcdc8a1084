import Foundation

/// The response of a stub: a status, headers and a body, or a failure, and the time that it takes.
///
/// A response is a value. A builder creates one, and each modifier returns a changed copy:
///
/// ```swift
/// stub(
///   .get, "https://api.example.com/users/42",
///   response: .json(["id": 42]))
/// stub(
///   .get, "https://api.example.com/users",
///   response: .file("Fixtures/users.json")
///     .delay(.milliseconds(300)))
/// stub(
///   .post, "https://api.example.com/login",
///   response: .text("no", status: 403).header("Retry-After", "60"))
/// stub(condition: .anything, response: .failure(.notConnectedToInternet))
/// ```
///
/// StubKit adds a `Content-Length`, and most builders add a `Content-Type`. Neither overwrites a field that you set.
/// If a response can't be sent, for example because a header contains a line break, the request fails with a
/// ``StubResponseError``.
///
/// The session treats the response like one from a server. It follows redirects, asks its delegate about a 401 for
/// Basic authentication (RFC 7617), and stores cookies. It drops the body of a response to HEAD, and that of a
/// 204 or 304. StubKit never decodes the body, whatever the `Content-Encoding` says: write it as it should arrive.
public struct StubResponse: Sendable {
  package var status: Int
  package var headers: StubHeaders
  package var body: ResponseBody
  package var failure: (any Error)?
  package var delay: Duration = .zero
  package var pace: BodyPace = .atOnce
  package var cut: BodyCut = .asPaced
  /// The end of a response that breaks off: after so many bytes of the body, with this error.
  package var interruption: (byteCount: Int, error: any Error)?
  // An array, as an indirect optional: most responses have none, and a copy of them costs nothing.
  private var box: [ResponseOptions] = []

  /// What most responses don't have, or `nil` if this one doesn't.
  package var options: ResponseOptions? {
    get { box.first }
    set { box = newValue.map { [$0] } ?? [] }
  }

  /// The first reason why the response can't be sent, found when it was created or modified.
  package private(set) var problem: StubResponseError.Reason?

  package init(
    status: Int, headers: StubHeaders, contentType: String? = nil, body: ResponseBody, failure: (any Error)? = nil,
    problem: StubResponseError.Reason? = nil
  ) {
    self.status = status
    self.headers = headers
    self.headers.setDefault("Content-Type", contentType)
    self.body = body
    self.failure = failure
    self.problem = problem ?? Self.problem(ofStatus: status) ?? headers.problem
  }

  /// Returns why a status ends no request, or `nil` if it does.
  package static func problem(ofStatus status: Int) -> StubResponseError.Reason? {
    (200...999).contains(status) ? nil : .invalidStatus(status)
  }

  /// Returns a changed copy. Its problem is the first one that any of the changes caused.
  ///
  /// - Parameter isOfNetwork: Whether the change counts for a request that is passed through, too.
  package func modified(
    problem found: StubResponseError.Reason? = nil, isOfNetwork: Bool = false, _ change: (inout StubResponse) -> Void
  ) -> StubResponse {
    var copy = self
    change(&copy)
    copy.problem = problem ?? found ?? (isPassedThrough && !isOfNetwork ? .modifiedPassThrough : nil)
    return copy
  }

  package func configured(
    problem: StubResponseError.Reason? = nil, isOfNetwork: Bool = false, _ change: (inout ResponseOptions) -> Void
  ) -> StubResponse {
    modified(problem: problem, isOfNetwork: isOfNetwork) {
      var options = $0.options ?? ResponseOptions()
      change(&options)
      $0.options = options
    }
  }
}

extension StubResponse {
  /// Whether the length of the body is known in advance, so that the head can contain it.
  var hasKnownLength: Bool { !body.isStream && options?.hidesLength != true }

  /// The response with the changes that were made to it in a constant.
  package var changed: StubResponse { options?.changes?.current.values.reduce(self) { $1($0) } ?? self }

  /// A Boolean value that indicates whether it can redirect to another request.
  var mayRedirect: Bool {
    if options?.faults.contains(where: \.mayRedirect) == true { return true }
    return (300..<400).contains(status) && headers.contains("Location") && options?.isVerbatim != true
  }

  /// A Boolean value that indicates whether the client has to decode the body.
  var isEncoded: Bool { headers.contains("Content-Encoding") && headers["Content-Encoding"] != "identity" }

  /// Returns whether the body is dropped, as URLSession does: in response to HEAD, and with the status 204 or 304.
  package func dropsBody(for method: String?) -> Bool {
    options?.isVerbatim != true && (method == "HEAD" || status == 204 || status == 304)
  }

  /// Returns the header fields for a body of a given length. For HEAD and for a 304, they describe the body that GET
  /// would have received (RFC 9110, section 8.6). They have no `Content-Length` of StubKit's for a body whose length
  /// isn't known in advance, for a status that allows none, and if the body is chunked.
  func headers(bodyLength: Int) -> StubHeaders {
    let isWithoutLength = status == 204 || (status == 304 && bodyLength == 0)
    var headers = headers
    // A message has one of the two (RFC 9112, section 6.2).
    if headers.contains("Transfer-Encoding") {
      headers.remove("Content-Length")
      headers.replace("Transfer-Encoding", "chunked")
    } else if hasKnownLength, options?.isHeadComplete != true, !isWithoutLength {
      headers.setDefault(options?.httpVersion == .http2 ? "content-length" : "Content-Length", String(bodyLength))
    }
    return headers
  }

  /// A Boolean value that indicates whether the request reaches a server, even if it fails afterwards.
  var reachesServer: Bool { options?.uploadLoss != nil || failure?.comesFromServer ?? true }
}

extension StubResponse: CustomStringConvertible {
  /// The response in one line, as reports print it: `200, application/json, 9 bytes`.
  public var description: String {
    var parts: [String] = []
    if let loss = options?.uploadLoss {
      let place =
        if case .bytes(let count) = loss.place { "\(count == 1 ? "1 byte" : "\(count) bytes")" } else { "half" }
      parts.append("failure after \(place) of the upload: \(loss.error)")
    } else if let failure {
      parts.append("failure: \(failure)")
    } else if options?.isSilent == true {
      parts.append("no answer")
    } else if isPassedThrough {
      parts.append("passed through")
    } else if isControlled {
      parts.append("controlled by the test")
    } else {
      parts.append(String(status))
      if (300...399).contains(status), let location = headers["Location"] { parts.append("to \(location)") }
      if let contentType = headers["Content-Type"] { parts.append(contentType) }
      switch body {
      case .data(let data) where data.isEmpty: parts.append("no body")
      case .stream: parts.append("a stream")
      case .file(let fixture): parts.append("file \(fixture.name)")
      case .data, .open: parts.append(body.count == 1 ? "1 byte" : "\(body.count) bytes")
      }
    }
    if delay != .zero { parts.append("after \(delay)") }
    parts += (options?.faults ?? []).map { "suffering \($0)" }
    return parts.listed
  }
}

extension StubHeaders {
  /// Sets a field unless the caller has set it.
  mutating func setDefault(_ name: String, _ value: String?) { if let value, !contains(name) { append(name, value) } }

  /// The fields as `HTTPURLResponse` takes them: one for each name, in its first spelling.
  var joined: [String: String] {
    var firstSpellings: [String: String] = [:]
    var joined: [String: String] = [:]
    for field in fields {
      let key = field.name.lowercased()
      let name = firstSpellings[key] ?? field.name
      firstSpellings[key] = name
      joined[name] = joined[name].map { "\($0), \(field.value)" } ?? field.value
    }
    return joined
  }

  /// The first field that HTTP can't carry.
  var problem: StubResponseError.Reason? { fields.lazy.compactMap { Self.problem($0.name, $0.value) }.first }

  /// Returns why HTTP can't carry a field, or `nil` if it can.
  package static func problem(_ name: String, _ value: String) -> StubResponseError.Reason? {
    // A name is a token (RFC 9110, section 5.6.2).
    if name.isEmpty || !name.utf8.allSatisfy(\.isTokenByte) { return .invalidHeaderName(name) }
    if value.utf8.contains(where: { $0 == 0 || $0 == 0x0A || $0 == 0x0D }) {
      return .invalidHeaderValue(value, name: name)
    }
    if name.isHeaderName("Transfer-Encoding"), !["", "chunked"].contains(value.lowercased()) {
      return .invalidTransferEncoding(value)
    }
    return nil
  }
}

extension Error {
  /// A Boolean value that indicates whether it is the failure of a request that has reached a server.
  var comesFromServer: Bool {
    switch (self as? URLError)?.code {
    case .networkConnectionLost, .timedOut, .badServerResponse, .cannotParseResponse, .zeroByteResource: true
    default: false
    }
  }
}
