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
      headers.setDefault("Content-Length", String(bodyLength))
    }
    return headers
  }

  /// A Boolean value that indicates whether the request reaches a server, even if it fails afterwards.
  var reachesServer: Bool { failure?.comesFromServer ?? true }
}

extension StubResponse: CustomStringConvertible {
  /// The response in one line, as reports print it: `200, application/json, 9 bytes`.
  public var description: String {
    var parts: [String] = []
    if let failure {
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

/// What a response can have besides a head, a body and their times. Most responses have none of it, so it is behind one
/// reference.
package struct ResponseOptions: Sendable {
  var network: NetworkConditions?
  var gate: ResponseGate?
  var flakiness: (rate: Double, code: URLError.Code, seed: UInt64?)?
  /// A Boolean value that indicates whether the server accepts the request but never answers.
  var isSilent = false
  /// The number of bytes of the body after which nothing more arrives, or `nil` if it arrives whole.
  var stallsAfter: Int?
  /// How the head meets the client's timeout, or `nil` for a head that doesn't know it.
  var punctuality: Punctuality?
  /// What the response suffers from, in this order.
  var faults: [NetworkFault] = []
  /// A Boolean value that indicates whether the request goes to the network instead.
  var isPassedThrough = false
  /// A Boolean value that indicates whether the test sends the response.
  var isControlled = false
  /// A Boolean value that indicates whether a request receives the ranges that it asks for.
  var acceptsRanges = false
  /// A Boolean value that indicates whether the conditions of a request are evaluated.
  var isConditional = false
  /// A Boolean value that indicates whether the head has no length, as if the server didn't know how much will follow.
  var hidesLength = false
  var moves: [ScenarioMove] = []
  /// The reason phrase of the status, or `nil` for the usual one.
  var reason: String?
  /// Whether the client receives the body whatever the method and the status, and a `Location` leads nowhere.
  package var isVerbatim = false
  /// The latest change of each property that is set on a constant response, for the names of OHHTTPStubs.
  package var changes: Protected<[String: @Sendable (StubResponse) -> StubResponse]>?
  /// Whether the head is a recorded one, to which no length is added.
  package var isHeadComplete = false
  /// Where a recorded redirect has led, whatever its `Location` says, or `nil` if that says it.
  package var redirectTarget: URL?
}

/// The body of a response: bytes in memory, a file, or a stream.
package enum ResponseBody: Sendable {
  case data(Data)
  /// A file that StubKit looks for when it answers a request.
  indirect case file(Fixture)
  /// The bytes at these positions of a long file, which are read when they are sent.
  indirect case open(RegularFile, Range<Int>, by: StubReference?)
  /// The chunks of a sequence, of unknown length.
  case stream(BodyStream)

  package static let empty = ResponseBody.data(Data())

  /// The length up to which a file is read before its first byte is sent.
  static let longestInMemory = 64 << 20
  /// The number of bytes of a longer file that are in memory at a time.
  static let pieceLength = 65_536

  /// The number of bytes, as far as it is known: 0 for a stream, and for a file that isn't open.
  var count: Int {
    switch self {
    case .data(let data): data.count
    case .open(_, let range, _): range.count
    case .file, .stream: 0
    }
  }

  /// The bytes, if they are in memory and don't come from a stream.
  var data: Data? { if case .data(let data) = self { data } else { nil } }
  var isStream: Bool { if case .stream = self { true } else { false } }
  /// A Boolean value that indicates whether the body is a file that isn't open.
  var isClosed: Bool { if case .file = self { true } else { false } }
  /// A Boolean value that indicates whether a piece has to be read from a file.
  var isOpen: Bool { if case .open = self { true } else { false } }

  /// Returns the body with the bytes of its file, or with a long file open. Call this on a queue that can wait.
  ///
  /// - Parameter stub: The stub that answers, for errors.
  func opened(by stub: StubReference?) -> Result<ResponseBody, StubResponseError> {
    guard case .file(let fixture) = self else { return .success(self) }
    do throws(StubResponseError.Reason) {
      let file = try fixture.open()
      let isLong = file.length > Self.longestInMemory
      return .success(try isLong ? .open(file, 0..<file.length, by: stub) : .data(Fixture.load(file)))
    } catch { return .failure(StubResponseError(stub: stub, reason: error)) }
  }

  /// Returns the bytes at these positions, in memory of their own. Those of a file are read now.
  func piece(_ range: Range<Int>) throws(StubResponseError) -> Data {
    switch part(range) {
    case .data(let data): return data
    case .open(let file, let place, let stub):
      do throws(RegularFile.Problem) { return try file.read(place) } catch {
        throw StubResponseError(stub: stub, reason: .fixture(file.path, error))
      }
    case .file, .stream: return Data()
    }
  }

  /// Returns the body with only the bytes at these positions. A stream has no parts.
  func part(_ range: Range<Int>) -> ResponseBody {
    switch self {
    case .data(let data): .data(data.piece(range))
    case .open(let file, let whole, let stub):
      .open(file, whole.lowerBound + range.lowerBound..<whole.lowerBound + range.upperBound, by: stub)
    case .file, .stream: self
    }
  }
}

extension StubHeaders {
  /// Sets a field unless the caller has set it.
  mutating func setDefault(_ name: String, _ value: String?) { if let value, !contains(name) { append(name, value) } }

  /// The fields as `HTTPURLResponse` takes them: one for each name, in its first spelling.
  var joined: [String: String] {
    let joined = Dictionary(fields.map { ($0.name.lowercased(), ($0.name, $0.value)) }) { ($0.0, $0.1 + ", " + $1.1) }
    return Dictionary(uniqueKeysWithValues: joined.values)
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

/// The pace of a body.
package enum BodyPace: Sendable, Equatable {
  case atOnce
  case over(Duration)
  case bytesPerSecond(Double)
  /// The time from the head to the first piece, and from each piece to the next.
  indirect case pieces(every: Duration, first: Duration = .zero)
  /// Each piece that long after the head, and the end that long after it.
  indirect case recorded([Duration], end: Duration)
}

/// When a head arrives that meets the client's timeout.
enum Punctuality: Sendable { case justInTime, justTooLate }

/// The way in which a body is cut.
package enum BodyCut: Sendable {
  /// Into as many pieces as the pace requires.
  case asPaced
  /// Into pieces of this number of bytes. The last piece contains the rest.
  case every(Int)
  /// At these positions, in ascending order.
  case at([Int])
}
