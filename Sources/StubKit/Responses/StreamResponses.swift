import Foundation
import StubKitFormats

extension StubResponse {
  /// Returns a response whose body comes from an asynchronous sequence, chunk by chunk.
  ///
  /// ```swift
  /// let (chunks, sender) = AsyncStream.makeStream(of: Data.self)
  /// stub(
  ///   condition: isPath("/log"),
  ///   response: .stream(chunks, headers: ["Content-Type": "text/plain"]))
  /// …
  /// sender.yield(Data("first line\n".utf8))
  /// sender.finish()
  /// ```
  ///
  /// A delegate receives one chunk after the other. StubKit asks the sequence for the next chunk when the delegate
  /// has received the one before. A completion handler, an async call or a download receives the whole body at the
  /// end. If the sequence throws an error, the request fails with it.
  ///
  /// The sequence is iterated in the task that made the request, if there is one, and is cancelled with it. An
  /// `AsyncStream` then calls its `onTermination`. StubKit releases the sequence when its iteration ends. For HEAD,
  /// and with the status 204 or 304, it doesn't use the sequence.
  ///
  /// StubKit adds neither a `Content-Length` nor a `Content-Type`. ``chunked(by:every:)`` cuts each chunk,
  /// ``failing(afterBytes:with:)-(_,URLError.Code)`` counts the bytes of all chunks, and ``bodyDuration(_:)`` has no
  /// effect. A request fails with `URLError.timedOut` if no chunk arrives for as long as its `timeoutInterval`.
  ///
  /// - Important: A sequence serves one request, and a second request fails with ``StreamAlreadyUsedError``. To serve
  ///   several requests, use ``stream(status:headers:_:)``, which takes a closure.
  public static func stream<S: AsyncSequence & Sendable>(
    _ chunks: S, status: Int = 200, headers: [String: String] = [:]
  ) -> StubResponse where S.Element == Data {
    stream(status, headers, BodyStream(isSingleUse: true) { chunks })
  }

  /// Returns a response whose body comes from an asynchronous sequence, which a closure creates for each request.
  ///
  /// ```swift
  /// stub(
  ///   condition: isPath("/ticks"),
  ///   response: .stream {
  ///     AsyncStream { continuation in
  ///       for number in 1...3 {
  ///         continuation.yield(Data("\(number)\n".utf8))
  ///       }
  ///       continuation.finish()
  ///     }
  ///   })
  /// ```
  ///
  /// Everything else is as for ``stream(_:status:headers:)``. The closure runs in the task that iterates the
  /// sequence.
  public static func stream<S: AsyncSequence & SendableMetatype>(
    status: Int = 200, headers: [String: String] = [:], _ makeChunks: @escaping @Sendable () -> S
  ) -> StubResponse where S.Element == Data, S.AsyncIterator: SendableMetatype {
    stream(status, headers, BodyStream(isSingleUse: false, makeChunks))
  }

  private static func stream(_ status: Int, _ headers: [String: String], _ stream: BodyStream) -> StubResponse {
    StubResponse(status: status, headers: ResponseHeaders(headers), body: .stream(stream))
  }

  /// Returns a response with server-sent events (WHATWG HTML, section 9.2), each a piece of the body. The
  /// `Content-Type` defaults to `text/event-stream`.
  ///
  /// ```swift
  /// .events(
  ///   ["ready", ServerSentEvent("{\"price\":42}", event: "quote", id: "7")],
  ///   every: .milliseconds(100))
  /// ```
  ///
  /// The body ends after the last event. StubKit adds no `Content-Length`, like a server that doesn't know how many
  /// events will follow. An event whose id or name can't be sent fails the request with a ``StubResponseError``. To
  /// decide in the test when an event arrives, use ``stream(_:status:headers:)`` and ``ServerSentEvent/encoded``.
  ///
  /// - Parameters:
  ///   - events: The events, in order.
  ///   - interval: The time from one event to the next. The first event arrives with the head. By default, all events
  ///     arrive at once, each as a piece of its own. A time below minus one second fails the request.
  ///   - headers: Header fields. A `Content-Type` in them takes precedence.
  public static func events(
    _ events: [ServerSentEvent], every interval: Duration = .zero, headers: [String: String] = [:]
  ) -> StubResponse {
    var response = chunks(events.map(\.encoded), every: interval, headers: headers)
    response.headers.setDefault("Content-Type", ContentType.events)
    return response.configured(problem: events.lazy.compactMap(\.problem).first) { $0.hidesLength = true }
  }
}

