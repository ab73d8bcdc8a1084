import Foundation

/// A request that waits for the test to answer it.
///
/// ```swift
/// let feed = stub(condition: isPath("/feed"), response: .controlled)
/// client.subscribe()
/// let call = try await feed.nextCall()
/// call.respond(headers: ["Content-Type": "text/event-stream"])
/// call.send(ServerSentEvent("one").encoded)
/// client.unsubscribe()
/// #expect(await call.end() == .cancelled)
/// ```
///
/// The methods never wait, and can be called on any thread. What is sent after the end has no effect.
public final class StubCall: Sendable, CustomStringConvertible {
  /// The request, with its body.
  public let request: URLRequest
  /// How the request matched its stub.
  public let match: RequestMatch

  private enum Head: Sendable {
    case response(status: Int, headers: [String: String])
    case failure(any Error)
  }

  private struct State {
    var isAnswered = false
    var outcome: RecordedRequest.Outcome?
    var waiting: [CheckedContinuation<RecordedRequest.Outcome, Never>] = []
  }

  private let state = Protected(State())
  private let heads: AsyncStream<Head>
  private let head: AsyncStream<Head>.Continuation
  private let chunks: AsyncThrowingStream<Data, any Error>
  private let body: AsyncThrowingStream<Data, any Error>.Continuation

  init(_ request: URLRequest, _ match: RequestMatch) {
    self.request = request
    self.match = match
    (heads, head) = AsyncStream.makeStream()
    (chunks, body) = AsyncThrowingStream.makeStream()
  }

  /// Sends the head of the response. Only the first head counts.
  ///
  /// - Parameters:
  ///   - status: The status. Defaults to 200.
  ///   - headers: The header fields. Defaults to none.
  public func respond(status: Int = 200, headers: [String: String] = [:]) {
    answer(.response(status: status, headers: headers))
  }

  /// Sends a piece of the body. Sends a head with the status 200 first if there is none yet.
  public func send(_ data: Data) {
    respond()
    body.yield(data)
  }

  /// Sends a piece of the body as text in UTF-8. Sends a head with the status 200 first if there is none yet.
  public func send(_ text: String) { send(Data(text.utf8)) }

  /// Ends the response. Sends a head with the status 200 first if there is none yet.
  public func finish() {
    respond()
    body.finish()
  }

  /// Fails the request with an error: before the head if there is none yet, and otherwise in the middle of the body.
  public func fail(_ error: any Error) {
    answer(.failure(error))
    body.finish(throwing: error)
  }

  /// Fails the request with an error of URLSession: `call.fail(.networkConnectionLost)`.
  public func fail(_ code: URLError.Code) { fail(URLError(code)) }

  /// A Boolean value that indicates whether the client has cancelled the request.
  public var isCancelled: Bool { state.withLock { $0.outcome == .cancelled } }

  /// Waits until the request is over.
  ///
  /// - Returns: The outcome, as in the journal. ``RecordedRequest/Outcome/inProgress`` if the calling task is cancelled.
  public func end() async -> RecordedRequest.Outcome {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let outcome = state.withLock { state in
          let known = state.outcome ?? (Task.isCancelled ? .inProgress : nil)
          if known == nil { state.waiting.append(continuation) }
          return known
        }
        if let outcome { continuation.resume(returning: outcome) }
      }
    } onCancel: {
      resume(returning: .inProgress)
    }
  }

  /// A description such as `GET https://api.example.com/feed: in progress`.
  public var description: String { "\(request.summary): \(state.withLock { $0.outcome } ?? .inProgress)" }

  private func answer(_ first: Head) {
    let isFirst = state.withLock { state in
      defer { state.isAnswered = true }
      return !state.isAnswered
    }
    guard isFirst else { return }
    head.yield(first)
    head.finish()
  }

  /// Waits for the head, and returns what the test sends from then on.
  ///
  /// - Parameter response: The controlled response.
  func response(_ response: StubResponse) async -> StubResponse {
    // The clock doesn't wait for what the test decides.
    let wait = ClosureCall.current?.timeline.beginWait()
    defer { wait?.end() }
    for await head in heads {
      switch head {
      case .response(let status, let headers): return response.sending(status, headers, chunks)
      case .failure(let error): return response.failing(with: error)
      }
    }
    // The load has ended.
    return response.failing(with: CancellationError())
  }

  /// A Boolean value that indicates whether the request waits for its head.
  var isWaiting: Bool { state.withLock { !$0.isAnswered && $0.outcome == nil } }

  func end(_ outcome: RecordedRequest.Outcome) {
    state.withLock { $0.outcome = $0.outcome ?? outcome }
    resume(returning: outcome)
  }

  private func resume(returning outcome: RecordedRequest.Outcome) {
    let waiting = state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume(returning: outcome) }
  }
}
