import Foundation
import StubKit
import StubKitArchive

/// Records the exchange of one task with the network, from its first request to its end.
///
/// Call it on any thread, in the order of events. It holds its recorder weakly, because nobody needs exchanges that are
/// still in progress when a recording ends.
final class ArchiveRecording: NetworkListener {
  fileprivate struct State: ~Copyable {
    weak var recorder: ArchiveRecorder?
    let ticket: ArchiveRecorder.Ticket
    var finished: [HTTPArchive.Entry] = []
    var current: OpenEntry
    /// The body of the requests that send one, if it is known in advance.
    var requestBody: KeptBody?
    /// The body that is read during sending.
    var sent = KeptBody()
    var isOver = false
    var hasLedOn = false
  }

  /// The entry of a request that is in progress.
  fileprivate struct OpenEntry: ~Copyable {
    var request: URLRequest
    let startedAt = Date()
    let began = ContinuousClock.now
    var head: (response: HTTPURLResponse, time: Duration)?
    var isEventStream = false
    var body = KeptBody()
    var pieces: [HTTPArchive.Entry.Piece] = []
    var length = 0
    let sendsBody: Bool

    init(_ request: URLRequest, sendsBody: Bool) {
      self.request = request
      self.sendsBody = sendsBody
    }

    var elapsed: Duration { began.duration(to: .now) }
  }

  private let state: Protected<State>

  /// - Parameter request: The request as a server receives it.
  init(_ recorder: ArchiveRecorder, _ request: URLRequest) {
    state = Protected(
      State(recorder: recorder, ticket: recorder.begin(), current: OpenEntry(request.withoutStream, sendsBody: true)))
  }

  deinit {
    // The task no longer exists, so its end will never arrive.
    cancel()
  }

  // MARK: The request

  func send(_ piece: Data) { state.withLock { $0.sent.append(piece) } }

  func sendAgain() { state.withLock { $0.sent = KeptBody() } }

  func setRequestBody(_ body: Data) { state.withLock { $0.requestBody = KeptBody(body) } }

  func setRequestBody(ofFile file: URL) {
    guard let handle = try? FileHandle(forReadingFrom: file),
      let body = try? handle.read(upToCount: ArchivedBody.longest + 1)
    else { return }
    setRequestBody(body)
  }

  // MARK: The response

  func head(_ response: HTTPURLResponse) {
    let type = response.value(forHTTPHeaderField: "Content-Type")?.lowercased()
    state.withLock {
      $0.current.head = (response, $0.current.elapsed)
      $0.current.isEventStream = type?.hasPrefix("text/event-stream") == true
    }
  }

  /// The times of the pieces matter only to a client that receives them, and in an event stream.
  func receive(_ piece: Data, asPiece: Bool) {
    state.withLock {
      if asPiece || $0.current.isEventStream { $0.current.note(piece.count) }
      $0.current.body.append(piece)
    }
  }

  func proceed(from response: HTTPURLResponse, _ body: ExchangeBody, to target: URL?, with next: URLRequest) {
    state.withLock { state in
      guard !state.isOver else { return }
      state.close(response, body, error: nil)
      state.finished[state.finished.count - 1].noteRedirect(to: target)
      state.current = OpenEntry(next.withoutStream, sendsBody: target == nil)
    }
  }

  func end(_ response: HTTPURLResponse?, _ body: ExchangeBody, error: (any Error)?) {
    let end = state.withLock { state -> End? in
      guard !state.isOver else { return nil }
      state.isOver = true
      state.close(response ?? state.current.head?.response, body, error: error)
      return End(recorder: state.recorder, ticket: state.ticket, entries: state.finished)
    }
    end?()
  }

  func leadOn(from response: HTTPURLResponse) {
    let end = state.withLock { state -> End? in
      guard !state.isOver else { return nil }
      state.hasLedOn = true
      let entry = state.entry(response, .data(Data()), error: nil)
      return End(recorder: state.recorder, ticket: state.ticket, entries: state.finished + [entry])
    }
    end?()
  }

  func cancel() {
    let end = state.withLock { state -> End? in
      guard !state.isOver else { return nil }
      state.isOver = true
      return state.hasLedOn ? nil : End(recorder: state.recorder, ticket: state.ticket, entries: [])
    }
    end?()
  }

