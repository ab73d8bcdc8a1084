import Foundation
import StubKit
import StubKitArchive

/// Records the exchange of one request with the network.
///
/// Call it on any thread, in the order of events. It holds its recorder weakly, because nobody needs exchanges that are
/// still in progress when a recording ends.
final class ExchangeRecording: NetworkRecorder {
  fileprivate struct State: ~Copyable {
    weak var recorder: ArchiveRecorder?
    let number: Int
    let request: URLRequest
    let startedAt = Date()
    let began = ContinuousClock.now
    var requestBody: KeptBody?
    var head: (response: HTTPURLResponse, time: Duration)?
    var target: URL?
    var body = KeptBody()
    var pieces: [HTTPArchive.Entry.Piece] = []

    var elapsed: Duration { began.duration(to: .now) }
  }

  private let state: Protected<State>

  /// - Parameter request: The request as a server receives it.
  init(_ recorder: ArchiveRecorder, _ request: URLRequest) {
    var kept = request
    // A stream can be read only once. This removes the other body, too, which the entry has from below.
    kept.httpBodyStream = nil
    let body = request.httpBody.map { KeptBody($0) }
    state = Protected(State(recorder: recorder, number: recorder.begin(), request: kept, requestBody: body))
  }

  func setRequestBody(_ body: Data) { state.withLock { $0.requestBody = KeptBody(body) } }

  func headArrived(_ response: HTTPURLResponse) {
    state.withLock { $0.head = (response, $0.elapsed) }
  }

  func leads(to target: URL) { state.withLock { $0.target = target } }

  /// The times of the pieces matter only to a client that receives them, and in an event stream.
  func pieceArrived(_ piece: Data, asPiece: Bool) {
    state.withLock {
      if asPiece || $0.head?.response.value(forHTTPHeaderField: "Content-Type")?.isOfEventStream == true {
        $0.pieces.append(.init(end: ($0.pieces.last?.end ?? 0) + piece.count, time: $0.elapsed))
      }
      $0.body.append(piece)
    }
  }

  func end(error: (any Error)?) {
    let (recorder, number, entry) = state.withLock { ($0.recorder, $0.number, $0.entry(error: error)) }
    recorder?.end(number, entry)
  }
}

extension ExchangeRecording.State {
  /// Returns an entry of what is known.
  fileprivate borrowing func entry(error: (any Error)?) -> HTTPArchive.Entry {
    var entry = HTTPArchive.Entry(
      request: request, error: error.map(URLError.init(recorded:)), startedAt: startedAt, duration: elapsed,
      timeToResponse: head?.time)
    if let requestBody {
      entry.request.httpBody = requestBody.data
      if requestBody.data == nil { entry.statedObstacle = "sent a body of more than \(ArchivedBody.limit)" }
    }
    if let response = head?.response {
      if body.data == nil { entry.statedObstacle = "has a body of more than \(ArchivedBody.limit)" }
      entry.pieces = pieces
      entry.response = .init(
        status: response.statusCode,
        headers: .init(of: response, to: request, bodyLength: error == nil ? body.data?.count : nil),
        content: ArchivedBody(body.data ?? Data()))
    }
    // What looks like a placeholder comes from the network, and is none.
    entry.redacted = []
    // A reader of `Location` would go elsewhere.
    let location = entry.response?.headers["Location"].flatMap { URL(string: $0, relativeTo: request.url) }
    if let target, let status = entry.response?.status, 300..<400 ~= status,
      location?.absoluteString != target.absoluteString
    {
      entry.redirectedTo = target
    }
    return entry
  }
}

/// A body as it arrives, unless it is too long for an archive.
private struct KeptBody {
  /// The bytes until now, or `nil` if there are too many.
  private(set) var data: Data? = Data()

  init(_ body: Data = Data()) { append(body) }

  mutating func append(_ piece: Data) {
    guard let count = data?.count else { return }
    if count + piece.count > ArchivedBody.longest { data = nil } else { data?.append(piece) }
  }
}

extension URLError {
  /// The error of a task as an archive stores it.
  fileprivate init(recorded error: any Error) {
    let bridged = error as NSError
    let code = bridged.domain == NSURLErrorDomain ? Code(rawValue: bridged.code) : nil
    let other = URLError(code ?? .unknown, bridged.localizedDescription)
    self = error as? URLError ?? other
  }
}

extension StubHeaders {
  /// Creates the header fields for a response from URLSession, which decompresses the body but leaves the header fields
  /// unchanged.
  ///
  /// - Parameter bodyLength: The length in bytes, or `nil` if the body broke off.
  init(of response: HTTPURLResponse, to request: URLRequest, bodyLength: Int?) {
    self.init(of: response)
    // Otherwise, the header fields describe a body that isn't sent.
    guard bodyLength != 0 || request.httpMethod != "HEAD" && ![204, 304].contains(response.statusCode) else { return }
    if bodyLength != nil || contains("Content-Encoding"),
      let length = first(where: { $0.name.isHeaderName("Content-Length") })
    {
      self[length.name] = bodyLength.map { "\($0)" }
    }
    remove("Content-Encoding")
  }
}
