import Foundation
import StubKitFormats

/// The response of a stub: a status, headers and a body, or a failure, and the time that it takes.
///
/// A response is a value. A builder creates one, and each modifier returns a changed copy:
///
/// ```swift
/// stub(condition: isPath("/users/42"), response: .json(["id": 42]))
/// stub(
///   condition: isPath("/users"),
///   response: fixture(filePath: "Fixtures/users.json")
///     .delay(.milliseconds(300)))
/// stub(
///   condition: isPath("/login"),
///   response: .text("no", status: 403).header("Retry-After", "60"))
/// stub(condition: .anything, response: .failure(.notConnectedToInternet))
/// ```
///
/// StubKit adds a `Content-Length`, and most builders add a `Content-Type`. Neither overwrites a field that you set.
/// If a response can't be sent, for example because a header contains a line break, the request fails with a
/// ``StubResponseError``.
///
/// The session treats the response like one from a server. It follows redirects, asks its delegate about a 401 or 407
/// for Basic authentication (RFC 7617), and stores cookies. It drops the body of a response to HEAD, and that of a
/// 204 or 304. StubKit never decodes the body, whatever the `Content-Encoding` says: write it as it should arrive.
public struct StubResponse: Sendable {
  package var status: Int
  package var headers: ResponseHeaders
  package var body: ResponseBody
  package var failure: (any Error)?
  package var delay: Time = .zero
  package var pace: BodyPace = .atOnce
  /// The number of bytes in a piece of the body, or `nil` if the pace decides.
  var pieceLength: Int?
  package var interruption: Interruption?
  private var box: Circumstances.Box?

  /// What affects the response besides its own delay and pace, or `nil` if nothing does.
  var circumstances: Circumstances? {
    get { box?.value }
    set { box = newValue.map(Circumstances.Box.init) }
  }

  /// The end of a response that breaks off.
  package struct Interruption: Sendable {
    /// The number of bytes of the body that arrive.
    package let byteCount: Int
    package let error: URLError

    package init(byteCount: Int, error: URLError) {
      self.byteCount = byteCount
      self.error = error
    }
  }

  /// The first reason why the response can't be sent, found when it was created or modified.
  private(set) var problem: StubResponseError.Reason?

  package init(
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

  /// Returns why URLSession rejects a status from a server, or `nil` if it doesn't.
  package static func problem(ofStatus status: Int) -> StubResponseError.Reason? {
    (100...999).contains(status) ? nil : .invalidStatus(status)
  }

  /// Returns a changed copy. Its problem is the first one that any of the changes caused.
  package func modified(problem found: StubResponseError.Reason? = nil, _ change: (inout StubResponse) -> Void)
    -> StubResponse
  {
    var copy = self
    change(&copy)
    copy.problem = problem ?? found
    return copy
  }

  /// Returns a copy whose body is spread over the time that this many bytes per second take.
  package func paced(bytesPerSecond rate: Double) -> StubResponse { modified { $0.pace = .bytesPerSecond(rate) } }
}

extension StubResponse {
  /// A Boolean value that indicates whether the client has to decode the body.
  var isEncoded: Bool { headers.contains("Content-Encoding") && headers["Content-Encoding"] != "identity" }

  /// Returns whether the body is dropped, as URLSession does: in response to HEAD, and with a status of 1xx, 204 or
  /// 304.
  package func dropsBody(for method: String?) -> Bool {
    method == "HEAD" || (100...199).contains(status) || status == 204 || status == 304
  }
}

extension StubResponse: CustomStringConvertible {
  /// The response in one line, as reports print it: `200, application/json, 9 bytes`.
  public var description: String {
    var parts: [String] = []
    if let failure {
      parts.append("failure: \(failure)")
    } else if circumstances?.isSilent == true {
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
    case .recorded(_, let end): parts.append("over \(end)")
    }
    if let interruption { parts.append("failing after \(interruption.byteCount.bytes)") }
    if let circumstances { parts += circumstances.descriptions }
    return parts.joined(separator: ", ")
  }
}

extension Int {
  /// A number of bytes in words.
  fileprivate var bytes: String { self == 1 ? "1 byte" : "\(self) bytes" }
}
