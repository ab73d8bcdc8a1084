import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What comes back from the network for one task, from its first request to its end.
///
/// It may be told from any thread, in the order in which things happened. It does not keep its recorder: what is still under way
/// when a recording ends is recorded for nobody.
final class ExchangeRecording: Sendable {
  fileprivate struct State: ~Copyable {
    weak var recorder: ExchangeRecorder?
    let ticket: ExchangeRecorder.Ticket
    var finished: [HTTPArchive.Entry] = []
    var hop: Hop
    /// What the requests send that send a body at all, if that is known before.
    var requestBody: Data?
    /// The body that is read while it is sent.
    var sent = BodySpool()
    var isOver = false
    var hasLedOn = false
  }

  /// A request under way.
  fileprivate struct Hop: ~Copyable {
    var request: URLRequest
    let startedAt = Date()
    let began = ContinuousClock.now
    var head: (response: HTTPURLResponse, time: Duration)?
    var body = BodySpool()
    var pieces: [HTTPArchive.Entry.Piece] = []
    var length = 0
    let sendsBody: Bool

    init(_ request: URLRequest, sendsBody: Bool) {
      self.request = request
      self.sendsBody = sendsBody
    }

    var elapsed: Duration { began.duration(to: .now) }
  }

  /// Where a response's body is when it has come.
  enum Body: Sendable {
    /// It was told piece by piece.
    case told
    case data(Data)
    case file(URL)
    /// In a file that has each of the pieces twice.
    case doubledFile(URL)
    /// Nobody can tell, for this reason: the end of a sentence that begins with the entry.
    case unknown(String)
  }

  private let state: Protected<State>

  /// - Parameter request: As a server gets it.
  init(_ recorder: ExchangeRecorder, _ request: URLRequest) {
    state = Protected(
      State(recorder: recorder, ticket: recorder.begin(), hop: Hop(request.withoutStream, sendsBody: true)))
  }

  deinit {
    // The task is gone, and nobody will hear of its end.
    cancel()
  }

  // MARK: The request

  /// A piece of a body that is a stream was read and sent.
  func send(_ piece: Data) { state.withLock { $0.sent.append(piece) } }

  /// The stream is read from its beginning.
  func sendAgain() { state.withLock { $0.sent.clear() } }

  /// The task sends this body, which its request does not show.
  func setRequestBody(_ body: Data) { state.withLock { $0.requestBody = body } }

  // MARK: The response

  func head(_ response: HTTPURLResponse) {
    state.withLock { $0.hop.head = (response, $0.hop.elapsed) }
  }

  func receive(_ piece: Data) {
    state.withLock {
      $0.hop.note(piece.count)
      $0.hop.body.append(piece)
    }
  }

  /// A piece of the body was written to a file.
  func wrote(_ byteCount: Int) { state.withLock { $0.hop.note(byteCount) } }

  /// The response comes again from its beginning.
  func startOver() {
    state.withLock { state in
      state.hop.body.clear()
      state.hop.pieces = []
      state.hop.length = 0
    }
  }

  /// The response leads to another request: a redirect, or a demand that was met with a credential.
  func goOn(from response: HTTPURLResponse, _ body: Body, with next: URLRequest) {
    state.withLock { state in
      guard !state.isOver else { return }
      state.close(response, body, error: nil)
      state.hop = Hop(next.withoutStream, sendsBody: false)
    }
  }

  /// - Parameter response: `nil` for the one whose head was told.
  func end(_ response: HTTPURLResponse?, _ body: Body, error: (any Error)? = nil) {
    let end = state.withLock { state -> End? in
      guard !state.isOver else { return nil }
      state.isOver = true
      state.close(response ?? state.hop.head?.response, body, error: error)
      return End(recorder: state.recorder, ticket: state.ticket, entries: state.finished)
    }
    end?()
  }

  /// The response leads to a request that has a recording of its own, unless it is refused: then its body and its end follow.
  func leadOn(from response: HTTPURLResponse) {
    let end = state.withLock { state -> End? in
      guard !state.isOver else { return nil }
      state.hasLedOn = true
      let entry = state.entry(response, .data(Data()), error: nil)
      return End(recorder: state.recorder, ticket: state.ticket, entries: state.finished + [entry])
    }
    end?()
  }