/// An error that says that a stream would have had to serve a second request. A sequence can be iterated only once.
///
/// ```swift
/// // Serves one request.
/// stub(condition: isPath("/log"), response: .stream(lines))
/// // Serves all requests, each with a sequence of its own.
/// stub(condition: isPath("/log"), response: .stream { lines() })
/// ```
public struct StreamAlreadyUsedError: StubKitError, Hashable {
  /// The stub that answered, or `nil` if the response came from a policy.
  public let stub: StubReference?

  /// A sentence that names the stub and says what to write.
  public var description: String {
    let subject = stub.map { "The stub \($0)" } ?? "The response to an unmatched request"
    return """
      \(subject) answers with a stream that an earlier request has already read. \
      Write .stream { … } with a closure that creates a new sequence for each request.
      """
  }
}

extension StubResponse {
  /// Returns a response whose body arrives in exactly these pieces.
  ///
  /// ```swift
  /// // Three bytes, cut in the middle.
  /// let euro = Data("€".utf8)
  /// .chunks(
  ///   [euro.prefix(1), euro.dropFirst()],
  ///   every: .milliseconds(50), first: .seconds(1))
  /// ```
  ///
  /// A delegate receives one piece after the other, so you can test a parser with input that is cut anywhere. A
  /// completion handler receives the whole body at the end. For pieces of one length, use ``chunked(by:every:)``. For
  /// pieces that the test sends one by one, use ``stream(_:status:headers:)``.
  ///
  /// The length is known, so StubKit adds a `Content-Length`. With `headers: ["Transfer-Encoding": "chunked"]` it
  /// adds none, like a server that doesn't know how many pieces will follow. It adds no `Content-Type`. The request's
  /// timeout starts again with each piece.
  ///
  /// - Parameters:
  ///   - pieces: The pieces, in order. Empty ones are omitted.
  ///   - interval: The time from one piece to the next. Defaults to `.zero`. One below minus one second fails the
  ///     request.
  ///   - first: The time from the head to the first piece, as for `interval`.
  ///   - status: The status. Defaults to 200.
  ///   - headers: Header fields. Defaults to none.
  public static func chunks(
    _ pieces: [Data], every interval: Duration = .zero, first: Duration = .zero, status: Int = 200,
    headers: [String: String] = [:]
  ) -> StubResponse {
    var body = Data()
    var ends: [Int] = []
    for piece in pieces where !piece.isEmpty {
      body += piece
      ends.append(body.count)
    }
    var response = StubResponse(
      status: status, headers: ResponseHeaders(headers), body: .data(body), problem: interval.problem ?? first.problem)
    response.cut = .at(ends)
    let (time, firstTime) = (max(.zero, interval.clamped), max(.zero, first.clamped))
    if time > .zero || firstTime > .zero { response.pace = .pieces(every: time, first: firstTime) }
    return response
  }
}

extension StubResponse {
  /// A response that the test sends itself, piece by piece.
  ///
  /// ```swift
  /// let upload = stub(condition: isPath("/films"), response: .controlled)
  /// model.load()
  /// let call = try await upload.nextCall()
  /// #expect(model.showsSpinner)
  /// call.respond(headers: ["Content-Type": "text/plain"])
  /// call.send(Data("first ".utf8))
  /// call.fail(URLError(.networkConnectionLost))
  /// ```
  ///
  /// Each request waits until the test takes its call with ``Stub/nextCall(within:)`` and answers it. Modifiers such as
  /// ``delay(_:)`` and ``chunked(by:every:)`` apply to what the test sends. A request that is held for as long as its
  /// `timeoutInterval` fails with `URLError.timedOut`, and one that is held when its scope ends fails with
  /// ``StubScopeEndedError``. A call that nobody takes is an issue of its test.
  public static var controlled: StubResponse { empty(status: 200).configured { $0.isControlled = true } }

  var isControlled: Bool { options?.isControlled == true }

  /// Returns the response with a status, headers and chunks that the test sends.
  func sending(_ status: Int, _ headers: [String: String], _ chunks: AsyncThrowingStream<Data, any Error>)
    -> StubResponse
  {
    var response = StubResponse.stream(chunks, status: status, headers: headers)
    response.takeModifiers(of: self)
    return response
  }

  /// Returns a failure with the modifiers of the response.
  func failing(with error: any Error) -> StubResponse {
    var response = StubResponse.failure(error)
    response.takeModifiers(of: self)
    return response
  }

  private mutating func takeModifiers(of response: StubResponse) {
    (delay, pace, cut, interruption) = (response.delay, response.pace, response.cut, response.interruption)
    options = response.options
    options?.isControlled = false
  }
}
