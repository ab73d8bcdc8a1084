import Foundation
import StubKit

/// One connection of a server: it reads a request, answers it, and so on.
///
/// Use it on the thread of the server's loop only.
final class Connection: EventLoopMember, @unchecked Sendable {
  // @unchecked holds because everything in it is touched on the loop's thread only.
  /// The number of bytes that are read ahead while an earlier request is being answered.
  private static let mostBytesAhead = 65_536
  /// The number of bytes that can wait before whoever produces more is told to wait.
  static let mostBytesWaiting = 262_144
  /// The number of pieces after which the other connections have a turn.
  static let mostPieces = 64
  /// The time for which the rest of a request is read and dropped, so that the client sees the answer and not a reset.
  private static let lingering = Duration.seconds(2)

  let descriptor: Int32
  let core: ServerCore
  var phase = Phase.receiving(nil)
  private var parser: RequestParser
  var output = OutputBuffer()
  /// The number of pieces that were sent since the loop last asked every connection.
  var pieceCount = 0
  /// Whether the client has sent everything. It can still receive (RFC 9112, section 9.6).
  private var isReadingOver = false
  /// Whether the client has yet to read a part of the output.
  private var isUnreadByClient = false
  /// The number of sent bytes that the client had not acknowledged when that was last asked.
  private var unacknowledgedCount = 0
  /// Whether it was tried to find out if a client that sends nothing more is still there.
  private var isProbed = false
  /// The time since which the client has been idle: since the connection began, a request ended, bytes of a body
  /// arrived, or the client read a part of its response. The bytes of a head don't count, so that a client can't send
  /// them one by one for ever.
  var idleSince: ContinuousClock.Instant

  /// What the connection does, and all that it knows of the current request and its response.
  ///
  /// Each case carries what is legal in it. Where a call and a phase don't go together, a comment says why the call is
  /// ignored, or why it can't happen.
  enum Phase {
    /// The client sends a request, or none yet. `nil` until the head of one has arrived.
    case receiving(PartialRequest?)
    /// The request is complete, and no byte of its response is written.
    case awaitingResponse(Answerer, RequestHead)
    /// The head of the response is written, and its end is not.
    case responding(Answerer, ResponseWriter)
    /// A stub keeps the rest of its response back until the output is empty. The network can't be told to wait.
    case awaitingDelivery(Exchange, ResponseWriter, completion: @Sendable () -> Void)
    /// Nothing is sent until the client gives up.
    case silent
    /// The rest of the output is sent, and then the connection ends.
    case ending(End)
    /// Everything is sent, and the rest of a request is dropped.
    case lingering(until: ContinuousClock.Instant)
    case closed

    /// The request that is being received.
    var request: PartialRequest? { if case .receiving(let request) = self { request } else { nil } }

    /// The exchange of the stub that answers.
    var exchange: Exchange? {
      switch self {
      case .awaitingResponse(.stub(let exchange), _), .responding(.stub(let exchange), _),
        .awaitingDelivery(let exchange, _, _):
        exchange
      default: nil
      }
    }
  }

  /// A request whose head has arrived.
  struct PartialRequest {
    let head: RequestHead
    /// The request that stubs see, without its body.
    var request: URLRequest
  }

  /// Who answers a request.
  enum Answerer { case stub(Exchange), network(ReverseProxy.Passing) }

  enum End { case closing, reset }

  init(_ descriptor: Int32, of core: ServerCore) {
    self.descriptor = descriptor
    self.core = core
    parser = RequestParser(limits: .init(body: core.limits.body))
    idleSince = core.loop.now
  }

  // MARK: The loop

  /// The time after which the connection ends if another client needs one, or `nil` while the client waits for an
  /// answer.
  var endsForOthers: ContinuousClock.Instant? {
    switch phase {
    case .receiving, .lingering: output.isEmpty ? idleSince + .seconds(1) : nil
    default: nil
    }
  }