  /// The task goes on after its end: what it ended with asked for a credential, and gets it.
  func goOn(afterEndWith next: URLRequest) {
    let reopened = state.withLock { state -> End? in
      guard state.isOver else { return nil }
      state.isOver = false
      state.hop = Hop(next.withoutStream, sendsBody: true)
      return End(recorder: state.recorder, ticket: state.ticket, entries: [])
    }
    if let reopened { reopened.recorder?.reopen(reopened.ticket) }
  }

  /// The task was cancelled.
  func cancel() {
    let end = state.withLock { state -> End? in
      guard !state.isOver else { return nil }
      state.isOver = true
      return state.hasLedOn ? nil : End(recorder: state.recorder, ticket: state.ticket, entries: [])
    }
    end?()
  }

  /// An end to be told outside the lock.
  private struct End {
    let recorder: ExchangeRecorder?
    let ticket: ExchangeRecorder.Ticket
    let entries: [HTTPArchive.Entry]

    func callAsFunction() { recorder?.end(ticket, entries) }
  }
}

extension ExchangeRecording.State {
  fileprivate mutating func close(_ response: HTTPURLResponse?, _ body: ExchangeRecording.Body, error: (any Error)?) {
    finished.append(entry(response, body, error: error))
    sent.clear()
  }

  /// The hop as it stands.
  fileprivate func entry(
    _ response: HTTPURLResponse?, _ body: ExchangeRecording.Body, error: (any Error)?
  ) -> HTTPArchive.Entry {
    var request = hop.request
    var obstacle: String?
    if hop.sendsBody {
      do {
        let body = try sent.body()
        request.httpBody = body.count > 0 ? body.data : requestBody ?? request.httpBody
      } catch {
        obstacle = "sent a body that could not be kept: \(error.localizedDescription)"
      }
    }
    var entry = HTTPArchive.Entry(
      request: request, error: error.map(URLError.init(recorded:)), startedAt: hop.startedAt, duration: hop.elapsed,
      timeToResponse: hop.head?.time)
    if let response {
      do {
        let content = try hop.content(body)
        let kept: RecordedContent =
          error == nil ? .init(of: response, to: request, length: content.count) : .brokenOff
        entry.response = .init(
          status: response.statusCode, headers: .init(of: response, kept), content: content)
        entry.pieces = hop.pieces
      } catch {
        entry.response = .init(status: response.statusCode, headers: .init(of: response, .brokenOff))
        obstacle = (error as? UnknownBody)?.reason ?? "has a body that could not be kept: \(error.localizedDescription)"
      }
    }
    entry.obstacle = obstacle
    return entry
  }
}

extension ExchangeRecording.Hop {
  fileprivate mutating func note(_ byteCount: Int) {
    length += byteCount
    pieces.append(.init(end: length, time: elapsed))
  }

  fileprivate func content(_ place: ExchangeRecording.Body) throws -> ArchivedBody {
    switch place {
    case .told: try body.body()
    case .data(let data): try BodySpool.body(of: data)
    case .file(let file): try BodySpool.body(ofFile: file)
    case .doubledFile(let file): try undoubled(file)
    case .unknown(let reason): throw UnknownBody(reason: reason)
    }
  }

  private func undoubled(_ file: URL) throws -> ArchivedBody {
    let handle = try FileHandle(forReadingFrom: file)
    defer { try? handle.close() }
    guard try handle.seekToEnd() == UInt64(2 * length) else {
      throw UnknownBody(reason: "has a body that URLSession has not written as expected")
    }
    var spool = BodySpool()
    var start = 0
    for piece in pieces {
      try handle.seek(toOffset: UInt64(2 * start))
      spool.append(try handle.read(upToCount: piece.end - start) ?? Data())
      start = piece.end
    }
    return try spool.body()
  }
}

private struct UnknownBody: Error { let reason: String }

extension URLRequest {
  /// The request without a stream, which can be read once only.
  fileprivate var withoutStream: URLRequest {
    guard httpBodyStream != nil else { return self }
    var request = self
    request.httpBodyStream = nil
    return request
  }
}

extension URLError {
  /// The error of a task as an archive keeps it.
  fileprivate init(recorded error: any Error) {
    let bridged = error as NSError
    self =
      error as? URLError
      ?? URLError(
        bridged.domain == NSURLErrorDomain ? Code(rawValue: bridged.code) ?? .unknown : .unknown,
        userInfo: [NSLocalizedDescriptionKey: bridged.localizedDescription])
  }
}
