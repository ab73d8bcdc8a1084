import Foundation
import StubKit

/// What a connection sends: the answers of stubs, of another server, and its own.
extension Connection {
  func answer(_ head: RequestHead, _ body: Data?, to url: URL) throws(RequestProblem) {
    let served = ServedRequest(origin: core.origin, own: core.own)
    let request = try served.request(head, body: body, to: url)
    guard let exchange = Exchange(request, in: core.scope, client: self, on: core.loop) else {
      return passThrough(request, recorder: nil)
    }
    phase = .answering(exchange)
    exchange.serve()
  }

  /// Answers a request that can't be answered, and ends the connection.
  func refuse(_ problem: RequestProblem) {
    if problem.status == 505 { logClient("speaks HTTP/2 from the start. The server speaks HTTP/1.1") }
    let head = head ?? RequestHead(method: "GET", target: "/", minorVersion: 1)
    respond(problem.status, problem.sentence + "\n", to: head, isLast: true)
  }

  func logClient(_ sentence: String) {
    core.hooks.log("StubKit: A client of the StubServer on port \(core.port) \(sentence).")
  }

  /// - Parameter isLast: Whether nobody knows where the next request would begin.
  private func respond(
    _ status: Int, _ text: String, _ added: ResponseHeaders = [:], type: String = "text/plain; charset=utf-8",
    to head: RequestHead, isLast: Bool = false
  ) {
    var head = head
    if isLast { head.keepsAlive = false }
    let body = Data(text.utf8)
    var headers: ResponseHeaders = ["Content-Type": type, "Content-Length": "\(body.count)"]
    for field in added.fields { headers.append(field.name, field.value) }
    let hasBody = head.method != "HEAD"
    write(status, headers, hasBody: hasBody, to: head)
    if hasBody { send(body) }
    endResponse()
  }

  func write(_ status: Int, _ headers: ResponseHeaders, hasBody: Bool, to head: RequestHead) {
    let writer = ResponseWriter(
      status: status, headers: core.neighbours.translate(headers), hasBody: hasBody, for: head, date: Self.date.text)
    output.append(writer.head)
    self.writer = writer
    settleLater()
  }

  func send(_ piece: Data) {
    guard !piece.isEmpty, let frame = writer?.frame(ofPiece: piece.count) else { return }
    output.append(frame.before.utf8)
    output.append(piece)
    output.append(frame.after.utf8)
    settleLater()
  }

  func endResponse() {
    guard let end = writer?.end() else { return }
    output.append(end.utf8)
    let keepsAlive = writer?.keepsAlive ?? false
    writer = nil
    head = nil
    idleSince = core.loop.now
    phase = keepsAlive ? .receiving : .ending(.closing)
    settleLater()
  }

  /// Ends the connection without the rest of an answer.
  func breakOff() {
    idleSince = core.loop.now
    phase = .ending(.reset)
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

// MARK: The client of an exchange

extension Connection: ServedClient {
  func receive(_ head: ServedHead, hasBody: Bool) {
    if let request = self.head { write(head.status, head.headers, hasBody: hasBody, to: request) }
  }

  func receive(_ piece: Data) { send(piece) }

  func notifyWhenDelivered(_ completion: @escaping @Sendable () -> Void) -> Bool {
    // Each piece is a write of its own. If the client is gone, the end of this turn finds out.
    guard output.send(to: descriptor) else { return false }
    pieceCount += 1
    guard pieceCount >= Self.mostPieces || output.byteCount > Self.mostBytesWaiting else { return false }
    arrival = completion
    return true
  }

  func finish() { endResponse() }

  func fail(_ failure: ServedFailure) {
    guard let head, writer == nil else { return breakOff() }
    switch failure {
    case .unmatched(let error):
      if head.method == "OPTIONS", !head.values(of: "Access-Control-Request-Method").isEmpty {
        logClient(
          "asks whether a page may make a request (a CORS preflight), and no stub matches OPTIONS \(head.target)")
      }
      respond(501, core.hooks.missed(error) + "\n", ["StubKit-Unmatched": "1"], to: head)
    case .mistaken(let error):
      let text = (error as? any LocalizedError)?.errorDescription ?? "\(error)"
      respond(500, text + "\n", ["StubKit-Error": "1"], to: head)
    case .meant(let error):
      switch (error as? URLError)?.code {
      case .timedOut?:
        phase = .silent
      case .badServerResponse?, .cannotParseResponse?:
        // Each client finds one of these unacceptable. libcurl takes a first line that is no HTTP for HTTP/0.9.
        output.append("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\nThis is not HTTP.\r\n\r\n".utf8)
        phase = .ending(.closing)
        settleLater()
      default:
        // If a connection was used before and ends without a byte, clients send the request again (RFC 9110, section
        // 9.2.2). After an interim response they don't, and it makes no response.
        if head.minorVersion > 0 { output.append("HTTP/1.1 100 Continue\r\n\r\n".utf8) }
        breakOff()
      }
    case .cut:
      close(isReset: true)
    }
  }

  func passThrough(_ request: URLRequest, recorder: (any NetworkRecorder)?) {
    guard let head else { return }
    if let problem = core.proxy.problem(of: request, from: core) {
      recorder?.cancel()
      return respond(502, problem + "\n", ["StubKit-Error": "1"], to: head)
    }
    phase = .passing(
      core.proxy.pass(request, from: core.port, recording: recorder, to: ReverseProxy.Receiver(self, core.loop)))
  }
}

// MARK: The client of another server

extension Connection {
  func relay(_ status: Int, _ headers: ResponseHeaders, hasBody: Bool) {
    guard case .passing = phase, let head else { return }
    write(status, headers, hasBody: hasBody, to: head)
  }

  func relay(_ piece: Data) { if case .passing = phase { send(piece) } }

  /// - Parameter error: The error of the request, or `nil`.
  func endRelay(_ error: (any Error)?) {
    guard case .passing = phase, let head else { return }
    guard let error else { return endResponse() }
    guard writer == nil else { return breakOff() }
    respond(
      502, "The server can't reach \(core.origin?.text ?? head.target): \(error.localizedDescription)\n",
      ["StubKit-Error": "1"], to: head)
  }
}
