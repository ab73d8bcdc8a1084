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
  /// ``failing(afterBytes:with:)`` counts the bytes of all chunks, and ``bodyDuration(_:)`` has no effect. A request
  /// fails with `URLError.timedOut` if no chunk arrives for as long as its `timeoutInterval`.
  ///
  /// - Important: A sequence serves one request, and a second request fails with ``StreamAlreadyUsedError``. To serve
  ///   several requests, use ``stream(status:headers:_:)``, which takes a closure.
  public static func stream<S: AsyncSequence & Sendable>(
    _ chunks: S, status: Int = 200, headers: [String: String] = [:]
  ) -> StubResponse where S.Element == Data {
    stream(
      status, headers,
      BodyStream(isSingleUse: true) { receive in try await iterate(chunks, receive) })
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
    stream(
      status, headers,
      BodyStream(isSingleUse: false) { receive in try await iterate(makeChunks(), receive) })
  }

  private static func iterate<S: AsyncSequence>(_ chunks: S, _ receive: BodyStream.Receiver) async throws
  where S.Element == Data {
    var iterator = chunks.makeAsyncIterator()
    while let chunk = try await iterator.next() {
      if try await receive(chunk) { continue }
      // A sequence learns of its cancellation when it is asked for an element, and some sequences only then.
      if Task.isCancelled { _ = try? await iterator.next() }
      return
    }
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
  ///     arrive at once, each as a piece of its own. A negative time fails the request.
  ///   - headers: Header fields. A `Content-Type` in them takes precedence.
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
