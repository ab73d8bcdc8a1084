import Foundation
import StubKit

/// What a connection sends: the answers of stubs, of another server, and its own.
extension Connection {
  /// Lets a stub or the network answer the request that is complete.
  func answer(_ body: Data) {
    // The end of a request follows its head.
    guard var received = phase.request else { return endAfterMistake() }
    if !body.isEmpty { received.request.httpBody = body }
    guard let exchange = Exchange(received.request, in: core.scope, client: self, on: core.loop) else {
      return passThrough(received.request, of: received.head, recorder: nil)
    }
    phase = .awaitingResponse(.stub(exchange), received.head)
    exchange.serve()
  }

  private func passThrough(_ request: URLRequest, of head: RequestHead, recorder: (any NetworkRecorder)?) {
    if let problem = core.proxy.problem(of: request, from: core) {
      recorder?.end(error: URLError(.unsupportedURL))
      return respond(502, problem + "\n", "StubKit-Error", to: head)
    }
    phase = .awaitingResponse(.network(core.proxy.pass(request, of: self, recording: recorder)), head)
  }

  /// Answers a request that can't be answered, and ends the connection.
  ///
  /// - Parameter head: The head of the request, or `nil` if it has not arrived.
  func refuse(_ problem: RequestProblem, of head: RequestHead?) {
    if problem.status == 505 { logClient("speaks HTTP/2 from the start. The server speaks HTTP/1.1") }
    var head = head ?? RequestHead(method: "GET", target: "/", minorVersion: 1)
    // Nobody knows where the next request would begin.
    head.keepsAlive = false
    respond(problem.status, problem.sentence + "\n", to: head)
  }

  /// Ends the connection after a call that its phase doesn't allow.
  private func endAfterMistake(_ call: String = #function) {
    core.hooks.log("A connection has ended because StubKit broke a rule of its own. Please report it: \(call)")
    close(isReset: true)
  }

  func logClient(_ sentence: String) {
    core.hooks.log("A client of the StubServer on port \(core.port) \(sentence).")
  }

  // MARK: Writing

  /// Writes a whole response of the server itself.
  ///
  /// - Parameter mark: The name of the field that tells it from those of stubs, or `nil`.
  private func respond(_ status: Int, _ text: String, _ mark: String? = nil, to head: RequestHead) {
    let body = Data(text.utf8)
    var headers: StubHeaders = ["Content-Type": "text/plain; charset=utf-8", "Content-Length": "\(body.count)"]
    if let mark { headers.append(mark, "1") }
    let hasBody = head.method != "HEAD"
    var writer = write(status, nil, headers, hasBody: hasBody, to: head)
    if hasBody { write(body, by: &writer) }
    end(writer)
  }

  private func write(
    _ status: Int, _ reason: String?, _ headers: StubHeaders, hasBody: Bool, to head: RequestHead
  ) -> ResponseWriter {
    let writer = ResponseWriter(
      status: status, reason: reason, headers: core.neighbours.translate(headers), hasBody: hasBody, for: head,
      date: Self.date.text)
    output.append(writer.head)
    settleLater()
    return writer
  }

  private func write(_ piece: Data, by writer: inout ResponseWriter) {
    guard !piece.isEmpty else { return }
    let frame = writer.frame(ofPiece: piece.count)
    output.append(frame.before.utf8)
    output.append(piece)
    output.append(frame.after.utf8)
    settleLater()
  }

  private func end(_ writer: ResponseWriter) {
    var writer = writer
    output.append(writer.end().utf8)
    endRequest(writer.keepsAlive ? .receiving(nil) : .ending(.closing))
  }

  private func endRequest(_ next: Phase) {
    idleSince = core.loop.now
    phase = next
    settleLater()
  }

  /// The `Date` of responses, which is written anew once a second. Only the threads of servers use it.
  private static var date: (second: Int, text: String) {
    let second = Int(Date().timeIntervalSince1970)
    return lastDate.withLock { last in
      if last.second != second { last = (second, Date(timeIntervalSince1970: Double(second)).httpDate) }
      return last
    }
  }
  private static let lastDate = Protected((second: 0, text: ""))
}

// MARK: The client of an exchange, and of the network

extension Connection: ServedClient {
  func headArrived(_ status: Int, _ reason: String?, _ headers: StubHeaders, hasBody: Bool) {
    switch phase {
    case .awaitingResponse(let answerer, let head):
      phase = .responding(answerer, write(status, reason, headers, hasBody: hasBody, to: head))
    // On Apple platforms, each part of a multipart response (multipart/x-mixed-replace) has a head. The client can also
    // have left.
    case .responding(.network, _), .closed: break
    // A request has one response, which begins once.
    case .receiving, .responding(.stub, _), .awaitingDelivery, .silent, .ending, .lingering: endAfterMistake()
    }
  }

