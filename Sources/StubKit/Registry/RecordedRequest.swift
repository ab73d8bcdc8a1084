import Foundation

/// A request in the journal: what arrived, which stub was chosen, and the outcome.
///
/// A task that is redirected or continues with a credential makes several requests, and each one has an entry of its
/// own:
///
/// ```swift
/// stub(condition: isPath("/old"), response: .redirect(to: "/new"))
/// stub(condition: isPath("/new"), response: .empty())
/// let old = URL(string: "https://api.example.com/old")!
/// _ = try await URLSession.shared.data(from: old)
/// let entries = StubRegistry.current.journal.entries
/// #expect(entries.compactMap(\.outcome.status) == [302, 204])
/// ```
public struct RecordedRequest: Sendable, CustomStringConvertible {
  /// The stub that was chosen, with its name at that time and its location.
  public typealias StubReference = StubKit.StubReference

  /// The request as a server would have received it. It includes the headers that its session adds. Its `httpBody` is
  /// the body, as far as the journal keeps it.
  public internal(set) var request: URLRequest
  /// The body of the request, including the data or the file of an upload. `nil` if the request has no body, if the
  /// body is a stream that no stub needed, or if only its ``largeBodyLength`` is kept.
  public var body: Data? { request.httpBody }
  /// The length of a body of more than a megabyte (1,000,000 bytes), unless ``RequestJournal/keepsLargeBodies`` is set.
  /// `nil` for a smaller body, which is in ``body``.
  public internal(set) var largeBodyLength: Int?
  /// The stub that was chosen, or `nil` for an unmatched request.
  public let stub: StubReference?
  /// How the request matched its stub, with the captures that a response closure receives too. `nil` for an unmatched
  /// request.
  public let match: RequestMatch?
  /// A Boolean value that indicates whether the request belongs to this registry only because of its session, which
  /// was created in the registry's scope, or because no other scope was open. Such a request was made on a plain queue or
  /// in a detached task, and may come from another test.
  ///
  /// Sessions that you bind with ``StubRegistry/install(in:)`` or
  /// ``StubRegistry/makeSession(configuration:delegate:delegateQueue:)`` leave no doubt.
  public let isInferred: Bool
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

  /// A description such as `GET https://api.example.com/users: answered with 200`.
  public var description: String { "\(request.summary): \(outcome)" }
}

extension RecordedRequest {
  /// The length in bytes of the longest body that is kept whole, unless all are.
  static let keptLength = 1_000_000

  /// Adds what is known about the request, and as much of its body as the journal keeps.
  mutating func take(_ request: URLRequest, keepsLargeBodies: Bool) {
    self.request = request
    guard let body, body.count > Self.keptLength, !keepsLargeBodies else { return }
    largeBodyLength = body.count
    self.request.httpBody = nil
  }
}

extension RecordedRequest {
  /// The outcome of a request. Outcomes compare by value, so you can use `switch` and `==`:
  ///
  /// ```swift
  /// #expect(entry.outcome == .answered(status: 200))
  /// ```
  public struct Outcome: Sendable, Hashable, CustomStringConvertible {
    /// What equal outcomes have in common, in words.
    private let text: String

    /// The error of a request that failed.
    public let error: (any Error)?

    /// The status of the head that arrived, or `nil` if none did.
    public private(set) var status: Int?

    private init(_ text: String, error: (any Error)? = nil, status: Int? = nil) {
      (self.text, self.error, self.status) = (text, error, status)
    }

    /// The request is in progress.
    public static let inProgress = Outcome("in progress")
    /// The request was answered completely, with this status.
    public static func answered(status: Int) -> Outcome { Outcome("answered with \(status)", status: status) }
    /// The request failed. Two failures are equal if the domains and codes of their errors are equal.
    public static func failed(_ error: any Error) -> Outcome {
      let bridged = error as NSError
      return Outcome("failed: \(bridged.domain) \(bridged.code)", error: error)
    }
    /// The client cancelled the request.
    public static let cancelled = Outcome("cancelled")
    /// The request went to the network. The journal doesn't know what happened to it there.
    public static let passedThrough = Outcome("passed through to the network")

    /// Returns the outcome of a request whose head had arrived, such as a body that broke off.
    func after(_ response: Response?) -> Outcome {
      var outcome = self
      if outcome.status == nil { outcome.status = response?.status }
      return outcome
    }

    /// The outcome in words.
    public var description: String { error.map { "failed: \($0.localizedDescription)" } ?? text }

    /// Returns whether two outcomes are equal. Errors compare by domain and code, and everything else by value.
    public static func == (left: Outcome, right: Outcome) -> Bool { left.text == right.text }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) { hasher.combine(text) }
  }
}
