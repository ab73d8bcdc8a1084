import Foundation

/// A request in the journal: what arrived, which stub was chosen, and the outcome.
///
/// A task that is redirected or continues with a credential makes several requests, and each one has an entry of its
/// own:
///
/// ```swift
/// stub(
///   .get, "https://api.example.com/old",
///   response: .redirect(to: "/new"))
/// stub(.get, "https://api.example.com/new", response: .status(204))
/// let old = URL(string: "https://api.example.com/old")!
/// _ = try await URLSession.shared.data(from: old)
/// let entries = HTTPStubs.requests
/// #expect(entries.compactMap(\.outcome.status) == [302, 204])
/// ```
public struct RecordedRequest: SentRequest, CustomStringConvertible {
  /// The request as a server would have received it. It includes the headers that its session adds. Its `httpBody` is
  /// the body, as far as the journal keeps it.
  public fileprivate(set) var request: URLRequest
  /// The body of the request, including the data or the file of an upload. `nil` if the request has no body.
  ///
  /// It is also `nil` for a body of which only the ``largeBodyLength`` is kept, and for a stream that nothing has read,
  /// for example because no stub answers. A verification that depends on such a body fails and says so.
  public var body: Data? { request.httpBody }
  /// The length of a body of more than a megabyte (1,000,000 bytes), unless ``RequestJournal/keepsLargeBodies`` is set.
  /// `nil` for a smaller body, which is in ``body``.
  public var largeBodyLength: Int? { missingBody?.length }
  /// The stub that was chosen, or `nil` for an unmatched request, and for one whose stub is still being looked for.
  public internal(set) var stub: StubReference?
  /// How the request matched its stub, with the captures that a response closure receives too. `nil` for an unmatched
  /// request.
  public internal(set) var match: RequestMatch?
  /// A Boolean value that indicates whether the request belongs to this registry only because of its session, which
  /// was created in the registry's scope, or because no other scope was open. Such a request was made on a plain queue
  /// or in a detached task, and may come from another test.
  ///
  /// Sessions that you bind with ``StubRegistry/install(in:)`` or
  /// ``StubRegistry/makeSession(configuration:delegate:delegateQueue:)`` leave no doubt.
  public let isUnscoped: Bool
  /// The response that was sent. `nil` until its head is sent, for a request that failed earlier, and for one that
  /// went to the network.
  public internal(set) var response: Response?
  /// The time from the request to the head of its response, on the registry's clock. `nil` until then.
  public internal(set) var timeToResponse: Duration?
  /// The wall-clock time when the request was made.
  public let startedAt: Date
  /// The time from the request to its outcome, on the registry's clock. `nil` while the request is in progress.
  public internal(set) var duration: Duration?
  /// The outcome of the request.
  public internal(set) var outcome: Outcome
  /// Why the journal doesn't have the body of the request, or `nil` if it has the body, or if there is none.
  package var missingBody: MissingBody? { life.isUnread || life.body == .lost ? .pending : lackOfBody }
  /// What keeps the body from the journal as soon as nobody reads it any more.
  var lackOfBody: MissingBody?
  /// A Boolean value that indicates whether a server has received the request, so that nothing is added to it any more.
  var isReceived = false
  /// Whether URLSession made the request to follow a redirect. The platforms differ in what they send again then.
  package internal(set) var followsRedirect = false
  /// Whether the request left the machine: by itself, or because a closure asked for its real response.
  package internal(set) var wasSentToNetwork = false
  /// The time of the test's ``ManualClock`` when the request was made, or `nil` if the test has none.
  package internal(set) var manualTime: Duration?
  /// A Boolean value that indicates whether the request could be sent, so that the stubs were asked.
  var isSent = true
  /// How far the request is.
  var life = RequestLife()
  /// A Boolean value that indicates whether a stub can still be chosen for the request.
  var isUndecided: Bool { life.isUndecided }
  /// The time until the client of a server left, or ended its side of the connection, or `nil` if it didn't.
  package internal(set) var timeToHangUp: Duration?

