import Foundation
import StubKit
import TestSupport
import Testing

/// Where a request's body can be: the ways in which URLSession takes one.
enum BodyPlace: CaseIterable, Sendable {
  case dataOfDataTask, streamOfDataTask, dataOfDownloadTask, streamOfDownloadTask
  case uploadData, uploadFile, asyncUploadData, asyncUploadFile, streamedUpload

  static let streams: [BodyPlace] = [.streamOfDataTask, .streamOfDownloadTask, .streamedUpload]

  var isStream: Bool { Self.streams.contains(self) }
}

/// A request with a body, sent in one of these ways.
struct Sending: Sendable {
  let place: BodyPlace
  let body: Data
  /// What is in the place of a stream, where the place is one.
  // Holds, here and below: a watched stream keeps its state under a lock.
  nonisolated(unsafe) let stream: WatchedStream
  let session: URLSession
  private let delegate: TransferEvents
  private let method: String

  init(
    _ place: BodyPlace, _ body: Data, stream: WatchedStream? = nil, method: String = "POST",
    credential: URLCredential? = nil, in configuration: URLSessionConfiguration = .ephemeral
  ) {
    self.place = place
    self.body = body
    self.method = method
    self.stream = stream ?? WatchedStream(body)
    delegate = TransferEvents(stream: self.stream, credential: credential)
    session = delegate.session(configuration)
  }

  /// How often the delegate was asked for a stream; nil if that was once on another queue than its own.
  var delegateCalls: Int? {
    let queues = delegate.streamQueues
    return queues.allSatisfy { $0 === session.delegateQueue } ? queues.count : nil
  }

  /// Sends the request and waits for its answer's text.
  func send(_ bare: URLRequest) async throws -> String {
    var request = bare
    if request.httpMethod == "GET" { request.httpMethod = method }
    if request.timeoutInterval == 60 { request.timeoutInterval = 3_600 }
    switch place {
    case .dataOfDataTask, .dataOfDownloadTask: request.httpBody = body
    case .streamOfDataTask, .streamOfDownloadTask: request.httpBodyStream = stream
    default: break
    }
    switch place {
    case .dataOfDataTask, .streamOfDataTask:
      return try await answer { session.dataTask(with: request, completionHandler: $0) }
    case .dataOfDownloadTask, .streamOfDownloadTask:
      let (file, _) = try await session.download(for: request)
      defer { try? FileManager.default.removeItem(at: file) }
      return try String(contentsOf: file, encoding: .utf8)
    case .uploadData: return try await answer { session.uploadTask(with: request, from: body, completionHandler: $0) }
    case .uploadFile:
      let file = try TestFile(body)
      return try await answer { session.uploadTask(with: request, fromFile: file.url, completionHandler: $0) }
    case .asyncUploadData: return String(decoding: try await session.upload(for: request, from: body).0, as: UTF8.self)
    case .asyncUploadFile:
      let file = try TestFile(body)
      return String(decoding: try await session.upload(for: request, fromFile: file.url).0, as: UTF8.self)
    case .streamedUpload:
      let task = session.uploadTask(withStreamedRequest: request)
      task.resume()
      _ = try await delegate.untilCompletion()
      if let error = task.error { throw error }
      return String(decoding: delegate.bytes, as: UTF8.self)
    }
  }

  private func answer(
    _ task: (@escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void) -> URLSessionTask
  ) async throws -> String {
    try await untilResumed { continuation in
      task { data, _, error in
        continuation.resume(
          with: error.map { .failure($0) } ?? .success(String(decoding: data ?? Data(), as: UTF8.self)))
      }.resume()
    }
  }
}

/// A body stream that knows whether anybody has touched it, and can keep its reader waiting. May be used on any thread.
final class WatchedStream: InputStream {
  private struct State {
    var rest: Data
    var status = Status.notOpen
    var openings = 0
  }
  private let state: Protected<State>
  private let release: DispatchSemaphore?
  private let breaksOff: Bool
  private let onRead: @Sendable () -> Void

  /// - Parameters:
  ///   - release: What the first read waits for.
  ///   - breaksOff: Whether the stream ends in an error.
  ///   - onRead: What each read does first.
  init(
    _ body: Data, release: DispatchSemaphore? = nil, breaksOff: Bool = false,
    onRead: @escaping @Sendable () -> Void = {}
  ) {
    state = Protected(State(rest: body))
    self.release = release
    self.breaksOff = breaksOff
    self.onRead = onRead
    super.init(data: Data())
  }

  var isTouched: Bool { openings > 0 }
  var openings: Int { state.withLock { $0.openings } }

  override func open() {
    state.withLock {
      $0.openings += 1
      $0.status = .open
    }
  }

  override func close() { state.withLock { $0.status = .closed } }

  override var streamStatus: Status { state.withLock { $0.status } }

  override var hasBytesAvailable: Bool { state.withLock { !$0.rest.isEmpty } }

  override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength: Int) -> Int {
    release?.wait()
    onRead()
    return state.withLock { state in
      let piece = state.rest.prefix(min(maxLength, 1_000))
      piece.copyBytes(to: buffer, count: piece.count)
      state.rest = state.rest.dropFirst(piece.count)
      return piece.isEmpty && breaksOff ? -1 : piece.count
    }
  }
}

/// A delegate that answers nothing that it is asked.
final class SilentDelegate: NSObject, URLSessionTaskDelegate {
  /// Whether it has been asked for a body's stream.
  let isAsked = Latch()
  let isComplete = Latch()

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {}

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {}

  func urlSession(
    _ session: URLSession, task: URLSessionTask, needNewBodyStream completionHandler: @escaping (InputStream?) -> Void
  ) { isAsked.open() }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    isComplete.open()
  }
}

/// A file that is gone when the test is over.
final class TestFile: Sendable {
  let url = temporaryPlace()

  init(_ content: Data) throws { try content.write(to: url) }

  deinit { removePlace(url) }
}
