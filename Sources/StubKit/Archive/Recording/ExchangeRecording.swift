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
    /// The body of the first request where that is read while it is sent.
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

    init(_ request: URLRequest) { self.request = request }

    var elapsed: Duration { began.duration(to: .now) }
  }

  /// Where a response's body is when it has come.
  enum Body: Sendable {
    /// It was told piece by piece.
    case told
    case data(Data)
    case file(URL)
    /// Nobody can tell, for this reason: the end of a sentence that begins with the entry.
    case unknown(String)
  }

  private let state: Protected<State>

  /// - Parameter request: As a server gets it.
  init(_ recorder: ExchangeRecorder, _ request: URLRequest) {
    state = Protected(State(recorder: recorder, ticket: recorder.begin(), hop: Hop(request.withoutStream)))
  }

  deinit {
    // The task is gone, and nobody will hear of its end.
    cancel()
  }

  // MARK: The request

  /// A piece of the first request's body, which is a stream, was read and sent.
  func send(_ piece: Data) { state.withLock { $0.sent.append(piece) } }

  /// The stream is read from its beginning.
  func sendAgain() { state.withLock { $0.sent.clear() } }

  /// The body of the first request, which its task sends from elsewhere.
  func setRequestBody(_ body: Data) { state.withLock { $0.hop.request.httpBody = body } }

  // MARK: The response

  func head(_ response: HTTPURLResponse) {
    state.withLock { $0.hop.head = (response, $0.hop.elapsed) }
  }

  func receive(_ piece: Data) {
    state.withLock { state in
      state.hop.length += piece.count
      state.hop.pieces.append(.init(end: state.hop.length, time: state.hop.elapsed))
      state.hop.body.append(piece)
    }
  }

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
      state.hop = Hop(next.withoutStream)
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
      state.hop = Hop(next.withoutStream)
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
  }

  /// The hop as it stands.
  fileprivate func entry(
    _ response: HTTPURLResponse?, _ body: ExchangeRecording.Body, error: (any Error)?
  ) -> HTTPArchive.Entry {
    var request = hop.request
    var obstacle: String?
    if finished.isEmpty {
      do {
        let body = try sent.body()
        if body.count > 0 { request.httpBody = body.data }
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
        if case .told = body { entry.pieces = hop.pieces }
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
  fileprivate func content(_ place: ExchangeRecording.Body) throws -> ArchivedBody {
    switch place {
    case .told: try body.body()
    case .data(let data): try BodySpool.body(of: data)
    case .file(let file): try BodySpool.body(ofFile: file)
    case .unknown(let reason): throw UnknownBody(reason: reason)
    }
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