  /// A description such as `GET https://api.example.com/users: answered with 200`.
  public var description: String { "\(request.summary): \(outcome)" }

  init(request: URLRequest, isUnscoped: Bool, startedAt: Date, outcome: Outcome) {
    self.request = request
    (self.isUnscoped, self.startedAt, self.outcome) = (isUnscoped, startedAt, outcome)
  }

}

extension RecordedRequest {
  /// The length in bytes of the longest body that is kept whole, unless all are.
  static let keptLength = 1_000_000

  /// The request is over.
  ///
  /// - Parameters:
  ///   - sentLength: The number of bytes of the response's body that were sent, or `nil` for all.
  ///   - duration: The time since it was made.
  mutating func end(_ outcome: Outcome, _ sentLength: Int?, _ duration: Duration) {
    self.outcome = outcome.after(response)
    if outcome == .passedThrough { wasSentToNetwork = true }
    response?.end(afterBytes: sentLength)
    self.duration = duration
  }

  /// Adds what is known about the request, and as much of its body as the journal keeps. Returns the request before, to
  /// be released outside of a lock, because its stream can belong to the user.
  mutating func take(_ whole: URLRequest, keepsLargeBodies: Bool, isUnread: Bool = false) -> URLRequest {
    let earlier = exchange(&request, with: whole)
    lackOfBody = isUnread ? .unread : nil
    if let body, body.count > Self.keptLength, !keepsLargeBodies {
      lackOfBody = .large(body.count)
      request.httpBody = nil
    }
    return earlier
  }
}

extension RequestFacts {
  /// The facts of a request in the journal, which may not have its body.
  ///
  /// - Parameter isVerified: Whether a verification asks what was sent. Defaults to `false`: the facts are those that
  ///   stubs have seen.
  package init(_ entry: RecordedRequest, isVerified: Bool = false) {
    self.init(IncomingRequest(entry.request, body: entry.missingBody.map { .unread($0) }))
    if isVerified {
      self.isVerified = true
      isSentByURLSession = !entry.isReceived
    }
  }
}

extension RecordedRequest {
  /// The outcome of a request. Outcomes compare by value, so you can use `switch` and `==`:
  ///
  /// ```swift
  /// #expect(entry.outcome == .answered(status: 200))
  /// ```
  public struct Outcome: Sendable, Hashable, CustomStringConvertible {
    /// What equal outcomes have in common.
    private enum Kind: Sendable, Hashable {
      case inProgress
      case answered(status: Int)
      case failed(domain: String, code: Int)
      case cancelled
      case passedThrough
    }
    private let kind: Kind

    /// The error of a request that failed.
    public let error: (any Error)?

    /// The status of the head that arrived, or `nil` if none did.
    public private(set) var status: Int?

    /// The request is in progress.
    public static let inProgress = Outcome(kind: .inProgress, error: nil)
    /// The request was answered completely, with this status.
    public static func answered(status: Int) -> Outcome {
      Outcome(kind: .answered(status: status), error: nil, status: status)
    }
    /// The request failed. Two failures are equal if the domains and codes of their errors are equal.
    public static func failed(_ error: any Error) -> Outcome {
      let bridged = error as NSError
      return Outcome(kind: .failed(domain: bridged.domain, code: bridged.code), error: error)
    }
    /// The client cancelled the request.
    public static let cancelled = Outcome(kind: .cancelled, error: nil)
    /// The request went to the network. The journal doesn't know what happened to it there.
    public static let passedThrough = Outcome(kind: .passedThrough, error: nil)

    /// Returns the outcome of a request whose head had arrived, such as a body that broke off.
    func after(_ response: Response?) -> Outcome {
      var outcome = self
      if outcome.status == nil { outcome.status = response?.status }
      return outcome
    }

    /// The outcome in words.
    public var description: String {
      switch kind {
      case .inProgress: "in progress"
      case .answered(let status): "answered with \(status)"
      case .failed: "failed: \(error?.cause ?? "")"
      case .cancelled: "cancelled"
      case .passedThrough: "passed through to the network"
      }
    }

