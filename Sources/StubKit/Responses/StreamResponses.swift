import Foundation

extension StubResponse {
  /// A body that comes in chunks from an asynchronous sequence, each sent when it is there.
  ///
  /// ```swift
  /// let (chunks, sender) = AsyncStream.makeStream(of: Data.self)
  /// stub(condition: isPath("/log"), response: .stream(chunks, headers: ["Content-Type": "text/plain"]))
  /// …
  /// sender.yield(Data("first line\n".utf8))
  /// sender.finish()
  /// ```
  ///
  /// A delegate gets one chunk after the other, and the sequence is asked for the next one only when the delegate has got the
  /// one before; a completion handler, an async call or a download gets the whole at the end. An error that the sequence
  /// throws is the request's. The sequence is iterated in the task that made the request, where there is one, and is
  /// cancelled with it: an `AsyncStream` calls its `onTermination`. StubKit releases the sequence when its iteration ends.
  /// For HEAD, a 204 or a 304 the sequence is not touched.
  ///
  /// No `Content-Length` and no `Content-Type` is added. Of a stream, ``chunked(by:every:)`` cuts each chunk,
  /// ``failing(afterBytes:with:)`` counts the bytes of all of them, and ``bodyDuration(_:)`` does nothing. A request for which
  /// no chunk comes for as long as its `timeoutInterval` fails with `URLError.timedOut`.
  ///
  /// - Important: A sequence serves one request; a second one fails with ``StreamAlreadyUsedError``. To answer any number,
  ///   use the form that takes a closure, ``stream(status:headers:_:)``.
  public static func stream<S: AsyncSequence & Sendable>(
    _ chunks: S, status: Int = 200, headers: [String: String] = [:]
  ) -> StubResponse where S.Element == Data {
    stream(
      status, headers,
      BodyStream(isSingleUse: true) { receive in try await iterate(chunks, receive) })
  }

  /// A body that comes in chunks from an asynchronous sequence, which the closure makes for each request.
  ///
  /// ```swift
  /// stub(condition: isPath("/ticks"), response: .stream {
  ///   AsyncStream { continuation in
  ///     for number in 1...3 { continuation.yield(Data("\(number)\n".utf8)) }
  ///     continuation.finish()
  ///   }
  /// })
  /// ```
  ///
  /// As ``stream(_:status:headers:)`` otherwise. The closure runs in the task in which the sequence is iterated.
  public static func stream<S: AsyncSequence & SendableMetatype>(
    status: Int = 200, headers: [String: String] = [:], _ makeChunks: @escaping @Sendable () -> S
  ) -> StubResponse where S.Element == Data, S.AsyncIterator: SendableMetatype {
    stream(
      status, headers,
      BodyStream(isSingleUse: false) { receive in try await iterate(makeChunks(), receive) })
  }

  private static func iterate<S: AsyncSequence>(_ chunks: S, _ receive: BodyStream.Receiver) async throws
  where S.Element == Data {
    var iterator = chunks.makeAsyncIterator()
    while let chunk = try await iterator.next() {
      if try await receive(chunk) { continue }
      // A sequence hears that it is cancelled when it is asked for an element, and some only then.
      if Task.isCancelled { _ = try? await iterator.next() }
      return
    }
  }

  private static func stream(_ status: Int, _ headers: [String: String], _ stream: BodyStream) -> StubResponse {
    StubResponse(status: status, headers: ResponseHeaders(headers), body: .stream(stream))
  }

  /// Server-sent events (WHATWG HTML, 9.2), each a piece of the body, as `text/event-stream`.
  ///
  /// ```swift
  /// .events(["ready", ServerSentEvent("{\"price\":42}", event: "quote", id: "7")], every: .milliseconds(100))
  /// ```
  ///
  /// The body ends after the last event; no `Content-Length` is added, as by a server that does not know how many are to come.
  /// An event with an id or a name that can't be sent fails the request with a ``StubResponseError``. For events that come when
  /// the test wants them, see ``stream(_:status:headers:)`` and ``ServerSentEvent/encoded``.
  ///
  /// - Parameters:
  ///   - events: The events, in order.
  ///   - interval: The time from one event to the next, the first coming with the head; by default all come at once, each by
  ///     itself. One below zero fails the request.
  ///   - headers: Header fields; a `Content-Type` among them holds.
  public static func events(
    _ events: [ServerSentEvent], every interval: Duration = .zero, headers: [String: String] = [:]
  ) -> StubResponse {
    var body = Data()
    var ends: [Int] = []
    for event in events {
      body += event.encoded
      ends.append(body.count)
    }
    let problem = events.lazy.compactMap(\.problem).first ?? (interval < .zero ? .negativeDuration(interval) : nil)
    var response = StubResponse(
      status: 200, headers: ResponseHeaders(headers), contentType: ContentType.events,
      body: .pieces(body, ends: ends, hasKnownLength: false), problem: problem)
    if interval > .zero { response.pace = .pieces(every: Time(interval)) }
    return response
  }
}
