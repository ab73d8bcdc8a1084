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
  private var parser: RequestParser
  var output = OutputBuffer()
  var phase: Phase
  private var body = Data()
  /// The head of the current request.
  var head: RequestHead?
  private var url: URL?
  var writer: ResponseWriter?
  /// Called when the output is empty.
  var arrival: (@Sendable () -> Void)?
  /// The number of pieces that were sent since the loop last asked every connection.
  var pieceCount = 0
  /// Whether the client has sent everything. It can still receive (RFC 9112, section 9.6).
  private var isReadingOver = false
  private var isSettling = false
  private var isParsing = false
  /// Whether requests wait until earlier responses are sent.
  private var isHeldBack = false
  /// The time since which the client has been idle: since the connection began, a request ended, or bytes of a body
  /// arrived. The bytes of a head don't count, so that a client can't send them one by one for ever.
  var idleSince: ContinuousClock.Instant
  /// Whether the first byte of the connection was looked at.
  private var isKnownToSpeakHTTP = false

  enum Phase {
    case receiving
    case answering(Exchange)
    /// Another server answers.
    case passing(ReverseProxy.Exchange)
    /// Nothing is sent until the client gives up.
    case silent
    /// The rest of the output is sent, and then the connection ends.
    case ending(End)
    /// Everything is sent, and the rest of a request is dropped.
    case lingering(until: ContinuousClock.Instant)
    case closed
  }

  enum End { case closing, reset }

  init(_ descriptor: Int32, of core: ServerCore) {
    self.descriptor = descriptor
    self.core = core
    parser = RequestParser(
      limits: .init(target: core.limits.target, fields: core.limits.fields, body: core.limits.body))
    phase = .receiving
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

  func interest() -> EventLoopInterest {
    let now = core.loop.now
    var interest = EventLoopInterest(reads: true, writes: !output.isEmpty)
    switch phase {
    case .receiving:
      // A client that doesn't read its responses isn't asked for more requests.
      if output.isEmpty {
        interest.wakesAfter = idleSince + core.limits.idle - now
      } else {
        interest.reads = output.byteCount < Self.mostBytesWaiting
      }
    case .answering, .passing, .silent:
      interest.reads = parser.backlog < Self.mostBytesAhead
    case .ending(.reset):
      // The system would drop what the other end has not received.
      if output.isEmpty { interest.wakesAfter = .milliseconds(5) }
    case .ending(.closing), .closed: break
    case .lingering(let deadline):
      interest.wakesAfter = deadline - now
    }
    if isReadingOver { interest.reads = false }
    if pieceCount >= Self.mostPieces { interest.wakesAfter = .zero }
    return interest
  }

  func proceed(canRead: Bool, canWrite: Bool, isGone: Bool) {
    if case .closed = phase { return }
    if isGone { return lose() }
    pieceCount = 0
    if canWrite { idleSince = core.loop.now }
    if canRead, !isReadingOver { read() }
    switch phase {
    case .receiving: if output.isEmpty, idleSince + core.limits.idle <= core.loop.now { endIdleness() }
    case .lingering(let deadline): if deadline <= core.loop.now { close() }
    default: break
    }
    settle()
  }

  func settle() {
    isSettling = false
    parse()
    if isReadingOver { endWithoutRequests() }
    if !isGoneAfterFlush() { advance() }
  }

  func stop() { close(isReset: !output.isEmpty) }

  /// Ends the connection, because the server stops.
  func cut(_ end: ServerCore.End) {
    switch phase {
    case .answering(let exchange):
      if case .scopeEnded = end { exchange.cut() } else { exchange.stop() }
      close(isReset: true)
    case .passing, .silent:
      close(isReset: true)
    default:
      close(isReset: !output.isEmpty)
    }
  }

  func settleLater() {
    guard !isSettling else { return }
    isSettling = true
    core.loop.settle(self)
  }

  /// Sends what waits. Returns whether the connection is closed.
  private func isGoneAfterFlush() -> Bool {
    if case .closed = phase { return true }
    guard output.send(to: descriptor) else {
      lose()
      return true
    }
    return false
  }

  /// Continues after the output was sent.
  private func advance() {
    guard output.isEmpty, pieceCount < Self.mostPieces else { return }
    if let arrival = arrival.take() {
      arrival()
      return
    }
    switch phase {
    case .receiving where isHeldBack: settleLater()
    case .ending(.closing):
      guard !isReadingOver else { return close() }
      Sockets.endWriting(descriptor)
      phase = .lingering(until: core.loop.now + Self.lingering)
    case .ending(.reset):
      let isIdle = idleSince + core.limits.idle <= core.loop.now
      if isIdle || Sockets.unsentByteCount(descriptor) == 0 { close(isReset: true) }
    default: break
    }
  }

  /// The client is gone.
  private func lose() {
    switch phase {
    // It can have left because it has everything.
    case .answering(let exchange) where output.isEmpty && writer?.isComplete == true: exchange.complete()
    case .answering(let exchange):
      exchange.noteHangUp()
      exchange.stop()
    case .passing(let exchange): exchange.cancel()
    default: break
    }
    close()
  }

  func close(isReset: Bool = false) {
    if case .closed = phase { return }
    if case .passing(let exchange) = phase { exchange.cancel() }
    phase = .closed
    (arrival, writer) = (nil, nil)
    output.removeAll()
    core.loop.remove(self)
    if isReset { Sockets.reset(descriptor) } else { Sockets.close(descriptor) }
  }

  private func endIdleness() {
    guard parser.isInsideRequest else { return close() }
    refuse(RequestProblem(408, "The request was not complete after \(core.limits.idle). See the server's Limits.idle."))
  }

  // MARK: Reading

  private func read() {
    isReadingOver = withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 16) { buffer in
      switch Sockets.read(descriptor, into: buffer) {
      case .bytes(let count):
        if case .lingering = phase { return false }
        if case .ending = phase { return false }
        parser.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        return false
      case .later: return false
      case .over: return true
      }
    }
  }

  /// Ends the connection of a client that sends nothing more, if it has all of its answers.
  private func endWithoutRequests() {
    switch phase {
    case .receiving where !output.isEmpty: if !isHeldBack { phase = .ending(.closing) }
    // A client that gives up because nothing comes ends like this.
    case .receiving, .silent, .lingering: lose()
    case .answering(let exchange): exchange.noteHangUp()
    default: break
    }
  }

  /// Takes requests from the bytes that have arrived, until one has no answer yet.
  private func parse() {
    guard !isParsing else { return }
    isParsing = true
    defer { isParsing = false }
    while case .receiving = phase {
      isHeldBack = output.byteCount >= Self.mostBytesWaiting
      guard !isHeldBack, isHTTP() else { return }
      do throws(RequestProblem) {
        guard let event = try parser.next() else { return }
        switch event {
        case .head(let head): try begin(head)
        case .body(let bytes):
          idleSince = core.loop.now
          body.append(contentsOf: bytes)
        case .end:
          let whole = body
          body = Data()
          if let head, let url { try answer(head, whole.isEmpty ? nil : whole, to: url) }
        }
      } catch {
        refuse(error)
      }
    }
  }

  /// A client that speaks TLS begins with 0x16, which is a handshake (RFC 8446, section 5.1).
  private func isHTTP() -> Bool {
    guard !isKnownToSpeakHTTP, let first = parser.firstByte else { return true }
    isKnownToSpeakHTTP = true
    guard first == 0x16 else { return true }
    logClient("speaks TLS. The server has no certificate. Let the client use \(core.own.text) instead of https")
    close()
    return false
  }

  private func begin(_ head: RequestHead) throws(RequestProblem) {
    self.head = head
    idleSince = core.loop.now
    url = try ServedRequest(origin: core.origin, own: core.own).url(of: head)
    if head.expectsContinue, parser.backlog == 0 { output.append("HTTP/1.1 100 Continue\r\n\r\n".utf8) }
  }
}
