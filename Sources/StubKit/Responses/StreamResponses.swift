import Foundation

extension StubResponse {
  /// Returns a response whose body comes from an asynchronous sequence, chunk by chunk.
  ///
  /// ```swift
  /// let (chunks, sender) = AsyncStream.makeStream(of: Data.self)
  /// stub(
  ///   .get, "https://api.example.com/log",
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
  /// `AsyncStream` then calls its `onTermination`. A sequence learns of a cancellation only while it is asked for an
  /// element. If the request ends between two chunks, StubKit therefore asks once more, in a cancelled task, and drops
  /// the answer. A sequence that takes from a queue checks `Task.isCancelled` first. StubKit releases the sequence when
  /// its iteration ends. For HEAD, and with the status 204 or 304, it doesn't use the sequence.
  ///
  /// StubKit adds neither a `Content-Length` nor a `Content-Type`. ``chunked(by:every:)`` cuts each chunk,
  /// ``failing(afterBytes:with:)-(_,URLError.Code)`` counts the bytes of all chunks, and ``bodyDuration(_:)`` has no
  /// effect. A request fails with `URLError.timedOut` if no chunk arrives for as long as its `timeoutInterval`.
  ///
  /// - Parameters:
  ///   - chunks: The chunks of the body.
  ///   - status: The status, from 200 to 999. Defaults to 200.
  ///   - headers: Header fields. Defaults to none.
  ///
  /// - Important: A sequence serves one request, and a second request fails with a ``StubKitError``. To serve
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
  ///   .get, "https://api.example.com/ticks",
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
  ///
  /// - Parameters:
  ///   - status: The status, from 200 to 999. Defaults to 200.
  ///   - headers: Header fields. Defaults to none.
  ///   - makeChunks: Creates the chunks of the body of one request.
  public static func stream<S: AsyncSequence & SendableMetatype>(
    status: Int = 200, headers: [String: String] = [:], _ makeChunks: @escaping @Sendable () -> S
  ) -> StubResponse where S.Element == Data, S.AsyncIterator: SendableMetatype {
    stream(status, headers, BodyStream(isSingleUse: false, makeChunks))
  }

  private static func stream(_ status: Int, _ headers: [String: String], _ stream: BodyStream) -> StubResponse {
    StubResponse(status: status, headers: StubHeaders(headers), body: .stream(stream))
  }

  /// Returns a response with server-sent events (WHATWG HTML, section 9.2), each a piece of the body. The
  /// `Content-Type` defaults to `text/event-stream`.
  ///
  /// ```swift
  /// .events(
  ///   ["ready", .init("{\"price\":42}", event: "quote", id: "7")],
  ///   every: .milliseconds(100))
  /// ```
  ///
  /// The body ends after the last event. StubKit adds no `Content-Length`, like a server that doesn't know how many
  /// events will follow. An event whose id or name can't be sent fails the request with a ``StubResponseError``. To
  /// decide in the test when an event arrives, use ``stream(_:status:headers:)`` and ``StubResponse/Event/encoded``.
  ///
  /// - Parameters:
  ///   - events: The events, in order.
  ///   - interval: The time from one event to the next. The first event arrives with the head. By default, all events
  ///     arrive at once, each as a piece of its own. A time below minus one second fails the request.
  ///   - headers: Header fields. A `Content-Type` in them takes precedence.
  public static func events(
    _ events: [Event], every interval: Duration = .zero, headers: [String: String] = [:]
  ) -> StubResponse {
    var response = pieces(events.map(\.encoded), every: interval, headers: headers)
    response.headers.setDefault("Content-Type", ContentType.events)
    return response.configured(problem: events.lazy.compactMap(\.problem).first) { $0.hidesLength = true }
  }

  /// Returns a response whose body arrives in exactly these pieces.
  ///
  /// ```swift
  /// // Three bytes, cut in the middle.
  /// let euro = Data("€".utf8)
  /// .pieces(
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
  public static func pieces(
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
      status: status, headers: StubHeaders(headers), body: .data(body), problem: interval.problem ?? first.problem)
    response.cut = .at(ends)
    let time = interval.nonNegative
    let firstTime = first.nonNegative
    if time > .zero || firstTime > .zero { response.pace = .pieces(every: time, first: firstTime) }
    return response
  }

  /// A response that the test sends itself, piece by piece.
  ///
  /// ```swift
  /// let upload = stub(
  ///   .post, "https://api.example.com/films",
  ///   response: .controlled)
  /// model.load()
  /// let call = try await upload.nextCall()
  /// #expect(model.showsSpinner)
  /// call.respond(headers: ["Content-Type": "text/plain"])
  /// call.send(Data("first ".utf8))
  /// call.fail(URLError(.networkConnectionLost))
  /// ```
  ///
  /// Each request waits until the test takes its call with ``Stub/nextCall(timeout:)`` and answers it. Modifiers such
  /// as ``delay(_:)`` and ``chunked(by:every:)`` apply to what the test sends. A request that is held for as long as
  /// its `timeoutInterval` fails with `URLError.timedOut`, and one that is held when its scope ends fails with
  /// ``StubScopeEndedError``. A call that nobody takes is an issue of its test.
  public static var controlled: StubResponse { ok.configured { $0.isControlled = true } }

  var isControlled: Bool { options?.isControlled == true }

  /// Returns the response with a status, headers and chunks that the test sends.
  func sending(_ status: Int, _ headers: [String: String], _ chunks: AsyncThrowingStream<Data, any Error>)
    -> StubResponse
  {
    StubResponse.stream(chunks, status: status, headers: headers).withModifiers(of: self)
  }

  /// Returns a failure with the modifiers of the response.
  func replaced(by error: any Error) -> StubResponse { StubResponse.failure(error).withModifiers(of: self) }

  private func withModifiers(of other: StubResponse) -> StubResponse {
    modified {
      $0.delay = other.delay
      $0.pace = other.pace
      $0.cut = other.cut
      $0.interruption = other.interruption
      $0.options = other.options
      $0.options?.isControlled = false
    }
  }
}
