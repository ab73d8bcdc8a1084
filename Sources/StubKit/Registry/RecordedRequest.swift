import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One request as the journal keeps it: what came in, which stub was chosen, and what came of it.
///
/// A task that is redirected, or goes on with a credential, makes several requests, and each has an entry of its own:
///
/// ```swift
/// stub(condition: isPath("/old"), response: .redirect(to: "/new"))
/// stub(condition: isPath("/new"), response: .empty())
/// _ = try await URLSession.shared.data(from: URL(string: "https://api.example.com/old")!)
/// #expect(StubRegistry.current.journal.entries.compactMap(\.outcome.status) == [302, 204])
/// ```
public struct RecordedRequest: Sendable, CustomStringConvertible {
  /// The stub that was chosen: its name at that time, and where it was written.
  public typealias StubReference = StubKit.StubReference

  /// The request as a server would have got it: the headers that its session adds are in it, and its body, as far as it is
  /// kept, is its `httpBody`.
  public internal(set) var request: URLRequest
  /// The request's body, including the data or the file of an upload. `nil` if the request has no body, if the body is a stream
  /// that no stub asked for, and if ``largeBody`` describes it.
  public internal(set) var body: Data?
  /// What is kept of a body of more than a megabyte (1,000,000 bytes), unless ``RequestJournal/keepsLargeBodies`` is set;
  /// nil for a smaller one, whose bytes are in ``body``.
  public internal(set) var largeBody: BodyDigest?
  /// The stub that was chosen; nil for a request that none matched.
  public let stub: StubReference?
  /// Whether the request came here only because its session was made in this registry's scope: it was made on a plain queue
  /// or in a detached task, and may be another test's that shares the session.
  ///
  /// ``StubRegistry/install(in:)`` and ``StubRegistry/makeSession(configuration:delegate:delegateQueue:)`` leave no doubt.
  public let isInferred: Bool
  /// What went out in answer; nil as long as no head has, and for what failed before or went to the network.
  public internal(set) var response: Response?
  /// From the request to the head of its response, on the registry's clock; nil until then.
  public internal(set) var timeToResponse: Duration?
  /// When the request was made, by the wall clock.
  public let startedAt: Date
  /// From the request to its outcome, on the registry's clock; nil while it is in progress.
  public internal(set) var duration: Duration?
  /// What came of it.
  public internal(set) var outcome: Outcome

  /// `GET https://api.example.com/users: answered with 200`
  public var description: String { "\(request.summary): \(outcome)" }
}

extension RecordedRequest {
  /// A body by its length and its hash: equal bodies have equal ones, in another run too.
  ///
  /// ```swift
  /// let uploads = StubRegistry.current.journal.requests(matching: isPath("/films"))
  /// #expect(uploads[0].largeBody?.length == 4_000_000)
  /// #expect(uploads[0].largeBody == uploads[1].largeBody)  // the retry sent the same again
  /// ```
  public struct BodyDigest: Sendable, Hashable {
    /// In bytes.
    public let length: Int
    /// Not a cryptographic one: it tells bodies apart that differ by chance, not by design.
    public let hash: UInt64

    init(_ body: Data) {
      self.init(length: body.count) {
        body.subdata(in: body.startIndex + $0.lowerBound..<body.startIndex + $0.upperBound)
      }
    }

    /// Of a body that need not be in memory as a whole: the hash is that of its pieces' hashes.
    ///
    /// - Parameter piece: Gives the bytes at these positions.
    init<Failure: Error>(length: Int, _ piece: (Range<Int>) throws(Failure) -> Data) throws(Failure) {
      var hash = KeyHash(seed: 0)
      for range in RegularFile.pieces(of: length) { hash.combine(try piece(range).keyHash) }
      self.length = length
      self.hash = hash.value
    }
  }

  /// The longest body, in bytes, that is kept whole unless all are.
  private static let keptLength = 1_000_000

  /// Puts the body that is in a file in place, as much of it as is to be kept.
  ///
  /// - Throws: `RegularFile.Problem`, and `CancellationError` as soon as the flag is cancelled.
  mutating func takeBody(in file: RegularFile, keepsLargeBodies: Bool, unless flag: CancellationFlag) throws {
    guard file.length > Self.keptLength, !keepsLargeBodies else {
      let body = try file.read(0..<file.length, unless: flag)
      request.httpBody = body
      self.body = body
      return
    }
    largeBody = try BodyDigest(length: file.length) { range in
      try flag.check()
      return try file.read(range)
    }
  }

  /// Puts what is known of the request in place, as much of its body as is to be kept.
  mutating func take(_ request: URLRequest, body: Data?, keepsLargeBodies: Bool) {
    self.request = request
    guard let body, body.count > Self.keptLength, !keepsLargeBodies else {
      self.body = body
      return
    }
    largeBody = BodyDigest(body)
    self.body = nil
    self.request.httpBody = nil
  }
}

extension RecordedRequest {
  /// What came of a request. Compared by value, so that `switch` and `==` work on it:
  ///
  /// ```swift
  /// #expect(entry.outcome == .answered(status: 200))
  /// ```
  public struct Outcome: Sendable, Hashable, CustomStringConvertible {
    private enum Kind: Hashable {
      case inProgress
      case answered(Int)
      case failed(domain: String, code: Int)
      case cancelled
      case passedThrough
    }
    private let kind: Kind

    /// The error of a request that failed.
    public let error: (any Error)?

    private init(_ kind: Kind, error: (any Error)? = nil) {
      self.kind = kind
      self.error = error
    }

    /// Not settled yet.
    public static let inProgress = Outcome(.inProgress)
    /// Answered to the end, with that status.
    public static func answered(status: Int) -> Outcome { Outcome(.answered(status)) }
    /// Failed. Two failures are equal when their errors' domains and codes are.
    public static func failed(_ error: any Error) -> Outcome {
      let bridged = error as NSError
      return Outcome(.failed(domain: bridged.domain, code: bridged.code), error: error)
    }
    /// Cancelled by its owner.
    public static let cancelled = Outcome(.cancelled)
    /// Handed to the network; what became of it there is not known here.
    public static let passedThrough = Outcome(.passedThrough)

    /// The status of a request that was answered.
    public var status: Int? {
      if case .answered(let status) = kind { status } else { nil }
    }

    /// The outcome in words.
    public var description: String {
      switch kind {
      case .inProgress: "in progress"
      case .answered(let status): "answered with \(status)"
      case .failed: "failed: \(error.map { $0.localizedDescription } ?? "")"
      case .cancelled: "cancelled"
      case .passedThrough: "passed through to the network"
      }
    }

    /// Compares errors by domain and code, everything else by value.
    public static func == (left: Outcome, right: Outcome) -> Bool { left.kind == right.kind }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) { hasher.combine(kind) }
  }
}