  func pieceArrived(_ piece: Data) {
    switch phase {
    case .responding(let answerer, var writer):
      if case .network = answerer, output.byteCount + piece.count > core.limits.body { return cutOff() }
      write(piece, by: &writer)
      phase = .responding(answerer, writer)
    // A response without a body has no pieces, and its head waits for its end. The client can also have left.
    case .awaitingResponse(.network, _), .closed: break
    // A piece follows the head, and waits for the delivery of the previous one.
    case .receiving, .awaitingResponse(.stub, _), .awaitingDelivery, .silent, .ending, .lingering: endAfterMistake()
    }
  }

  /// Ends a response of the network that arrives faster than the client reads it. On Linux, nothing makes URLSession
  /// wait, so the rest would fill the memory.
  private func cutOff() {
    core.hooks.log(
      "The StubServer on port \(core.port) cut a response off: the network sent it faster than the client read it, and "
        + "more than \(core.limits.body) bytes would wait for the client. Raise the server's Limits.body, or let the "
        + "client read on.")
    close(isReset: true)
  }

  func notifyWhenDelivered(_ completion: @escaping @Sendable () -> Void) -> Bool {
    // Something is delivered only after the head, and one thing at a time.
    guard case .responding(.stub(let exchange), let writer) = phase else {
      endAfterMistake()
      return false
    }
    // Each piece is a write of its own. If the client is gone, the stub waits until the end of this turn.
    let isGone = !send()
    if isGone { settleLater() }
    pieceCount += 1
    guard isGone || pieceCount >= Self.mostPieces || output.byteCount > Self.mostBytesWaiting else { return false }
    phase = .awaitingDelivery(exchange, writer, completion: completion)
    return true
  }

  func finish() { finish(nil) }

  /// - Parameter error: The error with which the network's response ends, or `nil`.
  func finish(_ error: (any Error)?) {
    switch phase {
    case .awaitingResponse(.network, let head):
      let reason = (error ?? URLError(.badServerResponse)).localizedDescription
      let text = "The server can't reach \(core.origin?.text ?? head.target): \(reason)\n"
      respond(502, text, "StubKit-Error", to: head)
    case .responding(_, let writer):
      if error == nil { end(writer) } else { endRequest(.ending(.reset)) }
    // The client has left, and its request was cancelled.
    case .closed: break
    // A response ends after its head, once.
    case .receiving, .awaitingResponse(.stub, _), .awaitingDelivery, .silent, .ending, .lingering: endAfterMistake()
    }
  }

  func fail(_ failure: ServedFailure) {
    switch (phase, failure) {
    case (.awaitingResponse(_, let head), .unmatched(let error)):
      if head.method == "OPTIONS", head.fields.contains("Access-Control-Request-Method") {
        logClient(
          "asks whether a page may make a request (a CORS preflight), and no stub matches OPTIONS \(head.target)")
      }
      respond(501, core.hooks.missed(error) + "\n", "StubKit-Unmatched", to: head)
    case (.awaitingResponse(_, let head), .mistaken(let error)):
      let text = (error as? any LocalizedError)?.errorDescription ?? "\(error)"
      respond(500, text + "\n", "StubKit-Error", to: head)
    case (.awaitingResponse(_, let head), .meant(let error)):
      switch (error as? URLError)?.code {
      case .timedOut?:
        phase = .silent
      case .badServerResponse?, .cannotParseResponse?:
        // Each client finds one of these unacceptable. libcurl takes a first line that is no HTTP for HTTP/0.9.
        output.append("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\nThis is not HTTP.\r\n\r\n".utf8)
        endRequest(.ending(.closing))
      default:
        // If a connection was used before and ends without a byte, clients send the request again (RFC 9110, section
        // 9.2.2). After an interim response they don't, and it makes no response.
        if head.minorVersion > 0 { output.append("HTTP/1.1 100 Continue\r\n\r\n".utf8) }
        endRequest(.ending(.reset))
      }
    case (.awaitingResponse, .cut): close(isReset: true)
    // The client has a part of the response. A scope can also end while its stub waits for the delivery.
    case (.responding, _), (.awaitingDelivery, _): endRequest(.ending(.reset))
    // An exchange fails before its response has ended, once.
    case (.receiving, _), (.silent, _), (.ending, _), (.lingering, _), (.closed, _): endAfterMistake()
    }
  }

  func passThrough(_ request: URLRequest, recorder: (any NetworkRecorder)?) {
    // A request is passed through instead of being answered.
    guard case .awaitingResponse(_, let head) = phase else { return endAfterMistake() }
    passThrough(request, of: head, recorder: recorder)
  }
}