  /// An end to report outside of the lock.
  private struct End {
    let recorder: ArchiveRecorder?
    let ticket: ArchiveRecorder.Ticket
    let entries: [HTTPArchive.Entry]

    func callAsFunction() { recorder?.end(ticket, entries) }
  }
}

extension ArchiveRecording.State {
  fileprivate mutating func close(_ response: HTTPURLResponse?, _ body: ExchangeBody, error: (any Error)?) {
    finished.append(entry(response, body, error: error))
    sent = KeptBody()
  }

  /// Notes that a body of the current request or its response is too long to be kept.
  fileprivate func lose() { recorder?.note(.longBody(of: current.request)) }

  /// Returns an entry of what is known of the current request.
  fileprivate func entry(
    _ response: HTTPURLResponse?, _ body: ExchangeBody, error: (any Error)?
  ) -> HTTPArchive.Entry {
    var request = current.request
    var obstacle: String?
    if current.sendsBody, let body = sent.isEmpty ? requestBody ?? request.httpBody.map({ KeptBody($0) }) : sent {
      request.httpBody = body.data
      if body.data == nil {
        obstacle = "sent a body of more than \(ArchivedBody.limit), which was not kept"
        lose()
      }
    }
    var entry = HTTPArchive.Entry(
      request: request, error: error.map(URLError.init(recorded:)), startedAt: current.startedAt,
      duration: current.elapsed,
      timeToResponse: current.head?.time)
    if let response {
      var kept = RecordedContent.brokenOff
      var content = ArchivedBody(Data())
      switch current.content(body) {
      case .success(let data):
        if let data {
          content = ArchivedBody(data)
          if error == nil { kept = .init(of: response, to: request, length: data.count) }
          entry.pieces = current.pieces
        } else {
          obstacle = "has a body of more than \(ArchivedBody.limit), which was not kept"
          lose()
        }
      case .failure(let unknown): obstacle = unknown.reason
      }
      entry.response = .init(status: response.statusCode, headers: .init(of: response, kept), content: content)
    }
    entry.obstacle = obstacle
    return entry
  }
}

extension ArchiveRecording.OpenEntry {
  fileprivate mutating func note(_ byteCount: Int) {
    length += byteCount
    pieces.append(.init(end: length, time: elapsed))
  }

  /// Returns the body, or `nil` if it is too long.
  fileprivate func content(_ place: ExchangeBody) -> Result<Data?, UnknownBody> {
    switch place {
    case .received: .success(body.data)
    case .data(let data): .success(KeptBody(data).data)
    case .unknown(let reason): .failure(UnknownBody(reason: reason))
    }
  }
}

/// A body as it arrives, unless it is too long for an archive.
private struct KeptBody {
  /// The bytes until now, or `nil` if there are too many.
  private(set) var data: Data? = Data()

  init() {}

  init(_ body: Data) { append(body) }

  var isEmpty: Bool { data?.isEmpty == true }

  mutating func append(_ piece: Data) {
    guard let count = data?.count else { return }
    if count + piece.count > ArchivedBody.longest { data = nil } else { data?.append(piece) }
  }
}

extension HTTPArchive.Entry {
  /// Notes where a redirect has led, if a reader of its `Location` would go elsewhere.
  fileprivate mutating func noteRedirect(to url: URL?) {
    guard let response, 300..<400 ~= response.status, let url else { return }
    let target = response.headers["Location"].flatMap { URL(string: $0, relativeTo: request.url) }
    if target?.absoluteString != url.absoluteString { redirectedTo = url }
  }
}

private struct UnknownBody: Error { let reason: String }

extension URLRequest {
  /// The request without a stream, which can be read only once.
  fileprivate var withoutStream: URLRequest {
    guard httpBodyStream != nil else { return self }
    var request = self
    request.httpBodyStream = nil
    return request
  }
}

extension URLError {
  /// The error of a task as an archive stores it.
  fileprivate init(recorded error: any Error) {
    let bridged = error as NSError
    self =
      error as? URLError
      ?? URLError(
        bridged.domain == NSURLErrorDomain ? Code(rawValue: bridged.code) ?? .unknown : .unknown,
        userInfo: [NSLocalizedDescriptionKey: bridged.localizedDescription])
  }
}