  /// Whether requests wait until earlier responses are sent.
  private var isHeldBack: Bool { output.byteCount >= Self.mostBytesWaiting }

  /// The time until the client has been idle for too long.
  private var patience: Duration { idleSince + core.limits.idle - core.loop.now }
  private var isIdle: Bool { patience <= .zero }

  func interest() -> EventLoopInterest {
    var interest = EventLoopInterest(reads: true, writes: !output.isEmpty)
    switch phase {
    case .receiving:
      // A client that doesn't read its responses isn't asked for more requests.
      interest.reads = !isHeldBack
      if output.isEmpty { interest.wakesAfter = patience }
    case .awaitingResponse, .responding, .awaitingDelivery, .silent:
      interest.reads = parser.backlog < Self.mostBytesAhead
    case .ending(.reset):
      // The system would drop what the other end has not received.
      if output.isEmpty { interest.wakesAfter = .milliseconds(5) }
    case .ending(.closing), .closed: break
    case .lingering(let deadline):
      interest.wakesAfter = deadline - core.loop.now
    }
    if isReadingOver { interest.reads = false }
    if isUnreadByClient { interest.wakesAfter = patience }
    if pieceCount >= Self.mostPieces { interest.wakesAfter = .zero }
    return interest
  }

  func proceed(canRead: Bool, canWrite: Bool, isGone: Bool) {
    if case .closed = phase { return }
    if isGone { return lose() }
    pieceCount = 0
    if canWrite { idleSince = core.loop.now }
    if canRead, !isReadingOver { read() }
    // A slow client can take longer than that to make as much room as the system waits for.
    if isUnreadByClient, isIdle, !noteReading() {
      logClient("has read nothing of its response for \(core.limits.idle). See the server's Limits.idle")
      phase.exchange?.stop()
      return close(isReset: true)
    }
    switch phase {
    case .receiving(let request) where output.isEmpty && isIdle:
      guard parser.isInsideRequest else { return close() }
      let sentence = "The request was not complete after \(core.limits.idle). See the server's Limits.idle."
      refuse(RequestProblem(408, sentence), of: request?.head)
    case .lingering(let deadline): if deadline <= core.loop.now { close() }
    default: break
    }
    settle()
  }

  /// Does what was left for the end of a turn.
  func settle() {
    parse()
    if isReadingOver { endWithoutRequests() }
    if case .closed = phase { return }
    let wasHeldBack = isHeldBack
    guard send() else { return lose() }
    if output.isEmpty, pieceCount < Self.mostPieces { advance(wasHeldBack: wasHeldBack) }
  }

  /// Sends as much as the client takes. Returns `false` if it is gone.
  func send() -> Bool {
    let length = output.byteCount
    guard output.send(to: descriptor) else { return false }
    // What the system takes of more than it had room for, the client has made room for.
    if !output.isEmpty, !isUnreadByClient || output.byteCount < length { idleSince = core.loop.now }
    isUnreadByClient = !output.isEmpty
    if isUnreadByClient { noteReading() }
    return true
  }

  /// Returns whether the client has read since this was last asked: it lacks less of what was sent.
  @discardableResult
  private func noteReading() -> Bool {
    let count = Sockets.unsentByteCount(descriptor)
    defer { unacknowledgedCount = count }
    guard count < unacknowledgedCount else { return false }
    idleSince = core.loop.now
    return true
  }

  /// Ends the connection, because the server stops.
  func cut(_ end: ServerCore.End) {
    switch phase {
    case .awaitingResponse, .responding, .awaitingDelivery, .silent:
      if case .scopeEnded = end { phase.exchange?.cut() } else { phase.exchange?.stop() }
      close(isReset: true)
    default:
      close(isReset: !output.isEmpty)
    }
  }

  func settleLater() { core.loop.settle(self) }

