import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What a stub answers: a status, headers and a body, or a failure, and how long it takes.
///
/// A response is a value. Builders make one, and each modifier returns a new one:
///
/// ```swift
/// stub(condition: isPath("/users/42"), response: .json(["id": 42]))
/// stub(condition: isPath("/users"), response: fixture(filePath: "Fixtures/users.json").delay(.milliseconds(300)))
/// stub(condition: isPath("/login"), response: .text("no", status: 403).header("Retry-After", "60"))
/// stub(condition: .anything, response: .failure(.notConnectedToInternet))
/// ```
///
/// A `Content-Length` is added, and by most builders a `Content-Type`; neither is ever overwritten. A response that can't be
/// sent, say for a header with a line break in it, fails the request with a ``StubResponseError``.
///
/// The session takes it for a server's: a redirect is followed, a 401 or 407 that asks for Basic authentication (RFC 7617)
/// is put to the session's delegate, cookies are stored, and the body of an answer to HEAD, and of a 204 or 304, is dropped.
/// Its body is never decoded, whatever `Content-Encoding` says: give it as it is to arrive.
public struct StubResponse: Sendable {
  var status: Int
  var headers: ResponseHeaders
  var body: ResponseBody
  var failure: (any Error)?
  var delay: Time = .zero
  var pace: BodyPace = .atOnce
  /// How many bytes a piece of the body has; nil for as many as the pace asks for.
  var pieceLength: Int?
  var interruption: Interruption?
  private var box: Circumstances.Box?

  /// Nil for a response that nothing befalls.
  var circumstances: Circumstances? {
    get { box?.value }
    set { box = newValue.map(Circumstances.Box.init) }
  }

  /// The end of a response that breaks off.
  struct Interruption: Sendable {
    /// How much of the body arrives.
    let byteCount: Int
    let error: URLError
  }

  /// The first thing found, when the value was made or modified, that makes it unfit to be sent.
  private(set) var problem: StubResponseError.Reason?

  init(
    status: Int, headers: ResponseHeaders, contentType: String? = nil, body: ResponseBody, failure: (any Error)? = nil,
    problem: StubResponseError.Reason? = nil
  ) {
    self.status = status
    self.headers = headers
    self.headers.setDefault("Content-Type", contentType)
    self.body = body
    self.failure = failure
    self.problem = problem ?? Self.problem(ofStatus: status) ?? headers.problem
  }

  /// Why URLSession takes no such status from a server, if it doesn't.
  static func problem(ofStatus status: Int) -> StubResponseError.Reason? {
    (100...999).contains(status) ? nil : .invalidStatus(status)
  }

  /// A copy that is changed, its problem the first that any of the changes brought.
  func modified(problem found: StubResponseError.Reason? = nil, _ change: (inout StubResponse) -> Void) -> StubResponse
  {
    var copy = self
    change(&copy)
    copy.problem = problem ?? found
    return copy
  }
}

extension StubResponse {
  /// The header fields as they go out with a body of that many bytes, or, to HEAD and in a 304, as they describe the body
  /// that GET would have got (RFC 9110, 8.6). A body whose length nobody knows before it ends goes out without one.
  func headerFields(bodyLength: Int) -> [String: String] {
    headers.adding(bodyLength: body.hasKnownLength ? bodyLength : nil, status: status).joined
  }

  /// Whether the body is to be decoded before it is what was asked for.
  var isEncoded: Bool { headers.contains("Content-Encoding") && headers["Content-Encoding"] != "identity" }

  /// Whether the body is dropped, as natively: in answer to HEAD, and in a 1xx, 204 or 304.
  func dropsBody(for method: String?) -> Bool {
    method == "HEAD" || (100...199).contains(status) || status == 204 || status == 304
  }
}

extension StubResponse: CustomStringConvertible {
  /// The response in a line, as reports print it: `200, application/json, 9 bytes`.
  public var description: String {
    var parts: [String] = []
    if let failure {
      parts.append("failure: \(failure)")
    } else if circumstances?.isSilent == true {
      parts.append("no answer")
    } else if isPassedThrough {
      parts.append("passed through")
    } else {
      parts.append(String(status))
      if (300...399).contains(status), let location = headers["Location"] { parts.append("to \(location)") }
      if let contentType = headers["Content-Type"] { parts.append(contentType) }
      switch body {
      case .empty: parts.append("no body")
      case .data(let data): parts.append(data.count.bytes)
      case .pieces(let data, let ends, _):
        parts.append("\(data.count.bytes) in \(ends.count == 1 ? "1 piece" : "\(ends.count) pieces")")
      case .stream: parts.append("a stream")
      case .file(let fixture): parts.append("file \(fixture.name)")
      }
    }
    if delay != .zero { parts.append("after \(delay)") }
    if let pieceLength { parts.append("\(pieceLength.bytes) at a time") }
    switch pace {
    case .atOnce: break
    case .over(let duration): parts.append("over \(duration)")
    case .bytesPerSecond(let rate): parts.append("at \(rate) bytes per second")
    case .pieces(every: let interval, first: let first):
      if interval != .zero { parts.append("every \(interval)") }
      if first != .zero { parts.append("the first after \(first)") }
    }
    if let interruption { parts.append("failing after \(interruption.byteCount.bytes)") }
    if let circumstances { parts += circumstances.descriptions }
    return parts.joined(separator: ", ")
  }
}

extension Int {
  /// As a number of bytes in words.
  fileprivate var bytes: String { self == 1 ? "1 byte" : "\(self) bytes" }
}