    /// Returns whether two outcomes are equal. Errors compare by domain and code, and everything else by value.
    public static func == (left: Outcome, right: Outcome) -> Bool { left.kind == right.kind }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) { hasher.combine(kind) }
  }
}

extension RecordedRequest {
  /// The response that was sent to a request.
  ///
  /// ```swift
  /// let journal = HTTPStubs.journal
  /// let response = try #require(journal.entries.last?.response)
  /// #expect(response.headers["Content-Type"] == "application/json")
  /// #expect(response.bodyLength == 9)
  /// ```
  public struct Response: Sendable, CustomStringConvertible {
    /// The status.
    public let status: Int
    /// The number of bytes of the body that were sent. It is less than the whole body if the response broke off, and
    /// 0 while the request is in progress.
    public private(set) var bodyLength = 0
    /// The number of bytes of a body that wasn't sent, because the status (204 or 304) or the method (HEAD) has none.
    public let droppedBodyLength: Int
    /// A Boolean value that indicates whether the conditions of the request decided the status.
    package let isConditional: Bool
    /// The header fields in the order in which they were set, each as often as it was set, with names that compare
    /// without case. It has what ``headers`` has, and the further values of a repeated field.
    ///
    /// ```swift
    /// let response = try #require(login.lastRequest?.response)
    /// #expect(response.headerFields["content-type"] == "text/plain")
    /// #expect(response.headerFields.values(of: "Set-Cookie").count == 2)
    /// ```
    public let headerFields: StubHeaders
    private var content: Data?
    private let contentLength: Int

    /// - Parameters:
    ///   - length: The length of the response's body, sent or not.
    ///   - body: The body as it is sent.
    ///   - isDropped: Whether the body isn't sent, because the status or the method has none.
    init(_ response: StubResponse, length: Int, sent body: ResponseBody, isDropped: Bool) {
      droppedBodyLength = isDropped ? length : 0
      isConditional = response.options?.isConditional ?? false
      status = response.status
      var fields = response.headers(bodyLength: length)
      if isDropped { fields.remove("Transfer-Encoding") }
      headerFields = fields
      content = if case .stream = response.body { nil } else { body.data?.fromZero }
      contentLength = body.count
    }

    /// The values of the header fields by name, as a dictionary: names compare with case, as they were set. If a name
    /// is repeated, the first value. ``headerFields`` has all of them, and compares names without case.
    public var headers: [String: String] { headerFields.firstValues }

    /// The part of the body that was sent. `nil` for a file and a stream, and for a body of more than a megabyte
    /// (1,000,000 bytes), unless ``RequestJournal/keepsLargeBodies`` is set.
    public var body: Data? {
      guard let content, bodyLength < content.count else { return content }
      return Data(content.prefix(bodyLength))
    }

    /// A description such as `200, 9 bytes` or `204, 0 bytes, 9 dropped`.
    public var description: String {
      let sent = "\(status), \(bodyLength) \(bodyLength == 1 ? "byte" : "bytes")"
      return droppedBodyLength == 0 ? sent : "\(sent), \(droppedBodyLength) dropped"
    }

    mutating func dropLargeBody() { if contentLength > RecordedRequest.keptLength { content = nil } }

    /// - Parameter count: The number of bytes of the body that were sent, or `nil` for all.
    mutating func end(afterBytes count: Int?) { bodyLength = count ?? contentLength }
  }
}

/// An error that says that a request has no body to read, or that the journal doesn't keep it.
package struct RecordedBodyMissingError: StubKitError {
  /// The request.
  package let request: URLRequest
  /// The length in bytes of a body that the journal doesn't keep, or `nil` if that isn't known, or if there is none.
  package var length: Int? { missing?.length }
  let missing: MissingBody?

  /// What is missing, and how to keep it.
  package var description: String {
    "\(request.summary) has no body" + (missing.map { " in the journal: \($0.sentence)" } ?? ".")
  }
}