  /// Continues after the output was sent.
  private func advance(wasHeldBack: Bool) {
    switch phase {
    case .receiving: if wasHeldBack { settleLater() }
    case .awaitingDelivery(let exchange, let writer, let completion):
      phase = .responding(.stub(exchange), writer)
      completion()
    case .ending(.closing):
      guard !isReadingOver else { return close() }
      Sockets.endWriting(descriptor)
      phase = .lingering(until: core.loop.now + Self.lingering)
    case .ending(.reset):
      noteReading()
      if isIdle || unacknowledgedCount == 0 { close(isReset: true) }
    case .awaitingResponse, .responding, .silent, .lingering, .closed: break
    }
  }

  /// The client is gone, or the rest of its response is.
  private func lose() {
    switch phase {
    // It can have left because it has everything.
    case .responding(.stub(let exchange), let writer) where output.isEmpty && writer.isComplete,
      .awaitingDelivery(let exchange, let writer, _) where output.isEmpty && writer.isComplete:
      exchange.complete()
    case .receiving(let request?):
      let length = parser.body.count
      logClient(
        "has left before the end of its request \(request.head.method) \(request.head.target), after "
          + (length == 1 ? "1 byte" : "\(length) bytes") + " of the body")
    default:
      phase.exchange?.noteHangUp()
      phase.exchange?.stop()
    }
    close()
  }

  func close(isReset: Bool = false) {
    switch phase {
    case .closed: return
    case .awaitingResponse(.network(let exchange), _), .responding(.network(let exchange), _): exchange.cancel()
    default: break
    }
    phase = .closed
    output = OutputBuffer()
    core.loop.remove(self)
    if isReset { Sockets.reset(descriptor) } else { Sockets.close(descriptor) }
  }

  // MARK: Reading

  private func read() {
    withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 16) { buffer in
      switch (Sockets.read(descriptor, into: buffer), phase) {
      case (.over, _): isReadingOver = true
      // What follows the last request is dropped.
      case (.later, _), (.bytes, .ending), (.bytes, .lingering): break
      // A client that speaks TLS begins with 0x16, which is a handshake (RFC 8446, section 5.1).
      case (.bytes, .receiving) where !parser.hasBegun && buffer[0] == 0x16:
        logClient("speaks TLS. The server has no certificate. Let the client use \(core.own.text) instead of https")
        close()
      case (.bytes(let count), _):
        if phase.request != nil { idleSince = core.loop.now }
        parser.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      }
    }
  }

  /// Ends the connection of a client that sends nothing more, if it has all of its answers.
  private func endWithoutRequests() {
    switch phase {
    case .receiving where !output.isEmpty: if !isHeldBack { phase = .ending(.closing) }
    // A client that gives up because nothing comes ends like this.
    case .receiving, .silent, .lingering: lose()
    case .awaitingResponse, .responding, .awaitingDelivery:
      phase.exchange?.noteHangUp()
      // While a body in chunks waits for its source, a byte shows whether the client still reads: the system answers
      // with a reset if not. The size of the next chunk can begin with a zero (RFC 9112, section 7.1).
      guard case .responding(_, let writer) = phase, writer.isChunked, output.isEmpty, !isProbed else { return }
      isProbed = true
      output.append("0".utf8)
    case .ending, .closed: break
    }
  }

  /// Takes requests from the bytes that have arrived, until one has no answer yet.
  private func parse() {
    while case .receiving = phase, !isHeldBack {
      var head = phase.request?.head
      do throws(RequestProblem) {
        switch try parser.next() {
        case .head(let new):
          head = new
          try begin(new)
        case .end(let body): answer(body)
        case nil: return
        }
      } catch {
        refuse(error, of: head)
      }
    }
  }

  private func begin(_ head: RequestHead) throws(RequestProblem) {
    idleSince = core.loop.now
    phase = .receiving(PartialRequest(head: head, request: try core.request(head)))
    if head.expectsContinue, parser.backlog == 0 { output.append("HTTP/1.1 100 Continue\r\n\r\n".utf8) }
  }
}
